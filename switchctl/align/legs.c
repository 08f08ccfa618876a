/* SPDX-License-Identifier: MIT */
/* legs.c - taking members down and up, and waiting until LACP has them. */
#define _GNU_SOURCE
#include "align.h"

#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "os.h"

#define AWAIT_MS 95000 /* slow LACP and spanning tree together need up to 90 s */

int align_one_leg(struct align *a, struct base_err *err)
{
    for (size_t i = 0; i < a->n_members; i++)
        if (strcmp(a->member[i], a->leg) != 0 && link_set_admin(a->s, a->ifindex[i], false, err))
            return base_err_wrap(err, "%s", a->member[i]);
    return 0;
}

static bool in_sync(const struct link_iface *m)
{
    int want = LINK_LACP_SYNCHRONIZATION | LINK_LACP_COLLECTING | LINK_LACP_DISTRIBUTING;
    return m->member.mii_up && m->member.actor_state != LINK_UNKNOWN &&
           m->member.partner_state != LINK_UNKNOWN && (m->member.actor_state & want) == want &&
           (m->member.partner_state & want) == want &&
           !(m->member.actor_state & (LINK_LACP_DEFAULTED | LINK_LACP_EXPIRED));
}

static size_t ports_in_sync(const struct link_state *st, const struct link_iface *b)
{
    const struct link_iface *m[64];
    size_t n = link_members(st, b->ifindex, m, 64), good = 0;
    for (size_t i = 0; i < n && i < 64; i++)
        good += in_sync(m[i]) && m[i]->member.aggregator_id == (int)b->bond.lacp.aggregator_id;
    return good;
}

int align_await(struct align *a, size_t n_ports, const char *what, struct base_err *err)
{
    base_time start = os_now(), deadline = base_after(start, base_ms(AWAIT_MS)),
              next = base_after(start, base_sec(10));
    for (;;) {
        const struct link_iface *b;
        struct link_state st;
        size_t good = 0;
        int rc = change_check(a->change, err);
        if (!rc)
            rc = link_read_state(a->s, LINK_READ_LINKS, &st, err);
        if (rc)
            return rc;
        b = link_find(&st, a->bond);
        if (b && b->bond.has_lacp)
            good = ports_in_sync(&st, b);
        link_state_done(&st);
        if (good >= n_ports)
            return 0;
        if (base_reached(os_now(), deadline)) {
            base_err_set(err, BASE_FAILED, "%s: LACP is not in sync after %d s (%zu of %zu ports)",
                         what, AWAIT_MS / 1000, good, n_ports);
            return base_err_hint(err, "is the cable in the port that you think? linkctl doctor");
        }
        if (base_reached(os_now(), next)) {
            align_say(a, "  still waiting for LACP on %s ...", what);
            next = base_after(next, base_sec(10));
        }
        os_sleep(base_ms(20));
    }
}
