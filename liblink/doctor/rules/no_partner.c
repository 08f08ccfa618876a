/* SPDX-License-Identifier: MIT */
/* no_partner.c - LACP on this host, and nobody answers: plain ports (lag.no-partner) or a static group
 * (lag.host-lacp-switch-static).
 *
 * From the host alone the two look alike: partner zero on all members, each its own aggregator.  The switch's table
 * tells them apart.  On the host a static group shows as rx_nohandler rising fast on the idle leg, which hints, but
 * floods do that too.  Docs: docs/doctor/lag.no-partner.md, docs/doctor/lag.host-lacp-switch-static.md. */
#include "rule.h"

#include <net/if.h>
#include <stdio.h>
#include <string.h>

struct view {
    const struct link_iface *m[64];
    size_t n, up, silent, heard, listened, young;
    const struct link_iface *active, *idle;
    uint64_t idle_rise;
};

static void look(const struct link_facts *f, struct view *v)
{
    *v = (struct view){ 0 };
    v->n = members_of(f, v->m, 64);
    for (size_t i = 0; i < v->n; i++) {
        const struct link_iface *d = v->m[i];
        if (!d->member.mii_up || !(d->flags & IFF_UP))
            continue;
        v->up++;
        v->silent +=
            d->member.actor_state != LINK_UNKNOWN && (d->member.actor_state & LINK_LACP_DEFAULTED);
        v->young +=
            d->member.actor_state != LINK_UNKNOWN && (d->member.actor_state & LINK_LACP_EXPIRED);
        if (d->member.active && !v->active)
            v->active = d;
        else if (!v->idle)
            v->idle = d;
        for (size_t k = 0; k < f->n_wire; k++)
            if (f->wire[k].ifindex == d->ifindex) {
                v->listened += f->wire[k].listened;
                v->heard += f->wire[k].lacpdus > 0;
                if (d == v->idle && f->wire[k].counters_known)
                    v->idle_rise = f->wire[k].rx_nohandler_rise;
            }
    }
}

static void host_evidence(const struct link_facts *f, const struct view *v, struct link_finding *x)
{
    evidence(x, "%s is in mode 802.3ad, %zu of %zu members have a link", f->bond->name, v->up,
             v->n);
    evidence(x, "LACP partner MAC is 00:00:00:00:00:00: no partner has been heard on any member");
    if (v->up > 1)
        evidence(x, "each member is alone in its own aggregator, so only %s carries traffic",
                 v->active ? v->active->name : "one");
    if (v->listened)
        evidence(x, "no LACPDU came in on any member in %.0f s of listening", f->listened_s);
    if (v->idle_rise)
        evidence(x, "%s, the idle member, threw away %llu frames meanwhile (rx_nohandler)",
                 v->idle->name, (unsigned long long)v->idle_rise);
}

static void first_aid(const struct view *v, struct link_finding *x)
{
    char command[64];
    if (!v->idle)
        return;
    (void)snprintf(command, sizeof(command), "ip link set %s down", v->idle->name);
    remedy(x, command,
           "first aid, at once and without the switch: take the idle leg down; what was dead comes "
           "back over %s",
           v->active ? v->active->name : "the other");
}

static void align(const struct link_facts *f, struct link_finding *x)
{
    char command[LINK_TEXT];
    (void)snprintf(command, sizeof(command), "switchctl -s %.100s align --bond %s --mode lacp",
                   f->peer.url[0] ? f->peer.url : "http://SWITCH", f->bond->name);
    remedy(x, command,
           "make both ends speak LACP; it keeps one leg working and takes everything back if it "
           "fails");
}

static void is_static(const struct link_facts *f, const struct view *v, struct link_findings *out,
                      bool sure)
{
    struct link_finding *x = finding(
        out, "lag.host-lacp-switch-static", LINK_ERROR,
        sure           ? LINK_CERTAIN
        : v->idle_rise ? LINK_LIKELY
                       : LINK_POSSIBLE,
        f->bond->name, "%s speaks LACP, %s static%s", f->bond->name,
        sure ? "but the switch's group is" : "and perhaps the switch's group is",
        v->up > 1 ? ": the peers that it hashes onto the idle leg cannot reach this host" : "");
    if (sure)
        evidence(x, "%s: group %u is static, %u ports", f->peer.name, f->peer.group,
                 f->peer.n_ports);
    host_evidence(f, v, x);
    if (sure)
        rules_out(x, "lag.no-partner: the ports are in a group, the group is just static");
    first_aid(v, x);
    align(f, x);
}

static void plain_ports(const struct link_facts *f, const struct view *v, struct link_findings *out,
                        bool sure)
{
    struct link_finding *x =
        finding(out, "lag.no-partner", LINK_ERROR, sure ? LINK_CERTAIN : LINK_POSSIBLE,
                f->bond->name, "%s speaks LACP, and nobody answers: %s in no LACP group",
                f->bond->name, sure ? "the switch's ports are" : "perhaps the switch's ports are");
    if (sure)
        evidence(x, "%s has this bond on plain ports, in no group", f->peer.name);
    host_evidence(f, v, x);
    if (sure)
        rules_out(x, "lag.host-lacp-switch-static: there is no static group there");
    align(f, x);
    if (!sure)
        remedy(x, "linkctl doctor --switch http://SWITCH",
               "let the switch's own table tell a static group from plain ports");
}

static void lacp_but_silent(const struct link_facts *f, const struct view *v,
                            struct link_findings *out)
{
    struct link_finding *x =
        finding(out, "lag.no-partner", LINK_ERROR, LINK_LIKELY, f->bond->name,
                "both ends are set to LACP, but no LACPDU of the switch arrives");
    evidence(x, "%s: group %u is LACP, %u of its ports bundled", f->peer.name, f->peer.group,
             f->peer.n_up);
    host_evidence(f, v, x);
    remedy(x, "linkctl show",
           "compare cabling with the group's ports; a device between the two may swallow LACPDUs");
}

static void check(const struct link_facts *f, struct link_findings *out)
{
    struct view v;
    look(f, &v);
    if (!is_lacp(f))
        return;
    if (v.up == 0) {
        if (v.n)
            evidence(finding(out, "lag.no-link", LINK_ERROR, LINK_CERTAIN, f->bond->name,
                             "no member of %s has a link", f->bond->name),
                     "%zu members, none up", v.n);
        return;
    }
    if (v.silent < v.up || v.heard || v.young)
        return;
    if (!f->peer.known || f->peer.mode == LINK_PEER_UNKNOWN) {
        /* Both named; the one with more for it first. */
        if (!f->peer.known || f->peer.any_static)
            is_static(f, &v, out, false);
        plain_ports(f, &v, out, false);
        skipped(
            out, "lag.host-lacp-switch-static",
            f->peer.unreachable
                ? "collect: the switch's LAG table; it did not answer: its address may lie on the "
                  "dead half, "
                  "so take the idle leg down (first aid) and ask again"
                : "collect: the switch's LAG table (--switch URL, or --evidence with the output of "
                  "switchctl --json show)");
        return;
    }
    if (f->peer.mode == LINK_PEER_STATIC)
        is_static(f, &v, out, true);
    else if (f->peer.mode == LINK_PEER_NONE)
        plain_ports(f, &v, out, true);
    else
        lacp_but_silent(f, &v, out);
}

const struct link_rule rule_no_partner = { "lag.no-partner", check };
