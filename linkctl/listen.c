/* SPDX-License-Identifier: MIT */
/* listen.c - see listen.h. */
#define _GNU_SOURCE
#include "listen.h"

#include <string.h>

#include "lacp/pdu.h"
#include "live.h"
#include "os.h"

static const uint8_t slow_protocols[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x02 };

static void hear(struct wire_live *w, struct link_wire_view *v)
{
    uint8_t frame[2048];
    struct lacp_pdu pdu;
    size_t n;
    while ((n = wire_live_recv(w, frame, sizeof(frame))) > 0)
        v->lacpdus += lacp_pdu_parse(frame, n, &pdu) == LACP_IS_LACPDU;
}

static void listen_all(struct link_facts *f, double seconds)
{
    struct wire_live w[64], *all[64];
    size_t n = 0, owner[64];
    base_time end = base_after(os_now(), (base_dur){ (int64_t)(seconds * 1e9) });
    for (size_t i = 0; i < f->n_wire; i++) {
        if (wire_live_open(f->wire[i].ifindex, LACP_ETHERTYPE, false, &w[n], NULL))
            continue;
        (void)wire_live_join(&w[n], slow_protocols, NULL);
        f->wire[i].listened = true;
        all[n] = &w[n];
        owner[n++] = i;
    }
    while (n && wire_live_wait(all, n, end))
        for (size_t i = 0; i < n; i++)
            hear(&w[i], &f->wire[owner[i]]);
    if (!n)
        os_sleep_until(end);
    for (size_t i = 0; i < n; i++)
        wire_live_close(&w[i]);
}

int listen_members(struct link_session *s, double seconds, struct link_state *st,
                   struct link_facts *f, struct base_err *err)
{
    const struct link_iface *m[64];
    struct link_state after;
    int bond = f->bond->ifindex, rc;
    size_t n = link_members(st, bond, m, 64);
    f->n_wire = n < 64 ? n : 64;
    for (size_t i = 0; i < f->n_wire; i++)
        f->wire[i] = (struct link_wire_view){ .ifindex = m[i]->ifindex };
    listen_all(f, seconds);
    f->listened_s = seconds;
    rc = link_read_state(s, LINK_READ_ALL | LINK_READ_COUNTERS, &after, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < f->n_wire; i++) {
        const struct link_iface *b = m[i], *a = link_find_index(&after, b->ifindex);
        if (!a || !a->counters.known || !b->counters.known)
            continue;
        f->wire[i].counters_known = true;
        f->wire[i].rx_nohandler_rise = a->counters.rx_nohandler - b->counters.rx_nohandler;
        if (a->is_member && b->is_member && a->member.actor_state != b->member.actor_state)
            f->changing = true;
    }
    link_state_done(st);
    *st = after;
    f->host = st;
    f->bond = link_find_index(st, bond);
    return f->bond ? 0 : base_err_set(err, BASE_NOT_FOUND, "the bond went away meanwhile");
}
