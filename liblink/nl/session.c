/* SPDX-License-Identifier: MIT */
/* session.c - reading the host's state and the single changes; see link/session.h. */
#define _GNU_SOURCE
#include "session.h"
#include "codec.h"
#include "ethtool.h"
#include "member_order.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#ifndef RTEXT_FILTER_SKIP_STATS
#define RTEXT_FILTER_SKIP_STATS (1 << 3)
#endif

int link_session_open(struct link_session **ret, struct base_err *err)
{
    struct link_session *s = calloc(1, sizeof(*s));
    int rc;
    if (!s)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    rc = nl_channel_open(NETLINK_ROUTE, &s->route, err);
    if (!rc)
        rc = nl_channel_open(NETLINK_GENERIC, &s->genl, err);
    if (rc) {
        link_session_close(s);
        return rc;
    }
    *ret = s;
    return 0;
}

void link_session_close(struct link_session *s)
{
    if (!s)
        return;
    nl_channel_close(&s->route);
    nl_channel_close(&s->genl);
    free(s);
}

static int add_link(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    struct link_state *st = arg;
    if (h->nlmsg_type != RTM_NEWLINK)
        return 0;
    if (st->n == st->cap) {
        size_t cap = st->cap ? st->cap * 2 : 64;
        struct link_iface *v = realloc(st->v, cap * sizeof(*v));
        if (!v)
            return base_err_set(err, BASE_NO_MEMORY, "out of memory");
        st->v = v;
        st->cap = cap;
    }
    return nl_parse_link(h, &st->v[st->n], err) ? -(int)BASE_MALFORMED : (st->n++, 0);
}

static void forget(void *arg)
{
    ((struct link_state *)arg)->n = 0;
}

static int by_index(const void *a, const void *b)
{
    const struct link_iface *x = a, *y = b;
    return (x->ifindex > y->ifindex) - (x->ifindex < y->ifindex);
}

int link_read_state(struct link_session *s, unsigned what, struct link_state *ret,
                    struct base_err *err)
{
    struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC };
    struct nl_msg_buf m;
    int rc;
    *ret = (struct link_state){ 0 };
    nl_begin(&m, RTM_GETLINK, 0, &ifi, sizeof(ifi));
    nl_put_u32(&m, IFLA_EXT_MASK, what & LINK_READ_COUNTERS ? 0 : RTEXT_FILTER_SKIP_STATS);
    rc = nl_dump_all(&s->route, &m, add_link, forget, ret, err);
    if (!rc)
        qsort(ret->v, ret->n, sizeof(*ret->v), by_index);
    if (!rc && (what & LINK_READ_SPEED))
        rc = nl_ethtool_speeds(&s->genl, ret, err);
    if (!rc && (what & LINK_READ_ORDER))
        nl_member_order(ret);
    if (rc)
        link_state_done(ret);
    return rc;
}

static void begin_link(struct nl_msg_buf *m, int ifindex, unsigned flags, unsigned change,
                       uint16_t nl_flags)
{
    struct ifinfomsg ifi = {
        .ifi_family = AF_UNSPEC, .ifi_index = ifindex, .ifi_flags = flags, .ifi_change = change
    };
    nl_begin(m, RTM_NEWLINK, nl_flags, &ifi, sizeof(ifi));
}

int link_set_admin(struct link_session *s, int ifindex, bool up, struct base_err *err)
{
    struct nl_msg_buf m;
    begin_link(&m, ifindex, up ? IFF_UP : 0, IFF_UP, 0);
    return nl_ack(&s->route, &m, err);
}

int link_set_mtu(struct link_session *s, int ifindex, uint32_t mtu, struct base_err *err)
{
    struct nl_msg_buf m;
    begin_link(&m, ifindex, 0, 0, 0);
    nl_put_u32(&m, IFLA_MTU, mtu);
    return nl_ack(&s->route, &m, err);
}

int link_set_mac(struct link_session *s, int ifindex, const uint8_t mac[6], struct base_err *err)
{
    struct nl_msg_buf m;
    begin_link(&m, ifindex, 0, 0, 0);
    nl_put(&m, IFLA_ADDRESS, mac, 6);
    return nl_ack(&s->route, &m, err);
}

int link_set_master(struct link_session *s, int ifindex, int master, struct base_err *err)
{
    struct nl_msg_buf m;
    begin_link(&m, ifindex, 0, 0, 0);
    nl_put_u32(&m, IFLA_MASTER, (uint32_t)master);
    return nl_ack(&s->route, &m, err);
}

int link_delete(struct link_session *s, int ifindex, struct base_err *err)
{
    struct ifinfomsg ifi = { .ifi_family = AF_UNSPEC, .ifi_index = ifindex };
    struct nl_msg_buf m;
    nl_begin(&m, RTM_DELLINK, 0, &ifi, sizeof(ifi));
    return nl_ack(&s->route, &m, err);
}

static void put_bond(struct nl_msg_buf *m, const struct link_bond_opts *o)
{
    size_t info = nl_nest(m, IFLA_LINKINFO), data;
    nl_put_str(m, IFLA_INFO_KIND, "bond");
    data = nl_nest(m, IFLA_INFO_DATA);
    nl_put_bond_opts(m, o);
    nl_nest_end(m, data);
    nl_nest_end(m, info);
}

int link_bond_create(struct link_session *s, const char *name, const struct link_bond_opts *o,
                     struct base_err *err)
{
    struct nl_msg_buf m;
    int rc;
    begin_link(&m, 0, 0, 0, NLM_F_CREATE | NLM_F_EXCL);
    nl_put_str(&m, IFLA_IFNAME, name);
    put_bond(&m, o);
    rc = nl_ack(&s->route, &m, err);
    if (rc == -BASE_UNSUPPORTED)
        base_err_hint(err, "this kernel has no bonding driver: modprobe bonding");
    return rc;
}

int link_bond_change(struct link_session *s, int ifindex, const struct link_bond_opts *o,
                     struct base_err *err)
{
    struct nl_msg_buf m;
    begin_link(&m, ifindex, 0, 0, 0);
    put_bond(&m, o);
    return nl_ack(&s->route, &m, err);
}

int link_member_change(struct link_session *s, int ifindex, int queue_id, int32_t prio,
                       int actor_port_prio, struct base_err *err)
{
    struct nl_msg_buf m;
    size_t info, data;
    begin_link(&m, ifindex, 0, 0, 0);
    info = nl_nest(&m, IFLA_LINKINFO);
    nl_put_str(&m, IFLA_INFO_SLAVE_KIND, "bond");
    data = nl_nest(&m, IFLA_INFO_SLAVE_DATA);
    if (queue_id != LINK_UNKNOWN)
        nl_put_u16(&m, IFLA_BOND_SLAVE_QUEUE_ID, (uint16_t)queue_id);
    if (prio != INT32_MIN)
        nl_put_u32(&m, IFLA_BOND_SLAVE_PRIO, (uint32_t)prio);
    if (actor_port_prio != LINK_UNKNOWN)
        nl_put_u16(&m, 10, (uint16_t)actor_port_prio); /* IFLA_BOND_SLAVE_ACTOR_PORT_PRIO */
    nl_nest_end(&m, data);
    nl_nest_end(&m, info);
    return nl_ack(&s->route, &m, err);
}

static int take_oif(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    size_t skip = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(struct rtmsg));
    const uint8_t *p = (const uint8_t *)h + skip;
    size_t n = h->nlmsg_len > skip ? h->nlmsg_len - skip : 0;
    struct nl_attr_view a;
    bool bad = false;
    (void)err;
    while (nl_next_attr(&p, &n, &a, &bad))
        if (a.type == RTA_OIF)
            *(int *)arg = (int)nl_u32(a);
    return 0;
}

int link_route_device(struct link_session *s, const struct sockaddr *to)
{
    bool v6 = to->sa_family == AF_INET6;
    struct rtmsg r = { .rtm_family = (uint8_t)to->sa_family, .rtm_dst_len = v6 ? 128 : 32 };
    struct nl_msg_buf m;
    int oif = 0;
    nl_begin(&m, RTM_GETROUTE, 0, &r, sizeof(r));
    if (v6)
        nl_put(&m, RTA_DST, &((const struct sockaddr_in6 *)(const void *)to)->sin6_addr, 16);
    else
        nl_put(&m, RTA_DST, &((const struct sockaddr_in *)(const void *)to)->sin_addr, 4);
    return nl_get(&s->route, &m, take_oif, &oif, NULL) ? 0 : oif;
}
