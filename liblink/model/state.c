/* SPDX-License-Identifier: MIT */
/* state.c - look-ups in a link_state.  Pure. */
#include "link/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void link_state_done(struct link_state *st)
{
    free(st->v);
    *st = (struct link_state){ 0 };
}

const struct link_iface *link_find(const struct link_state *st, const char *name)
{
    for (size_t i = 0; i < st->n; i++)
        if (!strcmp(st->v[i].name, name))
            return &st->v[i];
    return NULL;
}

/* The dump is in ifindex order, so this can halve its way; a filtered dump keeps the order. */
const struct link_iface *link_find_index(const struct link_state *st, int ifindex)
{
    size_t lo = 0, hi = st->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (st->v[mid].ifindex == ifindex)
            return &st->v[mid];
        if (st->v[mid].ifindex < ifindex)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

static int by_position(const void *a, const void *b)
{
    const struct link_iface *x = *(const struct link_iface *const *)a;
    const struct link_iface *y = *(const struct link_iface *const *)b;
    if (x->is_member && y->is_member && x->member.position != y->member.position)
        return x->member.position < y->member.position ? -1 : 1;
    return (x->ifindex > y->ifindex) - (x->ifindex < y->ifindex);
}

size_t link_members(const struct link_state *st, int master, const struct link_iface **ret,
                    size_t cap)
{
    size_t n = 0;
    for (size_t i = 0; i < st->n; i++) {
        if (st->v[i].master != master)
            continue;
        if (n < cap)
            ret[n] = &st->v[i];
        n++;
    }
    qsort(ret, n < cap ? n : cap, sizeof(*ret), by_position);
    return n;
}

const char *link_oper_name(unsigned oper)
{
    static const char *const names[] = { "unknown", "notpresent", "down", "lowerlayerdown",
                                         "testing", "dormant",    "up" };
    return oper < sizeof(names) / sizeof(names[0]) ? names[oper] : "unknown";
}

/* Letters that two names share at the front, for the suggestion. */
static size_t common(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

int link_need(const struct link_state *st, const char *name, const struct link_iface **ret,
              struct base_err *err)
{
    const struct link_iface *near = NULL;
    size_t best = 1;
    *ret = link_find(st, name);
    if (*ret)
        return 0;
    for (size_t i = 0; i < st->n; i++) {
        size_t c = common(st->v[i].name, name);
        if (c > best) {
            best = c;
            near = &st->v[i];
        }
    }
    base_err_set(err, BASE_NOT_FOUND, "no network device %s here", name);
    if (near)
        return base_err_hint(err, "did you mean %s? list them: linkctl show", near->name);
    return base_err_hint(err, "list them: linkctl show");
}

int link_name_check(const char *name, struct base_err *err)
{
    size_t n = strlen(name);
    const char *why = NULL;
    if (n == 0)
        why = "is empty";
    else if (n >= LINK_NAME_SIZE)
        why = "is too long: a device name has at most 15 bytes";
    else if (!strcmp(name, ".") || !strcmp(name, ".."))
        why = "is reserved";
    else if (strpbrk(name, "/: \t\n\v\f\r"))
        why = "has a character that the kernel refuses ('/', ':' or a blank)";
    if (!why)
        return 0;
    base_err_set(err, BASE_USAGE, "device name '%.40s' %s", name, why);
    return base_err_hint(err, "choose another name, e.g. bond0");
}
