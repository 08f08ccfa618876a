/* SPDX-License-Identifier: MIT */
/* registry.c - every dialect there is, and two small things they share. */
#define _GNU_SOURCE
#include "dialect.h"

#include <stdlib.h>
#include <string.h>

const struct sw_dialect *const *sw_dialects(void)
{
    static const struct sw_dialect *const all[] = { &sw_rtl837x_cgi, NULL };
    return all;
}

int sw_stranger(const struct sw_response *first, struct base_err *err)
{
    static const struct {
        const char *mark, *what, *hint;
    } known[] = {
        { "Giga Ethernet Switch V1.0",
          "the switch is in its rescue loader, where it can be given a firmware but not managed",
          "switch it off and on; if it stays so, its firmware is broken and must be written "
          "again" },
        { "authorize?loginusr", "a switch of the MxL862xx family, which is not supported",
          "families that are: switchctl dialects" },
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (first->body.n &&
            memmem(first->body.p, first->body.n, known[i].mark, strlen(known[i].mark))) {
            base_err_set(err, BASE_UNSUPPORTED, "%s", known[i].what);
            return base_err_hint(err, "%s", known[i].hint);
        }
    if (first->status < 300 || first->status > 399)
        return 0;
    base_err_set(err, BASE_UNSUPPORTED,
                 "it redirects to another page (status %d), as firmwares do that are not supported",
                 first->status);
    return base_err_hint(err, "families that are: switchctl dialects");
}

int sw_not_understood(const struct sw_response *r, const char *expected, struct base_err *err)
{
    char start[61] = "";
    size_t n = 0;
    for (size_t i = 0; i < r->body.n && n < sizeof(start) - 1; i++) {
        char c = r->body.p[i];
        if (c >= ' ' && c < 0x7f)
            start[n++] = c;
        else if (n && start[n - 1] != ' ')
            start[n++] = ' ';
    }
    start[n] = '\0';
    base_err_set(err, BASE_MALFORMED, "page not understood: expected %s, got \"%s\"", expected,
                 start);
    return base_err_hint(
        err,
        "nothing was written; is this the model and firmware you think? switchctl discover URL");
}

int sw_macs_add(struct sw_macs *to, const struct sw_mac *m, struct base_err *err)
{
    for (size_t i = 0; i < to->n; i++)
        if (!memcmp(to->v[i].mac, m->mac, 6) && to->v[i].vlan == m->vlan)
            return 0;
    if (to->n == to->cap) {
        size_t cap = to->cap ? to->cap * 2 : 64;
        struct sw_mac *v = realloc(to->v, cap * sizeof(*v));
        if (!v)
            return base_err_set(err, BASE_NO_MEMORY, "out of memory");
        to->v = v;
        to->cap = cap;
    }
    to->v[to->n++] = *m;
    return 0;
}
