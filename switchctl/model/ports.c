/* SPDX-License-Identifier: MIT */
/* ports.c - port lists, LAG modes and the rules that hold before a write.  Pure. */
#include "sw/model.h"

#include <stdio.h>
#include <string.h>

static const char *const mode_names[] = {
    [SW_LAG_STATIC] = "static",
    [SW_LAG_LACP] = "lacp",
    [SW_LAG_LACP_ACTIVE] = "lacp-active",
    [SW_LAG_LACP_PASSIVE] = "lacp-passive",
};

const char *sw_lag_mode_name(enum sw_lag_mode mode)
{
    return mode <= SW_LAG_LACP_PASSIVE ? mode_names[mode] : NULL;
}

int sw_lag_mode_parse(const char *text, enum sw_lag_mode *ret, struct base_err *err)
{
    struct base_err here = { 0 };
    err = err ? err : &here;
    for (int i = SW_LAG_STATIC; i <= SW_LAG_LACP_PASSIVE; i++)
        if (!strcmp(text, mode_names[i])) {
            *ret = (enum sw_lag_mode)i;
            return 0;
        }
    base_err_set(err, BASE_USAGE, "unknown LAG mode %s", text);
    return base_err_hint(err, "modes: static, lacp, lacp-passive");
}

static bool number(const char **p, unsigned *ret)
{
    unsigned v = 0;
    const char *start = *p;
    for (; **p >= '0' && **p <= '9' && v <= SW_PORTS; (*p)++)
        v = v * 10 + (unsigned)(**p - '0');
    *ret = v;
    return *p != start && v >= 1 && v <= SW_PORTS;
}

int sw_ports_parse(const char *text, sw_ports *ret, struct base_err *err)
{
    struct base_err here = { 0 };
    const char *p = text;
    sw_ports bits = 0;
    err = err ? err : &here;
    while (*p) {
        unsigned a, b;
        bool good = number(&p, &a);
        b = a;
        if (good && *p == '-') {
            p++;
            good = number(&p, &b) && b >= a;
        }
        if (!good || (*p && *p != ',') || (*p == ',' && !p[1])) {
            base_err_set(err, BASE_USAGE, "'%s' is no list of ports", text);
            return base_err_hint(err, "write it like 1,2 or 1-4");
        }
        for (unsigned i = a; i <= b; i++)
            bits |= SW_PORT(i);
        p += *p == ',';
    }
    *ret = bits;
    return 0;
}

void sw_ports_format(sw_ports p, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 1; i <= SW_PORTS && used < size; i++)
        if (p & SW_PORT(i))
            used += (size_t)snprintf(text + used, size - used, "%s%u", used ? "," : "", i);
}

unsigned sw_ports_count(sw_ports p)
{
    unsigned n = 0;
    for (; p; p &= p - 1)
        n++;
    return n;
}

const struct sw_lag *sw_find_lag(const struct sw_state *st, unsigned group)
{
    for (size_t i = 0; i < st->n_lags; i++)
        if (st->lags[i].group == group)
            return &st->lags[i];
    return NULL;
}

bool sw_lag_same(const struct sw_lag *a, const struct sw_lag *b)
{
    bool lacp = a->mode > SW_LAG_STATIC && b->mode > SW_LAG_STATIC;
    bool agree = a->mode == b->mode || (lacp && (a->mode == SW_LAG_LACP || b->mode == SW_LAG_LACP));
    return agree && a->mode != SW_LAG_UNKNOWN && a->group == b->group && a->ports == b->ports;
}

static const struct sw_port *find_port(const struct sw_state *st, unsigned number)
{
    for (size_t i = 0; i < st->n_ports; i++)
        if (st->ports[i].number == number)
            return &st->ports[i];
    return NULL;
}

static int check_mode(const struct sw_state *st, const struct sw_lag *w, struct base_err *err)
{
    bool lacp = w->mode != SW_LAG_STATIC;
    if (w->mode < SW_LAG_STATIC || w->mode > SW_LAG_LACP_PASSIVE) {
        base_err_set(err, BASE_USAGE, "no mode is given for group %u", w->group);
        return base_err_hint(err, "modes: static, lacp");
    }
    if (!(st->can & SW_CAN_LAG) || (lacp && !(st->can & SW_CAN_LACP))) {
        base_err_set(err, BASE_UNSUPPORTED,
                     "%s with firmware %s: writing %s groups is not supported here", st->model,
                     st->firmware, lacp ? "LACP" : "LAG");
        return base_err_hint(err, "what can be written where: switchctl dialects");
    }
    if (w->mode > SW_LAG_LACP && !(st->can & SW_CAN_LACP_ACTIVITY)) {
        base_err_set(err, BASE_UNSUPPORTED,
                     "%s with firmware %s cannot be told to be active or passive in LACP",
                     st->model, st->firmware);
        return base_err_hint(err, "use mode lacp");
    }
    return 0;
}

static int check_counts(const struct sw_state *st, const struct sw_lag *w, struct base_err *err)
{
    unsigned n = sw_ports_count(w->ports);
    if (w->group < 1 || w->group > st->max_groups) {
        base_err_set(err, BASE_IMPOSSIBLE, "no group %u: this switch has groups 1 to %u", w->group,
                     st->max_groups);
        return base_err_hint(err, "groups in use: switchctl lag show");
    }
    if (n < st->min_members || n > st->max_members) {
        base_err_set(err, BASE_IMPOSSIBLE, "a group here has %u to %u ports, not %u",
                     st->min_members, st->max_members, n);
        return base_err_hint(err, "name them like --ports 1,2");
    }
    return 0;
}

/* Members of a static group must be alike.  set, up: the first of them with a known setting, with a known speed. */
static int check_alike(const struct sw_port *set, const struct sw_port *up, const struct sw_port *p,
                       struct base_err *err)
{
    if (set && p->setting[0] && strcmp(set->setting, p->setting) != 0) {
        base_err_set(err, BASE_IMPOSSIBLE,
                     "port %u is set to %s and port %u to %s: a static group needs equal settings",
                     set->number, set->setting, p->number, p->setting);
        return base_err_hint(err, "set them alike on the switch's port page, or use mode lacp");
    }
    if (p->link != SW_YES)
        return 0;
    if (up && p->speed_mbps && up->speed_mbps != p->speed_mbps) {
        base_err_set(err, BASE_IMPOSSIBLE,
                     "port %u runs at %u Mb/s and port %u at %u: a static group needs equal speeds",
                     up->number, up->speed_mbps, p->number, p->speed_mbps);
        return base_err_hint(err, "use ports of one speed, or mode lacp");
    }
    if (p->full_duplex == SW_NO) {
        base_err_set(err, BASE_IMPOSSIBLE,
                     "port %u runs at half duplex: a static group needs full duplex", p->number);
        return base_err_hint(err,
                             "look at the cable and at what is on its other end, or use mode lacp");
    }
    return 0;
}

static int check_free(const struct sw_state *st, unsigned number, const struct sw_port *p,
                      unsigned group, struct base_err *err)
{
    if (!p) {
        base_err_set(err, BASE_IMPOSSIBLE, "no port %u: this switch has %zu ports", number,
                     st->n_ports);
        return base_err_hint(err, "ports: switchctl ports");
    }
    if (p->lag && p->lag != group) {
        base_err_set(err, BASE_IMPOSSIBLE, "port %u belongs to group %u already", number, p->lag);
        return base_err_hint(err, "free it first: switchctl lag del %u", p->lag);
    }
    return 0;
}

int sw_lag_check(const struct sw_state *st, const struct sw_lag *w, struct base_err *err)
{
    struct base_err here = { 0 };
    const struct sw_port *set = NULL, *up = NULL; /* the first with a known setting, with a speed */
    int rc;
    err = err ? err : &here;
    rc = check_mode(st, w, err);
    if (!rc)
        rc = check_counts(st, w, err);
    for (unsigned i = 1; i <= SW_PORTS && !rc; i++) {
        const struct sw_port *p = find_port(st, i);
        if (!(w->ports & SW_PORT(i)))
            continue;
        rc = check_free(st, i, p, w->group, err);
        if (rc || w->mode != SW_LAG_STATIC)
            continue;
        rc = check_alike(set, up, p, err);
        if (!set && p->setting[0])
            set = p;
        if (!up && p->link == SW_YES && p->speed_mbps)
            up = p;
    }
    return rc;
}

uint32_t sw_mtu_of_frame(const struct sw_frame *f)
{
    uint32_t head = f->counts_fcs ? 22 : 18;
    return f->bytes > head ? f->bytes - head : 0;
}

int sw_frame_for_mtu(const struct sw_state *st, uint32_t mtu, uint32_t *ret_bytes,
                     struct base_err *err)
{
    struct base_err here = { 0 };
    err = err ? err : &here;
    uint64_t need = (uint64_t)mtu + (st->frame.counts_fcs ? 22 : 18);
    struct sw_frame most = { .counts_fcs = st->frame.counts_fcs };
    uint32_t best = 0;
    if (!(st->can & SW_CAN_FRAME)) {
        base_err_set(err, BASE_UNSUPPORTED,
                     "%s with firmware %s: setting the frame size is not supported here", st->model,
                     st->firmware);
        return base_err_hint(err, "what can be written where: switchctl dialects");
    }
    for (size_t i = 0; i < st->frame.n_choices; i++) {
        uint32_t c = st->frame.choices[i];
        if (c >= need && (!best || c < best))
            best = c;
        if (c > most.bytes)
            most.bytes = c;
    }
    if (best) {
        *ret_bytes = best;
        return 0;
    }
    base_err_set(err, BASE_IMPOSSIBLE, "MTU %u needs frames of %llu bytes; %s takes at most %u",
                 mtu, (unsigned long long)need, st->model, most.bytes);
    return base_err_hint(err, "nothing was changed; the largest MTU that fits is %u",
                         sw_mtu_of_frame(&most));
}
