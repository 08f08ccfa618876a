/* SPDX-License-Identifier: MIT */
/* not_converged.c - LACP is under way, not broken (lag.not-converged-yet).
 *
 * A partner is there, or the link has just come up: slow LACP and spanning tree together may take 90 s.
 * Docs: docs/doctor/lag.not-converged-yet.md. */
#include "rule.h"

#include <net/if.h>

static void check(const struct link_facts *f, struct link_findings *out)
{
    const struct link_iface *m[64];
    size_t n = members_of(f, m, 64), up = 0, partner = 0, done = 0, young = 0, heard = 0;
    struct link_finding *x;
    if (!is_lacp(f))
        return;
    for (size_t i = 0; i < n; i++) {
        int s = m[i]->member.actor_state;
        if (!m[i]->member.mii_up || !(m[i]->flags & IFF_UP) || s == LINK_UNKNOWN)
            continue;
        up++;
        young += (s & LINK_LACP_EXPIRED) != 0; /* the first three seconds after link up */
        partner += !(s & LINK_LACP_DEFAULTED) && !(s & LINK_LACP_EXPIRED);
        done += (s & LINK_LACP_DISTRIBUTING) && !(s & LINK_LACP_DEFAULTED) &&
                m[i]->member.aggregator_id == (int)f->bond->bond.lacp.aggregator_id;
    }
    for (size_t i = 0; i < f->n_wire; i++)
        heard += f->wire[i].lacpdus > 0;
    if (up == 0 || done == up || (partner == 0 && heard == 0 && young == 0))
        return;
    x = finding(out, "lag.not-converged-yet", LINK_INFO,
                f->changing && partner ? LINK_CERTAIN : LINK_LIKELY, f->bond->name,
                "LACP on %s is still negotiating", f->bond->name);
    evidence(x, "%zu of %zu members with a link are in use, %zu have a partner", done, up, partner);
    if (f->changing)
        evidence(x, "states changed while listening");
    if (young && !partner && !heard)
        evidence(x, "the link is only seconds old, and no partner has been heard so far");
    else
        rules_out(x, "lag.no-partner: a partner answers");
    remedy(x, "linkctl doctor --listen 95",
           "wait: slow LACP and spanning tree together take up to 90 s; then ask again");
}

const struct link_rule rule_not_converged = { "lag.not-converged-yet", check };
