/* SPDX-License-Identifier: MIT */
/* records.c - gathering addresses, nexthops, routes, neighbours and rules as messages, and sending them again. */
#define _GNU_SOURCE
#include "records.h"

#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct hunt {
    const int *ifindex;
    const char *const *names;
    size_t n;
    struct records *to;
    size_t start; /* where this dump began, for a restart */
};

int records_add(struct records *r, const struct nlmsghdr *h, struct base_err *err)
{
    struct nlmsghdr *copy = malloc(NLMSG_ALIGN(h->nlmsg_len));
    if (r->n == r->cap) {
        size_t cap = r->cap ? r->cap * 2 : 32;
        struct record *v = realloc(r->v, cap * sizeof(*v));
        if (!v) {
            free(copy);
            return base_err_set(err, BASE_NO_MEMORY, "out of memory");
        }
        r->v = v;
        r->cap = cap;
    }
    if (!copy)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    memset(copy, 0, NLMSG_ALIGN(h->nlmsg_len));
    memcpy(copy, h, h->nlmsg_len);
    r->v[r->n++].h = copy;
    return 0;
}

static void cut(struct records *r, size_t n)
{
    while (r->n > n)
        free(r->v[--r->n].h);
}

void records_done(struct records *r)
{
    cut(r, 0);
    free(r->v);
    *r = (struct records){ 0 };
}

static size_t fixed_size(uint16_t type)
{
    switch (type) {
    case RTM_NEWADDR:
        return sizeof(struct ifaddrmsg);
    case RTM_NEWROUTE:
        return sizeof(struct rtmsg);
    case RTM_NEWNEIGH:
        return sizeof(struct ndmsg);
    case RTM_NEWRULE:
        return sizeof(struct fib_rule_hdr);
    case RTM_NEWNEXTHOP:
        return sizeof(struct nhmsg);
    default:
        return sizeof(struct ifinfomsg);
    }
}

static const void *fixed(const struct nlmsghdr *h)
{
    return (const uint8_t *)h + NLMSG_HDRLEN;
}

/* The attributes of a message as a range. */
static bool attrs(const struct nlmsghdr *h, const uint8_t **p, size_t *n)
{
    size_t skip = NLMSG_HDRLEN + NLMSG_ALIGN(fixed_size(h->nlmsg_type));
    if (h->nlmsg_len < NLMSG_HDRLEN + fixed_size(h->nlmsg_type))
        return false;
    *p = (const uint8_t *)h + skip;
    *n = h->nlmsg_len > skip ? h->nlmsg_len - skip : 0;
    return true;
}

static bool get_attr(const struct nlmsghdr *h, uint16_t type, struct nl_attr_view *ret)
{
    const uint8_t *p;
    size_t n;
    bool bad = false;
    if (!attrs(h, &p, &n))
        return false;
    while (nl_next_attr(&p, &n, ret, &bad))
        if (ret->type == type)
            return true;
    return false;
}

static bool ours(const struct hunt *u, int ifindex)
{
    for (size_t i = 0; i < u->n; i++)
        if (u->ifindex[i] == ifindex)
            return true;
    return false;
}

static bool our_name(const struct hunt *u, struct nl_attr_view a)
{
    char name[LINK_NAME_SIZE];
    nl_text(a, name, sizeof(name));
    for (size_t i = 0; i < u->n; i++)
        if (!strcmp(u->names[i], name))
            return true;
    return false;
}

static int take_addr(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    struct hunt *u = arg;
    const struct ifaddrmsg *ifa = fixed(h);
    if (h->nlmsg_type != RTM_NEWADDR || h->nlmsg_len < NLMSG_HDRLEN + sizeof(*ifa))
        return 0;
    if (!ours(u, (int)ifa->ifa_index) ||
        (ifa->ifa_flags & IFA_F_TEMPORARY && ifa->ifa_family == AF_INET6))
        return 0;
    return records_add(u->to, h, err);
}

static bool multipath_ours(const struct hunt *u, struct nl_attr_view a)
{
    while (a.n >= sizeof(struct rtnexthop)) {
        struct rtnexthop nh;
        size_t step;
        memcpy(&nh, a.p, sizeof(nh));
        if (ours(u, nh.rtnh_ifindex))
            return true;
        step = NLMSG_ALIGN((size_t)nh.rtnh_len);
        if (step < sizeof(nh) || step > a.n)
            return false;
        a.p += step;
        a.n -= step;
    }
    return false;
}

/* Routes that the kernel makes itself (connected, local, broadcast) or learns again (RA) are left out. */
static int take_route(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    struct hunt *u = arg;
    const struct rtmsg *r = fixed(h);
    struct nl_attr_view a;
    if (h->nlmsg_type != RTM_NEWROUTE || h->nlmsg_len < NLMSG_HDRLEN + sizeof(*r))
        return 0;
    if (r->rtm_flags & RTM_F_CLONED || r->rtm_protocol == RTPROT_KERNEL ||
        r->rtm_protocol == RTPROT_RA || r->rtm_type == RTN_LOCAL || r->rtm_type == RTN_BROADCAST ||
        r->rtm_type == RTN_ANYCAST)
        return 0;
    if ((get_attr(h, RTA_OIF, &a) && ours(u, (int)nl_u32(a))) ||
        (get_attr(h, RTA_MULTIPATH, &a) && multipath_ours(u, a)))
        return records_add(u->to, h, err);
    return 0;
}

static int take_neigh(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    struct hunt *u = arg;
    const struct ndmsg *nd = fixed(h);
    if (h->nlmsg_type != RTM_NEWNEIGH || h->nlmsg_len < NLMSG_HDRLEN + sizeof(*nd))
        return 0;
    if (!ours(u, nd->ndm_ifindex) || (nd->ndm_family != AF_INET && nd->ndm_family != AF_INET6))
        return 0;
    return nd->ndm_state & NUD_PERMANENT || nd->ndm_flags & NTF_PROXY ? records_add(u->to, h, err)
                                                                      : 0;
}

static int take_rule(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    struct hunt *u = arg;
    struct nl_attr_view a;
    if (h->nlmsg_type != RTM_NEWRULE)
        return 0;
    if ((get_attr(h, FRA_IIFNAME, &a) && our_name(u, a)) ||
        (get_attr(h, FRA_OIFNAME, &a) && our_name(u, a)))
        return records_add(u->to, h, err);
    return 0;
}

static int take_nexthop(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    struct hunt *u = arg;
    struct nl_attr_view a;
    if (h->nlmsg_type == RTM_NEWNEXTHOP && get_attr(h, NHA_OIF, &a) && ours(u, (int)nl_u32(a)))
        return records_add(u->to, h, err);
    return 0;
}

static void start_again(void *arg)
{
    struct hunt *u = arg;
    cut(u->to, u->start);
}

static int dump(struct link_session *s, struct hunt *u, uint16_t type, const void *header,
                size_t len, nl_object_fn fn, struct base_err *err)
{
    struct nl_msg_buf m;
    int rc;
    u->start = u->to->n;
    nl_begin(&m, type, 0, header, len);
    rc = nl_dump_all(&s->route, &m, fn, start_again, u, err);
    return rc ? base_err_wrap(err, "reading the kernel's tables") : 0;
}

int records_collect(struct link_session *s, const int *ifindex, const char *const *names, size_t n,
                    struct records *ret, struct base_err *err)
{
    static const uint8_t families[] = { AF_INET, AF_INET6 };
    struct hunt u = { .ifindex = ifindex, .names = names, .n = n, .to = ret };
    struct base_err ignored = { 0 };
    struct nhmsg nh = { 0 };
    int rc = 0;
    for (int i = 0; i < 2 && !rc; i++) {
        struct ifaddrmsg ifa = { .ifa_family = families[i] };
        rc = dump(s, &u, RTM_GETADDR, &ifa, sizeof(ifa), take_addr, err);
    }
    if (!rc) /* a kernel before 5.3 has no nexthop objects */
        (void)dump(s, &u, RTM_GETNEXTHOP, &nh, sizeof(nh), take_nexthop, &ignored);
    for (int i = 0; i < 2 && !rc; i++) {
        struct rtmsg r = { .rtm_family = families[i] };
        rc = dump(s, &u, RTM_GETROUTE, &r, sizeof(r), take_route, err);
    }
    for (int i = 0; i < 4 && !rc; i++) {
        struct ndmsg nd = { .ndm_family = families[i & 1], .ndm_flags = i & 2 ? NTF_PROXY : 0 };
        rc = dump(s, &u, RTM_GETNEIGH, &nd, sizeof(nd), take_neigh, err);
    }
    for (int i = 0; i < 2 && !rc; i++) {
        struct fib_rule_hdr fr = { .family = families[i] };
        rc = dump(s, &u, RTM_GETRULE, &fr, sizeof(fr), take_rule, err);
    }
    return rc;
}

/* Attributes that age by themselves, or that the kernel adds on its own. */
static bool of_the_moment(uint16_t type, uint16_t attr)
{
    switch (type) {
    case RTM_NEWADDR:
        return attr == IFA_CACHEINFO;
    case RTM_NEWROUTE:
        return attr == RTA_CACHEINFO;
    case RTM_NEWNEIGH:
        return attr == NDA_CACHEINFO || attr == NDA_PROBES;
    default:
        return false;
    }
}

static void clear_flags(struct nl_msg_buf *m, uint16_t type)
{
    uint8_t *p = m->b + NLMSG_HDRLEN;
    if (type == RTM_NEWROUTE)
        ((struct rtmsg *)(void *)p)->rtm_flags &= RTNH_F_ONLINK | RTNH_F_PERVASIVE;
    else if (type == RTM_NEWADDR)
        ((struct ifaddrmsg *)(void *)p)->ifa_flags &=
            (uint8_t) ~(IFA_F_TENTATIVE | IFA_F_DADFAILED | IFA_F_PERMANENT);
    else if (type == RTM_NEWNEXTHOP)
        ((struct nhmsg *)(void *)p)->nh_flags &= RTNH_F_ONLINK;
    else if (type == RTM_NEWRULE)
        ((struct fib_rule_hdr *)(void *)p)->flags &=
            ~(uint32_t)(FIB_RULE_IIF_DETACHED | FIB_RULE_OIF_DETACHED);
}

/* A copied message without flags of the moment.  keep_ages: with lifetimes, as the kernel wants them for putting back. */
static void copy_clean(const struct nlmsghdr *h, bool keep_ages, struct nl_msg_buf *m)
{
    struct nl_attr_view a;
    const uint8_t *p;
    size_t n;
    bool bad = false, by_id = h->nlmsg_type == RTM_NEWROUTE && get_attr(h, RTA_NH_ID, &a);
    nl_begin(m, h->nlmsg_type, 0, fixed(h), fixed_size(h->nlmsg_type));
    clear_flags(m, h->nlmsg_type);
    if (!attrs(h, &p, &n))
        return;
    while (nl_next_attr(&p, &n, &a, &bad)) {
        if (of_the_moment(h->nlmsg_type, a.type) && !(keep_ages && h->nlmsg_type == RTM_NEWADDR))
            continue;
        if (by_id && (a.type == RTA_OIF || a.type == RTA_GATEWAY || a.type == RTA_MULTIPATH ||
                      a.type == RTA_VIA))
            continue;
        if (h->nlmsg_type == RTM_NEWADDR && a.type == IFA_FLAGS && a.n == 4)
            nl_put_u32(m, a.type,
                       nl_u32(a) & ~(uint32_t)(IFA_F_TENTATIVE | IFA_F_DADFAILED |
                                               (keep_ages ? 0 : IFA_F_PERMANENT)));
        else
            nl_put(m, a.type, a.p, a.n);
    }
}

int records_put(struct link_session *s, const struct nlmsghdr *h, struct base_err *err)
{
    struct base_err why = { 0 };
    struct nl_msg_buf m;
    char what[128];
    copy_clean(h, true, &m);
    ((struct nlmsghdr *)(void *)m.b)->nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
    if (nl_ack(&s->route, &m, &why) == 0 || why.code == BASE_EXISTS)
        return 0;
    records_describe(h, what, sizeof(what));
    base_err_set(err, why.code, "cannot put back %s: %s", what, why.msg);
    return -(int)why.code;
}

bool records_same(const struct nlmsghdr *a, const struct nlmsghdr *b)
{
    struct nl_msg_buf x, y;
    if (a->nlmsg_type != b->nlmsg_type)
        return false;
    copy_clean(a, false, &x);
    copy_clean(b, false, &y);
    return x.n == y.n && !memcmp(x.b, y.b, x.n);
}

bool records_automatic(const struct nlmsghdr *h)
{
    const struct ifaddrmsg *ifa = fixed(h);
    struct nl_attr_view a;
    return h->nlmsg_type == RTM_NEWADDR && ifa->ifa_family == AF_INET6 &&
           get_attr(h, IFA_ADDRESS, &a) && a.n == 16 && a.p[0] == 0xfe && (a.p[1] & 0xc0) == 0x80;
}
