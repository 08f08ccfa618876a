/* SPDX-License-Identifier: MIT */
/* find.c - where the legs end: a made-up MAC per leg, looked for in the switch's MAC table. */
#define _GNU_SOURCE
#include "align.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "live.h"

/* Locally administered, not the bond's: such a frame from an idle leg would move the bond's entry on the switch. */
static struct base_mac mark_of(const struct align *a, size_t leg)
{
    const struct link_iface *b = link_snapshot_bond(a->snap);
    struct base_mac m = { { 0x02, 0xa1, b->mac[3], b->mac[4], b->mac[5], (uint8_t)(0x10 + leg) } };
    return m;
}

int align_send_marks(struct align *a, struct base_err *err)
{
    for (size_t i = 0; i < a->n_members; i++) {
        struct wire_arp q = { .eth_src = mark_of(a, i), .sender_mac = mark_of(a, i) };
        uint8_t frame[WIRE_ARP_SIZE];
        struct wire_live w;
        memset(q.eth_dst.b, 0xff, 6);
        wire_arp_build(&q, frame);
        if (wire_live_open(a->ifindex[i], 0xffff, false, &w, err))
            return -(int)(err ? err->code : BASE_FAILED);
        (void)wire_live_send(&w, frame, sizeof(frame));
        wire_live_close(&w);
    }
    return 0;
}

static const struct sw_mac *entry(const struct sw_mac *v, size_t n, struct base_mac m)
{
    for (size_t i = 0; i < n; i++)
        if (!memcmp(v[i].mac, m.b, 6))
            return &v[i];
    return NULL;
}

/* Ports and group as the MAC table has them. */
static void from_table(struct align *a, const struct sw_mac *v, size_t n, sw_ports *ports,
                       unsigned *group)
{
    *ports = 0;
    *group = 0;
    for (size_t i = 0; i < a->n_members; i++) {
        const struct sw_mac *e = entry(v, n, mark_of(a, i));
        if (e && e->port)
            *ports |= SW_PORT(e->port);
        else if (e && e->lag)
            *group = e->lag;
    }
    /* A leg that is in no group any more keeps what the group's entry says; the bond's own address tells the group. */
    for (size_t i = 0; i < n && !*group; i++)
        if (!memcmp(v[i].mac, link_snapshot_bond(a->snap)->mac, 6))
            *group = v[i].lag;
}

int align_find_ports(struct align *a, struct base_err *err)
{
    struct sw_mac *v = NULL;
    size_t n = 0;
    sw_ports ports = 0;
    unsigned group = 0;
    const struct sw_lag *lag;
    char text[128];
    int rc = sw_macs(a->dev, &v, &n, err);
    if (rc)
        return rc;
    from_table(a, v, n, &ports, &group);
    free(v);
    lag = group ? sw_find_lag(&a->before, group) : NULL;
    a->seen = ports | (lag ? lag->ports : 0);
    if (a->ports) {
        ports = a->ports;
        (void)snprintf(a->found_how, sizeof(a->found_how), "as you said");
    } else if (lag) {
        ports |= lag->ports;
        (void)snprintf(a->found_how, sizeof(a->found_how),
                       "its MAC table has this bond behind group %u", group);
    } else {
        (void)snprintf(a->found_how, sizeof(a->found_how),
                       "its MAC table has a probe of each leg there");
    }
    sw_ports_format(ports, text, sizeof(text));
    if (sw_ports_count(ports) != a->n_members) {
        base_err_set(err, BASE_REFUSED,
                     "%s has %zu members, but the switch has them on %u ports (%s)", a->bond,
                     a->n_members, sw_ports_count(ports), text[0] ? text : "none found");
        return base_err_hint(err, "say which ports: --ports 1,2");
    }
    a->want = (struct sw_lag){ .group = a->group ? a->group : group,
                               .mode = SW_LAG_LACP,
                               .ports = ports };
    for (size_t i = 0; i < a->before.n_lags && !a->want.group; i++)
        if (a->before.lags[i].ports & ports)
            a->want.group = a->before.lags[i].group;
    for (unsigned g = 1; g <= a->before.max_groups && !a->want.group; g++)
        if (!sw_find_lag(&a->before, g))
            a->want.group = g;
    if (!a->want.group) {
        base_err_set(err, BASE_IMPOSSIBLE, "all %u groups of the switch are in use",
                     a->before.max_groups);
        return base_err_hint(err, "free one: switchctl lag show, switchctl lag del N");
    }
    return 0;
}
