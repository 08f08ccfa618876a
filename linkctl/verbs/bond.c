/* SPDX-License-Identifier: MIT */
/* bond.c - `linkctl bond add|show|set|del|join|leave`. */
#include "verbs.h"

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/undo.h"

#define MAX_MEMBERS 64

void bond_option_list(struct cli_opt list[static LINK_BOND_OPTS + 1])
{
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        const struct link_bond_opt_info *t = link_bond_opt_info((enum link_bond_opt)i);
        list[i] = (struct cli_opt){ .name = t->name,
                                    .arg = t->type == LINK_NAMES ? "WORD" : "VALUE",
                                    .help = t->help };
    }
    list[LINK_BOND_OPTS] = (struct cli_opt){ 0 };
}

/* --OPTION VALUE of the command line into *o. */
static int gather(struct cli *cli, const struct link_state *st, struct link_bond_opts *o)
{
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        const struct link_bond_opt_info *t = link_bond_opt_info((enum link_bond_opt)i);
        const char *text = cli_get(cli, t->name);
        const struct link_iface *d;
        int rc = 0;
        if (!text)
            continue;
        if (t->type == LINK_DEVICE) {
            rc = link_need(st, text, &d, &cli->err);
            if (!rc)
                link_bond_put(o, (enum link_bond_opt)i, (uint64_t)d->ifindex);
        } else {
            rc = link_bond_opt_parse(o, (enum link_bond_opt)i, text, &cli->err);
        }
        if (rc)
            return rc;
    }
    return 0;
}

static int need_bond(struct cli *cli, const struct link_state *st, const struct link_iface **ret)
{
    int rc = link_name_check(cli->argv[0], &cli->err);
    if (!rc)
        rc = link_need(st, cli->argv[0], ret, &cli->err);
    if (!rc && !(*ret)->is_bond) {
        base_err_set(&cli->err, BASE_USAGE, "%s is not a bond", cli->argv[0]);
        return base_err_hint(&cli->err, "bonds here: linkctl bond show");
    }
    return rc;
}

/* A device may join: exists, no loopback, not the bond itself, free or to be stolen, named once. */
static int check_member(struct cli *cli, const struct link_state *st, const char *bond,
                        const char *const *names, size_t at)
{
    const struct link_iface *d, *m;
    int rc = link_need(st, names[at], &d, &cli->err);
    if (rc)
        return rc;
    for (size_t i = 0; i < at; i++)
        if (!strcmp(names[i], names[at]))
            return cli_usage(cli, "%s is named twice as a member", names[at]);
    if (d->flags & IFF_LOOPBACK || d->is_bond || d->is_bridge) {
        base_err_set(&cli->err, BASE_USAGE, "%s cannot be a member: it is a %s", d->name,
                     d->flags & IFF_LOOPBACK ? "loopback device" : d->kind);
        return base_err_hint(&cli->err, "members are network cards: linkctl show");
    }
    m = d->master ? link_find_index(st, d->master) : NULL;
    if (m && strcmp(m->name, bond) != 0 && !cli_has(cli, "steal")) {
        base_err_set(&cli->err, BASE_REFUSED, "%s belongs to %s already", d->name, m->name);
        return base_err_hint(&cli->err,
                             "release it: linkctl bond leave %s %s   or take it with --steal",
                             m->name, d->name);
    }
    return 0;
}

static int join_one(struct host *h, const struct link_iface *bond, const struct link_iface *d,
                    struct base_err *err)
{
    int rc = d->master ? link_set_master(h->s, d->ifindex, 0, err) : 0;
    if (!rc)
        rc = link_set_admin(h->s, d->ifindex, false, err);
    if (!rc)
        rc = link_set_master(h->s, d->ifindex, bond->ifindex, err);
    return rc ? base_err_wrap(err, "joining %s", d->name) : 0;
}

/* Reads back: the bond has the options asked for, and exactly these members among its own. */
static int verify(struct cli *cli, struct host *h, const char *bond, const struct link_bond_opts *o,
                  const char *const *members, size_t n)
{
    const struct link_iface *b, *d;
    int rc = host_refresh(cli, LINK_READ_ALL, h);
    if (!rc)
        rc = link_need(&h->st, bond, &b, &cli->err);
    for (int i = 0; o && !rc && i < LINK_BOND_OPTS; i++) {
        enum link_bond_opt opt = (enum link_bond_opt)i;
        if (link_bond_has(o, opt) && opt != LINK_BOND_ACTIVE_MEMBER &&
            o->num[i] != b->bond.opts.num[i] && link_bond_opt_info(opt)->type != LINK_IP4S &&
            link_bond_opt_info(opt)->type != LINK_IP6S)
            rc = base_err_set(
                &cli->err, link_bond_has(&b->bond.opts, opt) ? BASE_FAILED : BASE_UNSUPPORTED,
                "the kernel did not take --%s%s", link_bond_opt_info(opt)->name,
                link_bond_has(&b->bond.opts, opt) ? "" : ": it does not know this option");
    }
    for (size_t i = 0; i < n && !rc; i++) {
        rc = link_need(&h->st, members[i], &d, &cli->err);
        if (!rc && d->master != b->ifindex)
            rc = base_err_set(&cli->err, BASE_FAILED, "%s is not a member of %s after joining",
                              d->name, bond);
    }
    return rc;
}

static int record_ports(struct cli *cli, struct host *h, struct change *c, const char *const *names,
                        size_t n)
{
    char *text;
    int rc = link_undo_ports_json(&h->st, names, n, &text, &cli->err);
    if (!rc) {
        rc = change_record(c, "ports", text, strlen(text), &cli->err);
        free(text);
    }
    return rc;
}

static int make(struct cli *cli, struct host *h, struct change *c, const struct link_bond_opts *o,
                const char *const *members, size_t n)
{
    const char *name = cli->argv[0];
    const struct link_iface *b, *d;
    int rc = n ? record_ports(cli, h, c, members, n) : 0;
    if (!rc)
        rc = change_record(c, "absent", name, strlen(name), &cli->err);
    if (!rc)
        rc = link_bond_create(h->s, name, o, &cli->err);
    if (!rc)
        rc = host_refresh(cli, LINK_READ_LINKS, h);
    if (!rc)
        rc = link_need(&h->st, name, &b, &cli->err);
    for (size_t i = 0; i < n && !rc; i++) {
        rc = link_need(&h->st, members[i], &d, &cli->err);
        if (!rc)
            rc = join_one(h, b, d, &cli->err);
    }
    if (!rc)
        rc = link_set_admin(h->s, b->ifindex, true, &cli->err);
    return rc ? rc : verify(cli, h, name, o, members, n);
}

/* The bond is there: exactly as asked = nothing to do. */
static int existing(struct cli *cli, struct host *h, const struct link_iface *b,
                    const struct link_bond_opts *o, const char *const *members, size_t n,
                    bool *ret_same)
{
    const struct link_iface *m[MAX_MEMBERS];
    size_t k = b->is_bond ? link_members(&h->st, b->ifindex, m, MAX_MEMBERS) : 0;
    bool same = b->is_bond && k == n;
    for (int i = 0; i < LINK_BOND_OPTS && same; i++)
        same = !link_bond_has(o, (enum link_bond_opt)i) || o->num[i] == b->bond.opts.num[i];
    for (size_t i = 0; i < n && same; i++)
        same = !strcmp(m[i]->name, members[i]);
    *ret_same = same;
    if (same)
        return 0;
    base_err_set(&cli->err, BASE_EXISTS, "%s exists already, and is not what you ask for", b->name);
    return base_err_hint(&cli->err,
                         b->is_bond
                             ? "see it: linkctl bond show %s   change it: linkctl bond set %s ..."
                             : "choose another name than %s%s",
                         b->name, b->is_bond ? b->name : "");
}

int verb_bond_add(struct cli *cli)
{
    const char *members[MAX_MEMBERS], *name = cli->argv[0];
    struct link_bond_opts o = { 0 };
    const struct link_iface *there;
    struct steps steps = STEPS_NONE;
    struct change *c;
    struct host h = { 0 };
    bool same = false;
    char what[64];
    size_t n = 0;
    int rc = link_name_check(name, &cli->err);
    if (!rc)
        rc = host_open_to_change(cli, LINK_READ_ALL, &h);
    if (!rc && !cli_get(cli, "mode"))
        rc = cli_usage(cli, "--mode is missing: lacp, static, active-backup ...");
    if (!rc)
        rc = gather(cli, &h.st, &o);
    if (!rc && !link_bond_has(&o, LINK_BOND_MIIMON) && !link_bond_has(&o, LINK_BOND_ARP_INTERVAL))
        link_bond_put(&o, LINK_BOND_MIIMON, 100);
    if (!rc)
        rc = link_bond_opts_check(&o, o.num[LINK_BOND_MODE], &cli->err);
    for (; !rc && n < MAX_MEMBERS && cli_get_nth(cli, "member", (unsigned)n); n++) {
        members[n] = cli_get_nth(cli, "member", (unsigned)n);
        rc = check_member(cli, &h.st, name, members, n);
    }
    there = rc ? NULL : link_find(&h.st, name);
    if (there)
        rc = existing(cli, &h, there, &o, members, n, &same);
    if (!rc && !same) {
        steps_add(&steps, "make %s, mode %s", name, link_bond_mode_name(o.num[LINK_BOND_MODE]));
        for (size_t i = 0; i < n; i++)
            steps_add(&steps, "join %s", members[i]);
        steps_add(&steps, "%s up", name);
    }
    (void)snprintf(what, sizeof(what), "bond add %s", name);
    if (!rc && !same && !cli_has(cli, "dry-run") && !(rc = host_change_begin(cli, &h, what, &c)))
        rc = host_change_end(cli, c, make(cli, &h, c, &o, members, n));
    host_close(&h);
    steps.verified = true;
    return steps_print(cli, &steps, cli_has(cli, "dry-run"), rc);
}

int verb_bond_show(struct cli *cli)
{
    struct base_buf out = { 0 };
    const struct link_iface *only = NULL;
    struct host h;
    int rc = host_open(cli, LINK_READ_ALL, &h);
    if (!rc && cli->argc)
        rc = need_bond(cli, &h.st, &only);
    if (!rc && cli->json) {
        host_close(&h);
        return verb_show(cli);
    }
    for (size_t i = 0; !rc && i < h.st.n; i++) {
        const struct link_iface *b = &h.st.v[i], *m[MAX_MEMBERS];
        size_t n;
        if (!b->is_bond || (only && b != only))
            continue;
        n = link_members(&h.st, b->ifindex, m, MAX_MEMBERS);
        base_buf_printf(&out, "%s  MTU %u  %s\n  members", b->name, b->mtu,
                        b->flags & IFF_UP ? "up" : "down");
        for (size_t k = 0; k < n && k < MAX_MEMBERS; k++)
            base_buf_printf(&out, " %s", m[k]->name);
        base_buf_printf(&out, "%s\n", n ? "" : " none");
        for (int opt = 0; opt < LINK_BOND_OPTS; opt++) {
            const struct link_bond_opt_info *t = link_bond_opt_info((enum link_bond_opt)opt);
            char text[LINK_BOND_TARGETS * 48];
            if (!link_bond_has(&b->bond.opts, (enum link_bond_opt)opt) || t->type == LINK_DEVICE)
                continue;
            link_bond_opt_format(&b->bond.opts, (enum link_bond_opt)opt, text, sizeof(text));
            if (text[0])
                base_buf_printf(&out, "  %-20s %s\n", t->name, text);
        }
    }
    host_close(&h);
    if (rc) {
        base_buf_done(&out);
        return rc;
    }
    if (!out.n)
        base_buf_str(&out, "no bonds here; make one: linkctl bond add --help\n");
    return cli_print(cli, &out);
}

static int member_options(struct cli *cli, const struct link_state *st, const struct link_iface *b,
                          int64_t v[3], const struct link_iface **ret)
{
    static const char *const names[] = { "queue-id", "prio", "actor-port-prio" };
    const char *dev = cli_get(cli, "member");
    int rc = 0;
    *ret = NULL;
    for (int i = 0; i < 3 && !rc; i++) {
        const char *text = cli_get(cli, names[i]);
        v[i] = i == 1 ? INT32_MIN : LINK_UNKNOWN;
        if (!text)
            continue;
        if (!dev)
            return cli_usage(cli, "--%s needs --member DEV", names[i]);
        rc = cli_number(cli, names[i], text, i == 1 ? INT32_MIN + 1 : 0, i == 1 ? INT32_MAX : 65535,
                        &v[i]);
    }
    if (!rc && dev)
        rc = link_need(st, dev, ret, &cli->err);
    if (!rc && *ret && (*ret)->master != b->ifindex)
        rc = base_err_set(&cli->err, BASE_USAGE, "%s is not a member of %s", dev, b->name);
    return rc;
}

/* Options that the bond has otherwise. */
static size_t plan_options(const struct link_iface *b, struct link_bond_opts *o,
                           struct steps *steps)
{
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        enum link_bond_opt opt = (enum link_bond_opt)i;
        char from[800], to[800];
        if (!link_bond_has(o, opt))
            continue;
        link_bond_opt_format(&b->bond.opts, opt, from, sizeof(from));
        link_bond_opt_format(o, opt, to, sizeof(to));
        if (!strcmp(from, to))
            o->present &= ~((uint64_t)1 << i);
        else
            steps_add(steps, "%s: %s %s -> %s", b->name, link_bond_opt_info(opt)->name, from, to);
    }
    return steps->n;
}

static int set_options(struct cli *cli, struct host *h, struct change *c,
                       const struct link_bond_opts *o, const struct link_iface *member,
                       const int64_t v[3])
{
    struct link_rebuild how = { .want = o };
    struct link_snapshot *snap = NULL;
    char *text = NULL;
    int rc = link_snapshot_take(h->s, cli->argv[0], &snap, &cli->err);
    if (!rc)
        rc = link_snapshot_json(snap, &text, &cli->err);
    if (!rc)
        rc = change_record(c, "bond", text, strlen(text), &cli->err);
    if (!rc && o->present)
        rc = link_bond_rebuild(h->s, snap, &how, &cli->err);
    if (!rc && member)
        rc = link_member_change(h->s, member->ifindex, (int)v[0], (int32_t)v[1], (int)v[2],
                                &cli->err);
    if (!rc)
        rc = verify(cli, h, cli->argv[0], o, NULL, 0);
    free(text);
    link_snapshot_free(snap);
    return rc;
}

int verb_bond_set(struct cli *cli)
{
    struct link_bond_opts o = { 0 };
    const struct link_iface *b = NULL, *member = NULL;
    struct steps steps = STEPS_NONE;
    struct change *c;
    struct host h;
    int64_t v[3];
    char what[64];
    int rc = host_open_to_change(cli, LINK_READ_ALL, &h);
    if (!rc)
        rc = need_bond(cli, &h.st, &b);
    if (!rc)
        rc = gather(cli, &h.st, &o);
    if (!rc)
        rc = member_options(cli, &h.st, b, v, &member);
    if (!rc && !o.present && !member)
        rc = cli_usage(cli, "no option to set");
    if (!rc)
        rc = link_bond_opts_check(&o,
                                  link_bond_has(&o, LINK_BOND_MODE)
                                      ? o.num[LINK_BOND_MODE]
                                      : b->bond.opts.num[LINK_BOND_MODE],
                                  &cli->err);
    if (!rc)
        (void)plan_options(b, &o, &steps);
    if (!rc && member &&
        ((v[0] != LINK_UNKNOWN && v[0] != (int64_t)member->member.queue_id) ||
         (v[1] != INT32_MIN && v[1] != member->member.prio) ||
         (v[2] != LINK_UNKNOWN && v[2] != member->member.actor_port_prio)))
        steps_add(&steps, "%s: member options", member->name);
    (void)snprintf(what, sizeof(what), "bond set %s", cli->argv[0]);
    if (!rc && steps.n && !cli_has(cli, "dry-run")) {
        int index = member ? member->ifindex : 0;
        rc = host_change_begin(cli, &h, what, &c);
        member = index ? link_find_index(&h.st, index) : NULL;
        if (!rc)
            rc = host_change_end(cli, c, set_options(cli, &h, c, &o, member, v));
    }
    host_close(&h);
    steps.verified = true;
    return steps_print(cli, &steps, cli_has(cli, "dry-run"), rc);
}

int verb_bond_del(struct cli *cli)
{
    const struct link_iface *b = NULL;
    struct steps steps = STEPS_NONE;
    struct change *c;
    struct host h;
    char what[64];
    int rc = link_name_check(cli->argv[0], &cli->err);
    if (!rc)
        rc = host_open_to_change(cli, LINK_READ_ALL, &h);
    if (rc)
        return rc;
    if (link_find(&h.st, cli->argv[0]))
        rc = need_bond(cli, &h.st, &b);
    if (b)
        steps_add(&steps, "remove %s", b->name);
    (void)snprintf(what, sizeof(what), "bond del %s", cli->argv[0]);
    if (!rc && b && !cli_has(cli, "dry-run") && !(rc = host_change_begin(cli, &h, what, &c))) {
        rc = need_bond(cli, &h.st, &b);
        if (!rc)
            rc = link_delete(h.s, b->ifindex, &cli->err); /* one request: whole or not at all */
        if (!rc)
            rc = host_refresh(cli, LINK_READ_LINKS, &h);
        if (!rc && link_find(&h.st, cli->argv[0]))
            rc = base_err_set(&cli->err, BASE_FAILED, "%s is still there", cli->argv[0]);
        rc = host_change_end(cli, c, rc);
    }
    host_close(&h);
    steps.verified = true;
    return steps_print(cli, &steps, cli_has(cli, "dry-run"), rc);
}

static int join_all(struct cli *cli, struct host *h, struct change *c)
{
    size_t n = (size_t)cli->argc - 1;
    const struct link_iface *b, *d;
    int rc = record_ports(cli, h, c, cli->argv + 1, n);
    for (size_t i = 0; i < n && !rc; i++) {
        rc = link_need(&h->st, cli->argv[0], &b, &cli->err);
        if (!rc)
            rc = link_need(&h->st, cli->argv[i + 1], &d, &cli->err);
        if (!rc && d->master != b->ifindex)
            rc = join_one(h, b, d, &cli->err);
    }
    return rc ? rc : verify(cli, h, cli->argv[0], NULL, cli->argv + 1, n);
}

static int leave_all(struct cli *cli, struct host *h, struct change *c)
{
    struct link_snapshot *snap = NULL;
    const struct link_iface *b, *d;
    char *text = NULL;
    int rc = link_snapshot_take(h->s, cli->argv[0], &snap, &cli->err);
    if (!rc)
        rc = link_snapshot_json(snap, &text, &cli->err);
    if (!rc)
        rc = change_record(c, "bond", text, strlen(text), &cli->err);
    for (int i = 1; i < cli->argc && !rc; i++) {
        rc = link_need(&h->st, cli->argv[0], &b, &cli->err);
        if (!rc)
            rc = link_need(&h->st, cli->argv[i], &d, &cli->err);
        if (!rc && d->master == b->ifindex)
            rc = link_set_master(h->s, d->ifindex, 0, &cli->err);
    }
    free(text);
    link_snapshot_free(snap);
    return rc;
}

static int join_or_leave(struct cli *cli, bool join)
{
    const struct link_iface *b = NULL, *d;
    struct steps steps = STEPS_NONE;
    struct change *c;
    struct host h;
    char what[64];
    int rc = host_open_to_change(cli, LINK_READ_ALL, &h);
    if (!rc)
        rc = need_bond(cli, &h.st, &b);
    for (int i = 1; i < cli->argc && !rc; i++) {
        rc = join ? check_member(cli, &h.st, b->name, cli->argv + 1, (size_t)i - 1) : 0;
        if (!rc)
            rc = link_need(&h.st, cli->argv[i], &d, &cli->err);
        if (!rc && !join && d->master && d->master != b->ifindex)
            rc = base_err_set(&cli->err, BASE_USAGE, "%s is not a member of %s", d->name, b->name);
        if (!rc && (d->master == b->ifindex) != join)
            steps_add(&steps, "%s %s %s", d->name, join ? "joins" : "leaves", b->name);
    }
    (void)snprintf(what, sizeof(what), "bond %s %s", join ? "join" : "leave", cli->argv[0]);
    if (!rc && steps.n && !cli_has(cli, "dry-run") && !(rc = host_change_begin(cli, &h, what, &c)))
        rc = host_change_end(cli, c, join ? join_all(cli, &h, c) : leave_all(cli, &h, c));
    host_close(&h);
    steps.verified = true;
    return steps_print(cli, &steps, cli_has(cli, "dry-run"), rc);
}

int verb_bond_join(struct cli *cli)
{
    return join_or_leave(cli, true);
}

int verb_bond_leave(struct cli *cli)
{
    return join_or_leave(cli, false);
}
