/* SPDX-License-Identifier: MIT */
/* rebuild.c - making a bond what its snapshot says; the live mode change and its undo are this one function.
 *
 * Order (each step forced by the driver, see link/snapshot.h): release all members, bond down, mode, other options,
 * join in the recorded order, MAC, up, devices on top, then what hung on them. */
#define _GNU_SOURCE
#include "records.h"
#include "announce.h"

#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"

#define SETTLE_MS                                                                                  \
    4000 /* IPv6 duplicate address detection takes 1-2 s; a source address is unusable until then */

struct job {
    struct link_session *s;
    const struct link_snapshot *snap;
    const struct link_iface *bond; /* as recorded */
    struct link_bond_opts target;
    const char *only_leg;
};

static void make_target(struct job *j, const struct link_bond_opts *want)
{
    uint64_t mode;
    j->target = j->bond->bond.opts;
    for (int i = 0; want && i < LINK_BOND_OPTS; i++)
        if (link_bond_has(want, (enum link_bond_opt)i))
            link_bond_put(&j->target, (enum link_bond_opt)i, want->num[i]);
    if (want && link_bond_has(want, LINK_BOND_ARP_IP_TARGET)) {
        memcpy(j->target.arp_ip, want->arp_ip, sizeof(want->arp_ip));
        j->target.n_arp_ip = want->n_arp_ip;
    }
    if (want && link_bond_has(want, LINK_BOND_NS_IP6_TARGET)) {
        memcpy(j->target.ns_ip6, want->ns_ip6, sizeof(want->ns_ip6));
        j->target.n_ns_ip6 = want->n_ns_ip6;
    }
    mode = j->target.num[LINK_BOND_MODE];
    for (int i = 0; i < LINK_BOND_OPTS; i++)
        if (!(link_bond_opt_info((enum link_bond_opt)i)->modes >> mode & 1))
            j->target.present &= ~((uint64_t)1 << i);
}

static bool list_equal(const struct link_bond_opts *a, const struct link_bond_opts *b, bool v6)
{
    if (v6)
        return a->n_ns_ip6 == b->n_ns_ip6 &&
               !memcmp(a->ns_ip6, b->ns_ip6, a->n_ns_ip6 * sizeof(a->ns_ip6[0]));
    return a->n_arp_ip == b->n_arp_ip &&
           !memcmp(a->arp_ip, b->arp_ip, a->n_arp_ip * sizeof(a->arp_ip[0]));
}

/* Options of the target that `now` has otherwise.  The active member is the kernel's choice, so it is no difference. */
static uint64_t differing(const struct link_bond_opts *target, const struct link_bond_opts *now)
{
    uint64_t d = 0;
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        enum link_value type = link_bond_opt_info((enum link_bond_opt)i)->type;
        bool same;
        if (!link_bond_has(target, (enum link_bond_opt)i) || i == LINK_BOND_ACTIVE_MEMBER)
            continue;
        if (type == LINK_IP4S || type == LINK_IP6S)
            same = list_equal(target, now, type == LINK_IP6S);
        else
            same = target->num[i] == (link_bond_has(now, (enum link_bond_opt)i) ? now->num[i] : 0);
        if (!same)
            d |= (uint64_t)1 << i;
    }
    return d;
}

static bool needs_empty(uint64_t d)
{
    for (int i = 0; i < LINK_BOND_OPTS; i++)
        if ((d >> i & 1) && link_bond_opt_info((enum link_bond_opt)i)->needs_empty)
            return true;
    return false;
}

static bool needs_down(uint64_t d)
{
    for (int i = 0; i < LINK_BOND_OPTS; i++)
        if ((d >> i & 1) && link_bond_opt_info((enum link_bond_opt)i)->needs_down)
            return true;
    return false;
}

static bool same_members(const struct job *j, const struct link_state *st)
{
    const struct link_iface *now[256];
    size_t n = link_members(st, j->bond->ifindex, now, 256);
    if (n != j->snap->n_members)
        return false;
    for (size_t i = 0; i < n; i++)
        if (now[i]->ifindex != j->snap->members[i]->ifindex)
            return false;
    return true;
}

static int read_bond(const struct job *j, struct link_state *st, const struct link_iface **ret,
                     struct base_err *err)
{
    int rc = link_read_state(j->s, LINK_READ_ORDER, st, err);
    if (rc)
        return rc;
    *ret = link_find_index(st, j->bond->ifindex);
    if (!*ret || !(*ret)->is_bond) {
        link_state_done(st);
        base_err_set(err, BASE_FAILED, "the bond is gone");
        return base_err_hint(err, "make it again by hand, or with: linkctl bond add %s",
                             j->bond->name);
    }
    return 0;
}

static int release_all(const struct job *j, const struct link_state *st, struct base_err *err)
{
    const struct link_iface *m[256];
    size_t n = link_members(st, j->bond->ifindex, m, 256);
    for (size_t i = 0; i < n && i < 256; i++)
        if (link_set_master(j->s, m[i]->ifindex, 0, err))
            return base_err_wrap(err, "releasing %s", m[i]->name);
    return 0;
}

static int set_options(const struct job *j, struct base_err *err)
{
    /* Mode first and alone: the kernel then resets what the new mode does not have. */
    for (int round = 0; round < 2; round++) {
        const struct link_iface *now;
        struct link_bond_opts send = j->target;
        struct link_state st;
        uint64_t d;
        int rc = read_bond(j, &st, &now, err);
        if (rc)
            return rc;
        d = differing(&j->target, &now->bond.opts);
        link_state_done(&st);
        send.present = round == 0 ? d & ((uint64_t)1 << LINK_BOND_MODE) : d;
        /* A primary is known by ifindex, and may join later: fine for the kernel. */
        if (send.present && link_bond_change(j->s, j->bond->ifindex, &send, err))
            return base_err_wrap(err, round == 0 ? "setting the mode" : "setting options");
    }
    return 0;
}

static bool stays_down(const struct job *j, const struct link_iface *m)
{
    return !(m->flags & IFF_UP) || (j->only_leg && strcmp(j->only_leg, m->name) != 0);
}

/* Only modes with one active member know a preference, only LACP a port priority; the others refuse them. */
static int32_t prio_of(const struct job *j, const struct link_member *was)
{
    uint64_t mode = j->target.num[LINK_BOND_MODE];
    return was->prio && (mode == 1 || mode == 5 || mode == 6) ? was->prio : INT32_MIN;
}

static int port_prio_of(const struct job *j, const struct link_member *was)
{
    return j->target.num[LINK_BOND_MODE] == 4 ? was->actor_port_prio : LINK_UNKNOWN;
}

static int join_one(const struct job *j, const struct link_iface *m, struct base_err *err)
{
    const struct link_member *was = &m->member;
    int32_t prio = prio_of(j, was);
    int rc = link_set_admin(j->s, m->ifindex, false, err);
    if (!rc)
        rc = link_set_master(j->s, m->ifindex, j->bond->ifindex, err);
    if (!rc && stays_down(j, m))
        rc = link_set_admin(j->s, m->ifindex, false, err);
    if (!rc && (was->queue_id || prio != INT32_MIN))
        rc = link_member_change(j->s, m->ifindex, (int)was->queue_id, prio, LINK_UNKNOWN, err);
    if (!rc && port_prio_of(j, was) != LINK_UNKNOWN)
        rc = link_member_change(j->s, m->ifindex, LINK_UNKNOWN, INT32_MIN, port_prio_of(j, was),
                                err);
    return rc ? base_err_wrap(err, "joining %s", m->name) : 0;
}

static int fix_mac(const struct job *j, struct base_err *err)
{
    const struct link_iface *now;
    struct link_state st;
    int rc = read_bond(j, &st, &now, err);
    if (rc)
        return rc;
    if (memcmp(now->mac, j->bond->mac, 6) != 0)
        rc = link_set_mac(j->s, j->bond->ifindex, j->bond->mac, err);
    link_state_done(&st);
    return rc ? base_err_wrap(err, "setting the MAC address") : 0;
}

/* The whole rebuild of an empty bond. */
static int from_scratch(const struct job *j, const struct link_state *st, struct base_err *err)
{
    int rc = release_all(j, st, err);
    if (!rc)
        rc = link_set_admin(j->s, j->bond->ifindex, false, err);
    if (!rc)
        rc = set_options(j, err);
    for (size_t i = 0; i < j->snap->n_members && !rc; i++)
        rc = join_one(j, j->snap->members[i], err);
    return rc ? rc : fix_mac(j, err);
}

/* Members stay; options that may change in place, and their admin state. */
static int in_place(const struct job *j, bool down_first, struct base_err *err)
{
    int rc = down_first ? link_set_admin(j->s, j->bond->ifindex, false, err) : 0;
    if (!rc)
        rc = set_options(j, err);
    return rc;
}

static int member_states(const struct job *j, const struct link_state *st, bool *changed,
                         struct base_err *err)
{
    for (size_t i = 0; i < j->snap->n_members; i++) {
        const struct link_iface *m = j->snap->members[i], *now = link_find_index(st, m->ifindex);
        bool up = !stays_down(j, m);
        if (!now || !(now->flags & IFF_UP) == !up)
            continue;
        *changed = true;
        if (link_set_admin(j->s, m->ifindex, up, err))
            return base_err_wrap(err, "%s", m->name);
    }
    return 0;
}

/* Devices of the snapshot whose admin state or MTU is not as recorded: bond and those on top (not the members). */
static int tops_as_recorded(const struct job *j, const struct link_state *st, bool *changed,
                            struct base_err *err)
{
    for (size_t i = 0; i < j->snap->links.n; i++) {
        const struct link_iface *was = &j->snap->ifaces[i],
                                *now = link_find_index(st, was->ifindex);
        int rc = 0;
        if (!now || (i && was->is_member && was->master == j->bond->ifindex))
            continue;
        if (now->mtu != was->mtu) {
            *changed = true;
            rc = link_set_mtu(j->s, was->ifindex, was->mtu, err);
        }
        if (!rc && (now->flags & IFF_UP) != (was->flags & IFF_UP)) {
            *changed = true;
            rc = link_set_admin(j->s, was->ifindex, (was->flags & IFF_UP) != 0, err);
        }
        if (rc)
            return base_err_wrap(err, "%s", was->name);
    }
    return 0;
}

/* Puts back what is missing until all is there or time is up: an IPv6 source address is refused while tentative. */
static int put_back(const struct job *j, bool *changed, struct base_err *err)
{
    base_time deadline = base_after(os_now(), base_ms(SETTLE_MS));
    for (;;) {
        struct link_snapshot now = { 0 };
        struct base_err why = { 0 };
        int ifindex[256];
        const char *names[256];
        size_t n = 0, missing = 0;
        int rc;
        for (size_t i = 0; i < j->snap->links.n && n < 256; i++) {
            ifindex[n] = j->snap->ifaces[i].ifindex;
            names[n++] = j->snap->ifaces[i].name;
        }
        rc = records_collect(j->s, ifindex, names, n, &now.objects, err);
        for (size_t i = 0; i < j->snap->objects.n && !rc; i++) {
            const struct nlmsghdr *h = j->snap->objects.v[i].h;
            bool there = false;
            for (size_t k = 0; k < now.objects.n && !there; k++)
                there = records_same(h, now.objects.v[k].h);
            if (there)
                continue;
            missing++;
            if (records_automatic(h) && !base_reached(os_now(), deadline))
                continue;
            *changed = true;
            if (records_put(j->s, h, &why) == 0)
                records_describe(h, why.msg, sizeof(why.msg));
        }
        records_done(&now.objects);
        if (rc || !missing)
            return rc;
        if (base_reached(os_now(), deadline)) {
            base_err_set(err, BASE_FAILED, "not everything could be put back: %s", why.msg);
            return base_err_hint(err, "the journal has it recorded: linkctl journal");
        }
        os_sleep(base_ms(missing ? 50 : 0));
    }
}

static int verify(const struct job *j, struct base_err *err)
{
    const struct link_iface *now;
    struct link_state st;
    uint64_t d;
    int rc = read_bond(j, &st, &now, err);
    if (rc)
        return rc;
    d = differing(&j->target, &now->bond.opts);
    for (int i = 0; i < LINK_BOND_OPTS && !rc; i++) {
        char want[512], have[512];
        if (!(d >> i & 1))
            continue;
        link_bond_opt_format(&j->target, (enum link_bond_opt)i, want, sizeof(want));
        link_bond_opt_format(&now->bond.opts, (enum link_bond_opt)i, have, sizeof(have));
        rc = base_err_set(err, BASE_FAILED, "%s is %s after the change, not %s",
                          link_bond_opt_info((enum link_bond_opt)i)->name, have, want);
    }
    if (!rc && memcmp(now->mac, j->bond->mac, 6) != 0)
        rc = base_err_set(err, BASE_FAILED, "the MAC address changed");
    if (!rc && !same_members(j, &st))
        rc = base_err_set(err, BASE_FAILED, "members or their order are not as recorded");
    link_state_done(&st);
    return rc;
}

static int bring_up(const struct job *j, bool *changed, struct base_err *err)
{
    const struct link_iface *now;
    struct link_state st;
    int rc = read_bond(j, &st, &now, err);
    if (rc)
        return rc;
    rc = member_states(j, &st, changed, err);
    if (!rc)
        rc = tops_as_recorded(j, &st, changed, err);
    link_state_done(&st);
    /* Once more: a bond coming up takes its VLANs up with it, whatever they were. */
    if (!rc && *changed && !(rc = read_bond(j, &st, &now, err))) {
        rc = tops_as_recorded(j, &st, changed, err);
        link_state_done(&st);
    }
    return rc;
}

int link_bond_rebuild(struct link_session *s, const struct link_snapshot *snap,
                      struct link_rebuild *how, struct base_err *err)
{
    struct job j = { .s = s, .snap = snap, .bond = &snap->ifaces[0], .only_leg = how->only_leg };
    const struct link_iface *now;
    struct link_state st;
    uint64_t d;
    int rc;
    make_target(&j, how->want);
    rc = read_bond(&j, &st, &now, err);
    if (rc)
        return base_err_wrap(err, "%s", j.bond->name);
    d = differing(&j.target, &now->bond.opts);
    if (needs_empty(d) || !same_members(&j, &st)) {
        how->needed = true;
        rc = from_scratch(&j, &st, err);
    } else if (d) {
        how->needed = true;
        rc = in_place(&j, needs_down(d), err);
    }
    link_state_done(&st);
    if (!rc)
        rc = bring_up(&j, &how->needed, err);
    if (!rc && how->needed)
        link_announce(s, snap);
    if (!rc)
        rc = put_back(&j, &how->needed, err);
    if (!rc)
        rc = verify(&j, err);
    if (!rc && how->needed)
        link_announce(s, snap);
    return rc ? base_err_wrap(err, "%s", j.bond->name) : 0;
}
