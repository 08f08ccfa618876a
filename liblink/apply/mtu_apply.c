/* SPDX-License-Identifier: MIT */
/* mtu_apply.c - performing an MTU plan, read back, undone when a step fails. */
#include "link/mtu.h"

#include <stdio.h>
#include <string.h>

static int read_back(struct link_session *s, const struct link_mtu_plan *p, struct base_err *err)
{
    struct link_state st;
    int rc = link_read_state(s, LINK_READ_LINKS, &st, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < p->n && !rc; i++) {
        const struct link_iface *d = link_find_index(&st, p->step[i].ifindex);
        if (!d)
            rc = base_err_set(err, BASE_FAILED, "%s is gone", p->step[i].name);
        else if (d->mtu != p->step[i].to)
            rc = base_err_set(err, BASE_FAILED, "%s has MTU %u after it was set to %u", d->name,
                              d->mtu, p->step[i].to);
    }
    link_state_done(&st);
    return rc;
}

/* One device; a member whose bond did the work already needs nothing. */
static int set_one(struct link_session *s, int ifindex, const char *name, uint32_t mtu,
                   struct base_err *err)
{
    struct link_state st;
    const struct link_iface *d;
    int rc = link_read_state(s, LINK_READ_LINKS, &st, err);
    if (rc)
        return rc;
    d = link_find_index(&st, ifindex);
    if (!d)
        rc = base_err_set(err, BASE_NOT_FOUND, "%s is gone", name);
    else if (d->mtu != mtu)
        rc = link_set_mtu(s, ifindex, mtu, err);
    link_state_done(&st);
    return rc ? base_err_wrap(err, "%s: MTU %u", name, mtu) : 0;
}

int link_mtu_undo(struct link_session *s, const struct link_mtu_plan *p, struct base_err *err)
{
    int first = 0;
    /* Reverse order; a bond's members once more at the end, since the bond set them all alike. */
    for (size_t i = p->n; i-- > 0;) {
        int rc = p->step[i].by_kernel
                     ? 0
                     : set_one(s, p->step[i].ifindex, p->step[i].name, p->step[i].from, err);
        first = first ? first : rc;
    }
    for (size_t i = 0; i < p->n; i++) {
        int rc = set_one(s, p->step[i].ifindex, p->step[i].name, p->step[i].from, err);
        first = first ? first : rc;
    }
    return first;
}

int link_mtu_apply(struct link_session *s, const struct link_mtu_plan *p, struct base_err *err)
{
    struct base_err why = { 0 }, undo = { 0 };
    int rc = 0;
    for (size_t i = 0; i < p->n && !rc; i++)
        if (!p->step[i].by_kernel)
            rc = set_one(s, p->step[i].ifindex, p->step[i].name, p->step[i].to, &why);
    for (size_t i = 0; i < p->n && !rc; i++)
        if (p->step[i].by_kernel)
            rc = set_one(s, p->step[i].ifindex, p->step[i].name, p->step[i].to, &why);
    if (!rc)
        rc = read_back(s, p, &why);
    if (!rc)
        return 0;
    if (why.code == BASE_NOT_PERMITTED) {
        if (err)
            *err = why;
        return rc;
    }
    if (link_mtu_undo(s, p, &undo))
        return base_err_set(err, BASE_FAILED, "%s: %s; and undoing failed: %s", why.where, why.msg,
                            undo.msg);
    base_err_set(err, BASE_ROLLED_BACK, "%s%s%s; every MTU is as it was before", why.where,
                 why.where[0] ? ": " : "", why.msg);
    return base_err_hint(err, "see what each device can do: linkctl mtu show");
}
