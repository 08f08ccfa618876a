/* SPDX-License-Identifier: MIT */
/* mtu_plan.c - which devices get which MTU, in which order.  Pure.
 *
 * Kernel facts behind the order: a bond sets its members' MTU itself and keeps going back when one refuses; a VLAN may
 * not exceed its parent; lowering a parent lowers its VLANs (net/8021q/vlan.c); a bridge may not be a member's problem,
 * but drops what does not fit. */
#include "link/mtu.h"

#include <string.h>

/* The device that carries `d`: a VLAN's parent; 0 for others (a veth's peer is not below it). */
static const struct link_iface *below(const struct link_state *st, const struct link_iface *d)
{
    bool stacked = d->is_vlan || !strcmp(d->kind, "macvlan") || !strcmp(d->kind, "ipvlan");
    return stacked && d->lower && d->lower_netns == LINK_UNKNOWN ? link_find_index(st, d->lower)
                                                                 : NULL;
}

static bool contains(const struct link_iface *const *v, size_t n, const struct link_iface *d)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] == d)
            return true;
    return false;
}

struct walk {
    const struct link_state *st;
    const struct link_iface *v[LINK_MTU_STEPS]; /* bottom first once sorted */
    int depth[LINK_MTU_STEPS];
    size_t n;
};

static void visit(struct walk *w, const struct link_iface *d)
{
    if (d && w->n < LINK_MTU_STEPS && !contains(w->v, w->n, d))
        w->v[w->n++] = d;
}

/* All devices that share a stack with those in w: below, members, and on top. */
static void close_over(struct walk *w, bool up_too)
{
    for (size_t k = 0; k < w->n; k++) {
        const struct link_iface *d = w->v[k];
        visit(w, below(w->st, d));
        for (size_t i = 0; i < w->st->n; i++) {
            const struct link_iface *o = &w->st->v[i];
            bool port = o->master == d->ifindex;
            bool on_top = below(w->st, o) == d || d->master == o->ifindex;
            if (port || (up_too && on_top))
                visit(w, o);
        }
    }
}

static int depth_of(const struct link_state *st, const struct link_iface *d, int limit)
{
    int deepest = 0;
    if (limit == 0)
        return 0;
    if (below(st, d))
        deepest = 1 + depth_of(st, below(st, d), limit - 1);
    for (size_t i = 0; i < st->n; i++)
        if (st->v[i].master == d->ifindex) {
            int k = 1 + depth_of(st, &st->v[i], limit - 1);
            deepest = k > deepest ? k : deepest;
        }
    return deepest;
}

static void sort_bottom_up(struct walk *w)
{
    for (size_t i = 0; i < w->n; i++)
        w->depth[i] = depth_of(w->st, w->v[i], 8);
    for (size_t i = 1; i < w->n; i++)
        for (size_t k = i; k > 0 && w->depth[k] < w->depth[k - 1]; k--) {
            const struct link_iface *d = w->v[k];
            int t = w->depth[k];
            w->v[k] = w->v[k - 1];
            w->depth[k] = w->depth[k - 1];
            w->v[k - 1] = d;
            w->depth[k - 1] = t;
        }
}

static int limits(const struct link_iface *d, uint32_t mtu, struct base_err *err)
{
    if (d->max_mtu && mtu > d->max_mtu) {
        base_err_set(err, BASE_IMPOSSIBLE, "%s takes at most MTU %u, not %u", d->name, d->max_mtu,
                     mtu);
        return base_err_hint(err, "nothing was changed; the most that this stack can do is %u",
                             d->max_mtu);
    }
    if (mtu < d->min_mtu) {
        base_err_set(err, BASE_IMPOSSIBLE, "%s takes at least MTU %u, not %u", d->name, d->min_mtu,
                     mtu);
        return base_err_hint(err, "nothing was changed");
    }
    return 0;
}

static void add_step(struct link_mtu_plan *p, const struct link_state *st,
                     const struct link_iface *d, uint32_t mtu)
{
    struct link_mtu_step *s = &p->step[p->n];
    const struct link_iface *m = d->master ? link_find_index(st, d->master) : NULL;
    if (d->mtu == mtu || p->n == LINK_MTU_STEPS)
        return;
    *s = (struct link_mtu_step){
        .ifindex = d->ifindex, .from = d->mtu, .to = mtu, .by_kernel = m && m->is_bond
    };
    memcpy(s->name, d->name, sizeof(s->name));
    p->n++;
}

static int check_parent(const struct link_state *st, const struct link_iface *d, uint32_t mtu,
                        struct base_err *err)
{
    const struct link_iface *under = below(st, d);
    if (!under || under->mtu >= mtu)
        return 0;
    base_err_set(err, BASE_IMPOSSIBLE, "%s cannot have MTU %u: %s below it has %u", d->name, mtu,
                 under->name, under->mtu);
    return base_err_hint(err, "raise the whole stack: linkctl mtu set %s %u --stack", d->name, mtu);
}

int link_mtu_plan(const struct link_state *st, const char *dev, uint32_t mtu, bool whole_stack,
                  struct link_mtu_plan *ret, struct base_err *err)
{
    const struct link_iface *d, *master;
    struct walk w = { .st = st };
    int rc = link_need(st, dev, &d, err);
    bool raising;
    ret->n = 0;
    if (rc)
        return rc;
    master = d->master ? link_find_index(st, d->master) : NULL;
    if (!whole_stack && master && master->is_bond && master->mtu != mtu) {
        base_err_set(err, BASE_IMPOSSIBLE,
                     "%s is a member of %s, which has MTU %u: a stack of two sizes drops frames",
                     dev, master->name, master->mtu);
        return base_err_hint(err, "set it on the bond: linkctl mtu set %s %u", master->name, mtu);
    }
    if (!whole_stack)
        rc = check_parent(st, d, mtu, err);
    visit(&w, d);
    if (whole_stack)
        close_over(&w, true);
    else
        for (size_t i = 0; d->is_bond && i < st->n; i++)
            if (st->v[i].master == d->ifindex)
                visit(&w, &st->v[i]);
    for (size_t i = 0; i < w.n && !rc; i++)
        rc = limits(w.v[i], mtu, err);
    if (rc)
        return rc;
    sort_bottom_up(&w);
    raising = mtu >= d->mtu;
    for (size_t i = 0; i < w.n; i++)
        add_step(ret, st, w.v[raising ? i : w.n - 1 - i], mtu);
    return 0;
}
