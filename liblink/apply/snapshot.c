/* SPDX-License-Identifier: MIT */
/* snapshot.c - taking a snapshot and its way through JSON; see link/snapshot.h. */
#include "records.h"
#include "codec.h"

#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "json_in.h"

#define MAX_DEVICES 256

void link_snapshot_free(struct link_snapshot *snap)
{
    if (!snap)
        return;
    records_done(&snap->links);
    records_done(&snap->objects);
    free(snap->ifaces);
    free(snap->members);
    free(snap);
}

const struct link_iface *link_snapshot_bond(const struct link_snapshot *snap)
{
    return &snap->ifaces[0];
}

size_t link_snapshot_members(const struct link_snapshot *snap, const struct link_iface *const **ret)
{
    *ret = snap->members;
    return snap->n_members;
}

int snapshot_decode(struct link_snapshot *snap, struct base_err *err)
{
    snap->ifaces = calloc(snap->links.n + 1, sizeof(*snap->ifaces));
    snap->members = calloc(snap->links.n + 1, sizeof(*snap->members));
    if (!snap->ifaces || !snap->members)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < snap->links.n; i++) {
        if (nl_parse_link(snap->links.v[i].h, &snap->ifaces[i], err))
            return base_err_wrap(err, "snapshot");
        if (i && snap->ifaces[i].is_member && snap->ifaces[i].master == snap->ifaces[0].ifindex) {
            snap->ifaces[i].member.position = (int)snap->n_members;
            snap->members[snap->n_members++] = &snap->ifaces[i];
        }
    }
    if (snap->links.n == 0 || !snap->ifaces[0].is_bond)
        return base_err_set(err, BASE_MALFORMED, "the snapshot holds no bond");
    return 0;
}

/* Devices on top, in any depth: VLANs and the like by IFLA_LINK, bridges by master. */
static size_t add_uppers(const struct link_state *st, const struct link_iface **v, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < st->n && n < MAX_DEVICES; i++) {
            const struct link_iface *d = &st->v[i];
            bool on_top = (d->lower == v[k]->ifindex && d->lower_netns == LINK_UNKNOWN) ||
                          (v[k]->master == d->ifindex);
            bool known = false;
            for (size_t q = 0; q < n; q++)
                known = known || v[q] == d;
            if (on_top && !known)
                v[n++] = d;
        }
    }
    return n;
}

static int keep_raw(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    return h->nlmsg_type == RTM_NEWLINK ? records_add(arg, h, err) : 0;
}

static int fetch_link(struct link_session *s, int ifindex, struct records *to, struct base_err *err)
{
    struct ifinfomsg ifi = { .ifi_index = ifindex };
    struct nl_msg_buf m;
    nl_begin(&m, RTM_GETLINK, 0, &ifi, sizeof(ifi));
    return nl_get(&s->route, &m, keep_raw, to, err);
}

static int fill(struct link_session *s, const struct link_state *st, const struct link_iface *bond,
                struct link_snapshot *snap, struct base_err *err)
{
    const struct link_iface *tops[MAX_DEVICES] = { bond }, *members[MAX_DEVICES];
    size_t n_tops = add_uppers(st, tops, 1);
    size_t n_members = link_members(st, bond->ifindex, members, MAX_DEVICES);
    int ifindex[MAX_DEVICES];
    const char *names[MAX_DEVICES];
    int rc = fetch_link(s, bond->ifindex, &snap->links, err);
    if (n_members >= MAX_DEVICES)
        return base_err_set(err, BASE_UNSUPPORTED, "more than %d members", MAX_DEVICES - 1);
    for (size_t i = 0; i < n_members && !rc; i++)
        rc = fetch_link(s, members[i]->ifindex, &snap->links, err);
    for (size_t i = 0; i < n_tops; i++) {
        ifindex[i] = tops[i]->ifindex;
        names[i] = tops[i]->name;
        if (i && !rc)
            rc = fetch_link(s, tops[i]->ifindex, &snap->links, err);
    }
    if (!rc)
        rc = records_collect(s, ifindex, names, n_tops, &snap->objects, err);
    return rc ? rc : snapshot_decode(snap, err);
}

int link_snapshot_take(struct link_session *s, const char *name, struct link_snapshot **ret,
                       struct base_err *err)
{
    struct link_snapshot *snap = calloc(1, sizeof(*snap));
    const struct link_iface *bond;
    struct link_state st;
    int rc;
    if (!snap)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    rc = link_read_state(s, LINK_READ_ORDER, &st, err);
    if (!rc) {
        rc = link_need(&st, name, &bond, err);
        if (!rc && !bond->is_bond)
            rc = base_err_set(err, BASE_USAGE, "%s is not a bond", name);
        if (!rc)
            rc = fill(s, &st, bond, snap, err);
        link_state_done(&st);
    }
    if (rc) {
        link_snapshot_free(snap);
        return rc;
    }
    *ret = snap;
    return 0;
}

static void list_json(struct base_json *j, const char *key, const struct records *r)
{
    static const char hex[] = "0123456789abcdef";
    base_json_arr(j, key);
    for (size_t i = 0; i < r->n; i++) {
        struct base_buf b = { 0 };
        const uint8_t *p = (const uint8_t *)r->v[i].h;
        for (size_t k = 0; k < r->v[i].h->nlmsg_len; k++) {
            base_buf_chr(&b, hex[p[k] >> 4]);
            base_buf_chr(&b, hex[p[k] & 15]);
        }
        base_json_str(j, NULL, b.p);
        j->out->bad = j->out->bad || b.bad;
        base_buf_done(&b);
    }
    base_json_end(j);
}

int link_snapshot_json(const struct link_snapshot *snap, char **ret, struct base_err *err)
{
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    base_json_obj(&j, NULL);
    base_json_str(&j, "bond", snap->ifaces[0].name);
    list_json(&j, "links", &snap->links);
    list_json(&j, "objects", &snap->objects);
    base_json_end(&j);
    *ret = base_buf_take(&b);
    return *ret ? 0 : base_err_set(err, BASE_NO_MEMORY, "out of memory");
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int add_hex(struct records *to, const char *text, struct base_err *err)
{
    _Alignas(8) uint8_t msg[NL_MSG_MAX * 4];
    size_t n = text ? strlen(text) : 0;
    struct nlmsghdr h;
    if (n % 2 || n / 2 < sizeof(h) || n / 2 > sizeof(msg))
        return base_err_set(err, BASE_MALFORMED,
                            "a recorded kernel message has an impossible length");
    for (size_t i = 0; i < n; i += 2) {
        int a = digit(text[i]), b = digit(text[i + 1]);
        if (a < 0 || b < 0)
            return base_err_set(err, BASE_MALFORMED,
                                "a recorded kernel message is not hexadecimal");
        msg[i / 2] = (uint8_t)(a << 4 | b);
    }
    memcpy(&h, msg, sizeof(h));
    if (h.nlmsg_len != n / 2)
        return base_err_set(err, BASE_MALFORMED, "a recorded kernel message is cut off");
    return records_add(to, (const struct nlmsghdr *)(const void *)msg, err);
}

static int list_parse(const struct json_node *obj, const char *key, struct records *to,
                      struct base_err *err)
{
    const struct json_node *list = json_get(obj, key);
    if (!list)
        return base_err_set(err, BASE_MALFORMED, "the snapshot has no %s", key);
    for (const struct json_node *v = json_first(list); v; v = json_next(v))
        if (add_hex(to, json_text(v), err))
            return -(int)BASE_MALFORMED;
    return 0;
}

int link_snapshot_parse(const char *text, size_t n, struct link_snapshot **ret,
                        struct base_err *err)
{
    struct link_snapshot *snap = calloc(1, sizeof(*snap));
    struct json_doc *doc;
    int rc;
    if (!snap)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    rc = json_parse(text, n, &doc, err);
    if (!rc) {
        rc = list_parse(json_root(doc), "links", &snap->links, err);
        if (!rc)
            rc = list_parse(json_root(doc), "objects", &snap->objects, err);
        if (!rc)
            rc = snapshot_decode(snap, err);
        json_free(doc);
    }
    if (rc) {
        link_snapshot_free(snap);
        return rc;
    }
    *ret = snap;
    return 0;
}
