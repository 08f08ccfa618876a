/* SPDX-License-Identifier: MIT */
/* undo.c - how align's steps are taken back, by itself, by its keeper, or by a later run. */
#define _GNU_SOURCE
#include "align.h"

#include <stdlib.h>
#include <string.h>

#include "link/undo.h"
#include "os.h"

#define SWITCH_MS 25000 /* a switch that reboots is back after 15-20 s */

/* Back onto one leg, so that the switch can be reached whatever it makes of two. */
static int undo_one_leg(void *ctx, const char *data, size_t n, struct base_err *err)
{
    struct link_session *s = NULL;
    int rc = link_session_open(&s, err);
    (void)ctx;
    (void)n;
    while (*data && !rc) {
        char *end;
        long ifindex = strtol(data, &end, 10);
        if (end == data)
            break;
        rc = link_set_admin(s, (int)ifindex, false, err);
        data = end + strspn(end, " ");
    }
    link_session_close(s);
    return rc == -BASE_NOT_FOUND ? 0 : rc;
}

/* The group just became static again under a leg that is in sync: LACP here would take 6 s to notice.  A member that
 * joins anew starts without a partner, and carries traffic at once. */
static void rejoin_leg(void *arg)
{
    struct align *a = arg;
    struct link_session *s = NULL;
    struct link_state st = { 0 };
    const struct link_iface *b, *leg;
    if (a->rejoined || link_session_open(&s, NULL))
        return;
    a->rejoined = true; /* once: a switch that is merely slow shall not be met with flapping */
    if (link_read_state(s, LINK_READ_LINKS, &st, NULL) == 0) {
        b = link_find(&st, a->bond);
        leg = link_find(&st, a->leg);
        if (b && leg && leg->master == b->ifindex && b->bond.has_lacp &&
            link_set_master(s, leg->ifindex, 0, NULL) == 0 &&
            link_set_admin(s, leg->ifindex, false, NULL) == 0)
            (void)link_set_master(s, leg->ifindex, b->ifindex, NULL);
        link_state_done(&st);
    }
    link_session_close(s);
}

static int undo_switch(void *ctx, const char *data, size_t n, struct base_err *err)
{
    struct align *a = ctx;
    size_t url = strcspn(data, "\n");
    struct sw_state *before = calloc(1, sizeof(*before));
    base_time deadline = base_after(os_now(), base_ms(SWITCH_MS));
    bool changed;
    int rc = before ? 0 : base_err_set(err, BASE_NO_MEMORY, "out of memory");
    if (!rc &&
        (!a->dev || strlen(sw_url(a->dev)) != url || strncmp(sw_url(a->dev), data, url) != 0)) {
        rc = base_err_set(err, BASE_FAILED, "the switch %.*s has to be put back too", (int)url,
                          data);
        base_err_hint(err, "run: switchctl -s %.*s align --bond BOND --mode lacp", (int)url, data);
    }
    if (!rc)
        rc = sw_state_parse(data + url, n - url, before, err);
    a->rejoined = false;
    if (a->dev)
        sw_on_silence(a->dev, rejoin_leg, a);
    while (!rc) {
        struct base_err why = { 0 };
        if (sw_restore(a->dev, before, &changed, &why) == 0)
            break;
        if (base_reached(os_now(), deadline) || why.code == BASE_WRONG_LOGIN) {
            if (err && !err->code)
                *err = why;
            rc = -(int)why.code;
        }
        os_sleep(base_ms(500));
    }
    if (a->dev)
        sw_on_silence(a->dev, NULL, NULL);
    free(before);
    return rc;
}

const struct change_handler align_handlers[] = {
    { "bond", link_undo_bond, false },
    { "one-leg", undo_one_leg, false },
    { "switch", undo_switch, true },
    { "mtu", link_undo_mtu, false }, /* of linkctl, when it was cut off here */
    { "ports", link_undo_ports, false },
    { "absent", link_undo_absent, false },
    { 0 },
};
