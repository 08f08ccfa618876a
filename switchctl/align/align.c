/* SPDX-License-Identifier: MIT */
/* align.c - the sequence itself; see align.h. */
#define _GNU_SOURCE
#include "align.h"

#include <net/if.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"

#define PAGE_MS 30000 /* until the switch's page shows all ports bundled */

void align_say(const struct align *a, const char *fmt, ...)
{
    char line[256];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(line, sizeof(line), fmt, ap);
    va_end(ap);
    if (a->say)
        a->say(a->say_arg, line);
}

/* The member that surely carries traffic: active and up; with LACP the lowest of the active aggregator. */
static int choose_leg(struct align *a, struct base_err *err)
{
    const struct link_iface *const *m;
    size_t n = link_snapshot_members(a->snap, &m);
    const struct link_iface *best = NULL;
    a->n_members = n;
    if (n < 2 || n > ALIGN_MEMBERS) {
        base_err_set(err, BASE_REFUSED, "%s has %zu members: a LAG needs 2 to %d", a->bond, n,
                     ALIGN_MEMBERS);
        return base_err_hint(err, "add one: linkctl bond join %s DEV", a->bond);
    }
    for (size_t i = 0; i < n; i++) {
        bool good = m[i]->member.mii_up && m[i]->flags & IFF_UP;
        memcpy(a->member[i], m[i]->name, LINK_NAME_SIZE);
        a->ifindex[i] = m[i]->ifindex;
        if (good && (!best || (m[i]->member.active && !best->member.active)))
            best = m[i];
    }
    if (!best) {
        base_err_set(err, BASE_REFUSED, "no member of %s has a link", a->bond);
        return base_err_hint(err, "plug in the cables first: linkctl show %s", a->bond);
    }
    memcpy(a->leg, best->name, LINK_NAME_SIZE);
    return 0;
}

static int read_host(struct align *a, struct base_err *err)
{
    const struct link_bond_opts *o;
    int rc;
    link_snapshot_free(a->snap);
    a->snap = NULL;
    rc = link_snapshot_take(a->s, a->bond, &a->snap, err);
    if (rc)
        return rc;
    o = &link_snapshot_bond(a->snap)->bond.opts;
    a->host_is_lacp = o->num[LINK_BOND_MODE] == LINK_BOND_8023AD;
    if (!a->host_is_lacp && o->num[LINK_BOND_MODE] != LINK_BOND_BALANCE_XOR &&
        o->num[LINK_BOND_MODE] != LINK_BOND_BALANCE_RR)
        align_say(a, "note: %s is in mode %s now", a->bond,
                  link_bond_mode_name(o->num[LINK_BOND_MODE]));
    return choose_leg(a, err);
}

static int read_switch(struct align *a, struct base_err *err)
{
    int rc = sw_read(a->dev, &a->before, err);
    a->now = a->before;
    if (!rc)
        rc = align_find_ports(a, err);
    if (!rc)
        rc = sw_lag_check(&a->before, &a->want, err);
    if (!rc && (a->seen & ~a->want.ports)) {
        char seen[128], said[128];
        sw_ports_format(a->seen, seen, sizeof(seen));
        sw_ports_format(a->want.ports, said, sizeof(said));
        base_err_set(err, BASE_REFUSED, "the switch has %s on ports %s, not on %s", a->bond, seen,
                     said);
        rc = base_err_hint(err, "leave --ports out: they were found");
    }
    a->have_switch = !rc;
    return rc;
}

/* Both ends as wanted, and LACP says so: nothing to do. */
static bool aligned(const struct align *a)
{
    const struct sw_lag *l = sw_find_lag(&a->before, a->want.group);
    const struct link_iface *b = link_snapshot_bond(a->snap);
    return l && l->mode != SW_LAG_STATIC && l->ports == a->want.ports && a->host_is_lacp &&
           b->bond.has_lacp && b->bond.lacp.ports == a->n_members &&
           memcmp(b->bond.lacp.partner_mac, "\0\0\0\0\0\0", 6) != 0;
}

static void tell_plan(struct align *a)
{
    char ports[128];
    const struct sw_lag *l = a->have_switch ? sw_find_lag(&a->before, a->want.group) : NULL;
    sw_ports_format(a->want.ports, ports, sizeof(ports));
    if (a->have_switch)
        align_say(a, "%s is on ports %s of %s (%s)", a->bond, ports, a->before.model, a->found_how);
    align_say(a, "plan: keep %s, take the other %zu member%s down meanwhile", a->leg,
              a->n_members - 1, a->n_members > 2 ? "s" : "");
    if (!a->host_is_lacp)
        align_say(a, "plan: %s: mode %s -> 802.3ad, everything on it kept", a->bond,
                  link_bond_mode_name(link_snapshot_bond(a->snap)->bond.opts.num[LINK_BOND_MODE]));
    if (a->have_switch && (!l || l->mode == SW_LAG_STATIC || l->ports != a->want.ports))
        align_say(a, "plan: switch group %u: %s -> lacp, ports %s", a->want.group,
                  l ? sw_lag_mode_name(l->mode) : "none", ports);
    else if (!a->have_switch)
        align_say(
            a,
            "plan: the switch does not answer while both legs are up; it will be read on one leg");
    align_say(a, "plan: members back one by one, each verified; gap expected: under 1 s");
}

static int record_switch(struct align *a, struct base_err *err)
{
    struct base_buf b = { 0 };
    char *state;
    int rc = sw_state_json(&a->before, NULL, 0, &state, err);
    if (rc)
        return rc;
    base_buf_printf(&b, "%s\n%s", sw_url(a->dev),
                    state); /* no login: that is with the keeper, or with who comes next */
    free(state);
    rc = b.bad ? base_err_set(err, BASE_NO_MEMORY, "out of memory")
               : change_record(a->change, "switch", b.p, b.n, err);
    base_buf_done(&b);
    return rc;
}

static int record_bond(struct align *a, struct base_err *err)
{
    char *text;
    int rc = link_snapshot_json(a->snap, &text, err);
    if (rc)
        return rc;
    rc = change_record(a->change, "bond", text, strlen(text), err);
    free(text);
    return rc;
}

static int record_one_leg(struct align *a, struct base_err *err)
{
    struct base_buf b = { 0 };
    int rc;
    for (size_t i = 0; i < a->n_members; i++)
        if (strcmp(a->member[i], a->leg) != 0)
            base_buf_printf(&b, "%d ", a->ifindex[i]);
    rc = b.bad ? base_err_set(err, BASE_NO_MEMORY, "out of memory")
               : change_record(a->change, "one-leg", b.p, b.n, err);
    base_buf_done(&b);
    return rc;
}

static int host_to_lacp(struct align *a, struct base_err *err)
{
    struct link_bond_opts want = { 0 };
    struct link_rebuild how = { .want = &want, .only_leg = a->leg };
    if (a->host_is_lacp)
        return 0;
    link_bond_put(&want, LINK_BOND_MODE, LINK_BOND_8023AD);
    align_say(a, "%s: mode 802.3ad", a->bond);
    return link_bond_rebuild(a->s, a->snap, &how, err);
}

static int switch_to_lacp(struct align *a, struct base_err *err)
{
    bool changed;
    char ports[128];
    sw_ports_format(a->want.ports, ports, sizeof(ports));
    align_say(a, "switch: group %u: lacp, ports %s", a->want.group, ports);
    return sw_lag_set(a->dev, &a->want, &changed, err);
}

static int members_back(struct align *a, struct base_err *err)
{
    size_t up = 1;
    int rc = align_await(a, 1, a->leg, err);
    if (!rc)
        align_say(a, "%s: in sync with the switch", a->leg);
    if (!rc)
        rc = record_one_leg(a, err);
    for (size_t i = 0; i < a->n_members && !rc; i++) {
        if (!strcmp(a->member[i], a->leg))
            continue;
        rc = link_set_admin(a->s, a->ifindex[i], true, err);
        if (!rc)
            rc = align_await(a, ++up, a->member[i], err);
        if (!rc)
            align_say(a, "%s: back, in sync with the switch", a->member[i]);
    }
    return rc;
}

static int verify_page(struct align *a, struct base_err *err)
{
    base_time deadline = base_after(os_now(), base_ms(PAGE_MS));
    for (;;) {
        const struct sw_lag *l;
        int rc = change_check(a->change, err);
        if (!rc)
            rc = sw_read_groups(a->dev, &a->now, err);
        if (rc)
            return rc;
        l = sw_find_lag(&a->now, a->want.group);
        if (l && l->mode != SW_LAG_STATIC && l->ports == a->want.ports &&
            (!l->up_known || l->up_ports == l->ports))
            return 0;
        if (base_reached(os_now(), deadline))
            return base_err_set(err, BASE_FAILED,
                                "the switch's page does not show all ports bundled");
    }
}

static int verify(struct align *a, struct base_err *err)
{
    unsigned got[ALIGN_MEMBERS];
    int rc = align_await(a, a->n_members, a->bond, err);
    if (!rc)
        rc = verify_page(a, err);
    if (!rc)
        rc = align_probe_legs(a, got, err);
    for (size_t i = 0; i < a->n_members && !rc; i++) {
        if (got[i] == 0)
            rc = base_err_set(err, BASE_FAILED, "probes sent on %s get no answer", a->member[i]);
        else
            align_say(a, "%s: %u of 16 probes answered", a->member[i], got[i]);
    }
    return rc;
}

static int on_one_leg(struct align *a, struct meter *m, struct base_err *err)
{
    const struct link_iface *b = link_snapshot_bond(a->snap);
    int rc = record_bond(a, err);
    if (!rc)
        rc = align_one_leg(a, err);
    if (rc)
        return rc;
    a->changed = true;
    align_say(a, "on one leg: %s", a->leg);
    (void)meter_start(m, b->ifindex, b->mac, sw_address(a->dev));
    if (!a->have_switch)
        rc = read_switch(a, err);
    if (!rc)
        rc = record_switch(a, err);
    if (!rc)
        rc = change_check(a->change, err);
    if (!rc)
        rc = host_to_lacp(a, err);
    if (!rc)
        rc = change_check(a->change, err);
    if (!rc)
        rc = switch_to_lacp(a, err);
    if (!rc)
        rc = members_back(a, err);
    return rc ? rc : verify(a, err);
}

static int finish(struct align *a, int rc, struct base_err *err)
{
    struct base_err why = { 0 }, undo = { 0 };
    if (err)
        why = *err;
    if (!rc && change_commit(a->change, a->confirm_within, &why) == 0) {
        a->verified = true;
        if (a->confirm_within)
            align_say(
                a,
                "taken back in %u s unless you type: switchctl confirm; then save: switchctl save",
                a->confirm_within);
        else if (a->save && sw_save(a->dev, err))
            return -(int)(err ? err->code : BASE_FAILED);
        return 0;
    }
    align_say(a, "failed: taking everything back");
    rc = change_rollback(a->change, &undo);
    if (err)
        *err = (struct base_err){ 0 };
    if (rc)
        base_err_set(err, BASE_FAILED, "%.170s; and taking it back failed: %.150s", why.msg,
                     undo.msg);
    else
        base_err_set(err, BASE_ROLLED_BACK, "%.300s; both ends are as they were before", why.msg);
    if (err)
        (void)snprintf(err->where, sizeof(err->where), "%s", why.where);
    return base_err_hint(err, "%s",
                         rc            ? "the keeper goes on trying; see: linkctl journal"
                         : why.hint[0] ? why.hint
                                       : "try again; nothing is left behind");
}

static int with_lock(struct align *a, struct base_err *err)
{
    struct meter m = { .fd = -1 };
    int rc = read_host(
        a, err); /* again, under the lock: what was read before may be old, or was taken back */
    if (!rc && a->have_switch) {
        a->have_switch = false;
        rc = read_switch(a, err);
    }
    if (!rc && a->have_switch && aligned(a)) {
        (void)change_commit(a->change, 0, NULL);
        a->verified = true;
        return 0;
    }
    if (!rc && !a->have_switch)
        rc = align_send_marks(a, err);
    if (!rc)
        rc = on_one_leg(a, &m, err);
    a->gap_ms = meter_stop(&m);
    return finish(a, rc, err);
}

static bool answers(struct align *a, struct base_err *err)
{
    struct base_err quiet = { 0 };
    if (align_send_marks(a, &quiet) == 0 && sw_answers(a->dev, 1000) && read_switch(a, &quiet) == 0)
        return true;
    if (quiet.code && quiet.code != BASE_UNREACHABLE && err)
        *err = quiet;
    return false;
}

static void say_line(void *ctx, const char *line)
{
    align_say(ctx, "%s", line);
}

/* Before anything is touched, also when the switch can be read on one leg only. */
static int ask_first(struct align *a, struct base_err *err)
{
    struct sw_state unread = { .model = "this switch", .firmware = "not known yet" };
    return a->may_write ? a->may_write(a->say_arg, a->have_switch ? &a->before : &unread, err) : 0;
}

int align_run(struct align *a, struct base_err *err)
{
    struct change_opts o = { .program = "switchctl",
                             .what = "align",
                             .handlers = align_handlers,
                             .ctx = a,
                             .say = say_line };
    char what[64];
    int rc = link_session_open(&a->s, err);
    a->gap_ms = -1;
    /* Before anything is planned: what an earlier run left half done would be taken for the state to change. */
    if (!rc && !a->dry_run)
        rc = change_recover(&o, err);
    if (!rc)
        rc = read_host(a, err);
    if (!rc && !answers(a, err) && err && err->code)
        rc = -(int)err->code;
    if (!rc && a->have_switch && aligned(a)) {
        a->verified = true;
        goto out;
    }
    if (!rc)
        tell_plan(a);
    if (rc || a->dry_run) {
        a->changed = !rc;
        goto out;
    }
    (void)snprintf(what, sizeof(what), "align %s", a->bond);
    o.what = what;
    rc = ask_first(a, err);
    if (!rc)
        rc = change_begin(&o, &a->change, err);
    if (!rc)
        rc = with_lock(a, err);
out:
    link_snapshot_free(a->snap);
    link_session_close(a->s);
    a->snap = NULL;
    a->s = NULL;
    return rc;
}
