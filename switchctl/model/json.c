/* SPDX-License-Identifier: MIT */
/* json.c - sw_state to and from the document "switch-state". */
#include "sw/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mac.h"
#include "json_in.h"

static const char *const proven_names[] = { "emulated", "captured", "proven" };
static const struct {
    unsigned bit;
    const char *name;
} cans[] = { { SW_CAN_READ, "read" },      { SW_CAN_LAG, "lag-write" },
             { SW_CAN_LACP, "lacp" },      { SW_CAN_FRAME, "frame-size-write" },
             { SW_CAN_MACS, "mac-table" }, { SW_CAN_SAVE, "save" },
             { SW_CAN_BACKUP, "backup" },  { SW_CAN_LACP_ACTIVITY, "lacp-activity" } };

static void tri(struct base_json *j, const char *key, enum sw_tri v)
{
    if (v == SW_UNKNOWN)
        base_json_null(j, key);
    else
        base_json_bool(j, key, v == SW_YES);
}

static void known(struct base_json *j, const char *key, unsigned v)
{
    if (v)
        base_json_uint(j, key, v);
    else
        base_json_null(j, key);
}

static void count_out(struct base_json *j, const char *key, bool has, uint64_t v)
{
    if (has)
        base_json_uint(j, key, v);
    else
        base_json_null(j, key);
}

static void port_list(struct base_json *j, const char *key, sw_ports p)
{
    base_json_arr(j, key);
    for (unsigned i = 1; i <= SW_PORTS; i++)
        if (p & SW_PORT(i))
            base_json_uint(j, NULL, i);
    base_json_end(j);
}

static void port(struct base_json *j, const struct sw_port *p, const struct sw_frame *f)
{
    base_json_obj(j, NULL);
    base_json_uint(j, "number", p->number);
    base_json_str(j, "name", p->name);
    tri(j, "link", p->link);
    known(j, "speed_mbps", p->speed_mbps);
    base_json_str(j, "duplex",
                  p->full_duplex == SW_YES  ? "full"
                  : p->full_duplex == SW_NO ? "half"
                                            : NULL);
    tri(j, "enabled", p->enabled);
    known(j, "frame_size_bytes", f->bytes);
    known(j, "lag", p->lag);
    base_json_null(j, "lacp");
    if (p->has_counters) {
        base_json_obj(j, "counters");
        base_json_uint(j, "tx_good_packets", p->tx_good);
        count_out(j, "tx_bad_packets", p->has_bad, p->tx_bad);
        base_json_uint(j, "rx_good_packets", p->rx_good);
        count_out(j, "rx_bad_packets", p->has_bad, p->rx_bad);
        base_json_bool(j, "wraps_at_32_bits", p->counters_wrap32);
        base_json_end(j);
    } else {
        base_json_null(j, "counters");
    }
    base_json_end(j);
}

static void frame(struct base_json *j, const struct sw_frame *f)
{
    base_json_obj(j, "frame_size");
    known(j, "bytes", f->bytes);
    base_json_bool(j, "counts_fcs", f->counts_fcs);
    base_json_str(j, "scope", "switch");
    base_json_arr(j, "choices");
    for (size_t i = 0; i < f->n_choices; i++)
        base_json_uint(j, NULL, f->choices[i]);
    base_json_end(j);
    known(j, "mtu_bytes", sw_mtu_of_frame(f));
    base_json_end(j);
}

static void mac_table(struct base_json *j, const struct sw_mac *v, size_t n)
{
    base_json_arr(j, "macs");
    for (size_t i = 0; i < n; i++) {
        struct base_mac m;
        char text[BASE_MAC_TEXT];
        memcpy(m.b, v[i].mac, 6);
        base_json_obj(j, NULL);
        base_json_str(j, "mac", base_mac_format(m, text));
        known(j, "vlan", v[i].vlan);
        known(j, "port", v[i].port);
        known(j, "lag", v[i].lag);
        base_json_bool(j, "static", v[i].is_static);
        base_json_end(j);
    }
    base_json_end(j);
}

static void lags(struct base_json *j, const struct sw_state *st)
{
    if (st->lags_unknown) {
        base_json_null(j, "lags");
        return;
    }
    base_json_arr(j, "lags");
    for (size_t i = 0; i < st->n_lags; i++) {
        base_json_obj(j, NULL);
        base_json_uint(j, "group", st->lags[i].group);
        base_json_str(j, "mode", sw_lag_mode_name(st->lags[i].mode));
        port_list(j, "ports", st->lags[i].ports);
        if (st->lags[i].up_known)
            port_list(j, "up_ports", st->lags[i].up_ports);
        else
            base_json_null(j, "up_ports");
        base_json_end(j);
    }
    base_json_end(j);
}

int sw_state_json(const struct sw_state *st, const struct sw_mac *macs, size_t n_macs, char **ret,
                  struct base_err *err)
{
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    struct base_mac mac;
    char text[BASE_MAC_TEXT];
    memcpy(mac.b, st->mac, 6);
    base_json_doc(&j, "switch-state");
    base_json_str(&j, "model", st->model[0] ? st->model : NULL);
    base_json_str(&j, "firmware", st->firmware[0] ? st->firmware : NULL);
    base_json_str(&j, "mac", st->has_mac ? base_mac_format(mac, text) : NULL);
    base_json_str(&j, "dialect", st->dialect[0] ? st->dialect : NULL);
    base_json_str(&j, "proven", proven_names[st->proven]);
    base_json_arr(&j, "ports");
    for (size_t i = 0; i < st->n_ports; i++)
        port(&j, &st->ports[i], &st->frame);
    base_json_end(&j);
    lags(&j, st);
    frame(&j, &st->frame);
    base_json_arr(&j, "capabilities");
    for (size_t i = 0; i < sizeof(cans) / sizeof(cans[0]); i++)
        if (st->can & cans[i].bit)
            base_json_str(&j, NULL, cans[i].name);
    base_json_end(&j);
    base_json_obj(&j, "limits");
    known(&j, "groups", st->max_groups);
    known(&j, "members_min", st->min_members);
    known(&j, "members_max", st->max_members);
    base_json_end(&j);
    tri(&j, "unsaved", st->unsaved);
    if (macs)
        mac_table(&j, macs, n_macs);
    base_json_end(&j);
    *ret = base_buf_take(&b);
    return *ret ? 0 : base_err_set(err, BASE_NO_MEMORY, "out of memory");
}

static void copy(char to[static SW_TEXT], const char *from)
{
    (void)snprintf(to, SW_TEXT, "%s", from ? from : "");
}

static unsigned number(const struct json_node *o, const char *key)
{
    int64_t v = 0;
    return json_num(o, key, &v) && v > 0 && v <= UINT32_MAX ? (unsigned)v : 0;
}

static enum sw_tri tri_of(const struct json_node *o, const char *key)
{
    const struct json_node *v = json_get(o, key);
    return v && json_type(v) == JSON_BOOL ? (json_bool(v) ? SW_YES : SW_NO) : SW_UNKNOWN;
}

/* false: no list of ports. */
static bool ports_of(const struct json_node *o, const char *key, sw_ports *ret)
{
    const struct json_node *list = json_get(o, key);
    sw_ports p = 0;
    if (!list || json_type(list) != JSON_ARRAY)
        return false;
    for (const struct json_node *v = json_first(list); v; v = json_next(v)) {
        int64_t k;
        if (!json_int(v, &k) || k < 1 || k > SW_PORTS)
            return false;
        p |= SW_PORT((unsigned)k);
    }
    *ret = p;
    return true;
}

static bool count(const struct json_node *o, const char *key, uint64_t *ret)
{
    int64_t v = 0;
    bool good = json_num(o, key, &v) && v >= 0;
    *ret = good ? (uint64_t)v : 0;
    return good;
}

static void parse_counters(const struct json_node *o, struct sw_port *p)
{
    bool tx = count(o, "tx_good_packets", &p->tx_good),
         rx = count(o, "rx_good_packets", &p->rx_good);
    bool tx_bad = count(o, "tx_bad_packets", &p->tx_bad),
         rx_bad = count(o, "rx_bad_packets", &p->rx_bad);
    p->has_counters = tx && rx;
    p->has_bad = tx_bad && rx_bad;
    p->counters_wrap32 = o && json_flag(o, "wraps_at_32_bits", false);
}

static void parse_ports(const struct json_node *list, struct sw_state *st)
{
    for (const struct json_node *v = list ? json_first(list) : NULL; v && st->n_ports < SW_PORTS;
         v = json_next(v)) {
        struct sw_port *p = &st->ports[st->n_ports];
        const char *duplex = json_str(v, "duplex");
        p->number = number(v, "number");
        if (p->number < 1 || p->number > SW_PORTS)
            continue;
        copy(p->name, json_str(v, "name"));
        p->link = tri_of(v, "link");
        p->enabled = tri_of(v, "enabled");
        p->full_duplex = !duplex ? SW_UNKNOWN : !strcmp(duplex, "full") ? SW_YES : SW_NO;
        p->speed_mbps = number(v, "speed_mbps");
        p->lag = number(v, "lag");
        parse_counters(json_get(v, "counters"), p);
        st->n_ports++;
    }
}

/* Groups are what undo writes: a document that is not clear about one is refused. */
static int parse_lag(const struct json_node *v, const struct sw_state *st, struct sw_lag *l,
                     struct base_err *err)
{
    const char *mode = json_str(v, "mode");
    const struct json_node *up = json_get(v, "up_ports");
    l->group = number(v, "group");
    if (!l->group || sw_find_lag(st, l->group))
        return base_err_set(err, BASE_MALFORMED, "a group without a number of its own");
    if (mode && sw_lag_mode_parse(mode, &l->mode, NULL))
        return base_err_set(err, BASE_MALFORMED, "unknown LAG mode %s", mode);
    if (!ports_of(v, "ports", &l->ports))
        return base_err_set(err, BASE_MALFORMED, "ports of group %u are no list of port numbers",
                            l->group);
    l->up_known = up && json_type(up) == JSON_ARRAY;
    if (l->up_known && !ports_of(v, "up_ports", &l->up_ports))
        return base_err_set(err, BASE_MALFORMED, "up_ports of group %u are no port numbers",
                            l->group);
    return 0;
}

static int parse_lags(const struct json_node *list, struct sw_state *st, struct base_err *err)
{
    for (const struct json_node *v = list ? json_first(list) : NULL; v; v = json_next(v)) {
        struct sw_lag l = { 0 };
        int rc = st->n_lags < SW_LAGS ? parse_lag(v, st, &l, err)
                                      : base_err_set(err, BASE_MALFORMED, "too many groups");
        if (rc)
            return base_err_wrap(err, "lags");
        st->lags[st->n_lags++] = l;
    }
    return 0;
}

static void parse_rest(const struct json_node *o, struct sw_state *st)
{
    const struct json_node *f = json_get(o, "frame_size"), *limits = json_get(o, "limits");
    const struct json_node *list = json_get(o, "capabilities"),
                           *choices = f ? json_get(f, "choices") : NULL;
    if (f) {
        st->frame.bytes = number(f, "bytes");
        st->frame.counts_fcs = json_flag(f, "counts_fcs", true);
    }
    for (const struct json_node *v = choices ? json_first(choices) : NULL;
         v && st->frame.n_choices < SW_CHOICES; v = json_next(v)) {
        int64_t k;
        if (json_int(v, &k) && k > 0 && k <= 65535)
            st->frame.choices[st->frame.n_choices++] = (uint32_t)k;
    }
    if (limits) {
        st->max_groups = number(limits, "groups");
        st->min_members = number(limits, "members_min");
        st->max_members = number(limits, "members_max");
    }
    for (const struct json_node *v = list ? json_first(list) : NULL; v; v = json_next(v))
        for (size_t i = 0; i < sizeof(cans) / sizeof(cans[0]); i++)
            if (json_text(v) && !strcmp(json_text(v), cans[i].name))
                st->can |= cans[i].bit;
}

int sw_state_parse(const char *text, size_t n, struct sw_state *ret, struct base_err *err)
{
    struct base_err here = { 0 };
    struct json_doc *doc;
    struct base_mac mac;
    const char *kind, *proven;
    err = err ? err : &here;
    int rc = json_parse(text, n, &doc, err);
    if (rc)
        return rc;
    *ret = (struct sw_state){ .unsaved = SW_UNKNOWN };
    kind = json_kind(doc);
    if (!kind || strcmp(kind, "switch-state") != 0) {
        rc = base_err_set(err, BASE_MALFORMED, "not a document of kind switch-state");
    } else {
        const struct json_node *o = json_root(doc);
        copy(ret->model, json_str(o, "model"));
        copy(ret->firmware, json_str(o, "firmware"));
        copy(ret->dialect, json_str(o, "dialect"));
        proven = json_str(o, "proven");
        for (int i = 0; proven && i < 3; i++)
            if (!strcmp(proven, proven_names[i]))
                ret->proven = (enum sw_proven)i;
        ret->has_mac = json_str(o, "mac") && base_mac_parse(json_str(o, "mac"), &mac);
        if (ret->has_mac)
            memcpy(ret->mac, mac.b, 6);
        ret->unsaved = tri_of(o, "unsaved");
        parse_ports(json_get(o, "ports"), ret);
        ret->lags_unknown = !json_get(o, "lags") || json_type(json_get(o, "lags")) != JSON_ARRAY;
        rc = parse_lags(json_get(o, "lags"), ret, err);
        parse_rest(o, ret);
    }
    json_free(doc);
    return rc;
}

int sw_macs_parse(const char *text, size_t n, struct sw_mac **ret, size_t *ret_n,
                  struct base_err *err)
{
    const struct json_node *list;
    struct json_doc *doc;
    size_t k = 0;
    int rc = json_parse(text, n, &doc, err);
    *ret = NULL;
    *ret_n = 0;
    if (rc)
        return rc;
    list = json_get(json_root(doc), "macs");
    for (const struct json_node *v = list ? json_first(list) : NULL; v; v = json_next(v))
        k++;
    if (list && !(*ret = calloc(k + 1, sizeof(**ret))))
        rc = base_err_set(err, BASE_NO_MEMORY, "out of memory");
    for (const struct json_node *v = list && !rc ? json_first(list) : NULL; v; v = json_next(v)) {
        struct sw_mac *m = &(*ret)[*ret_n];
        struct base_mac mac;
        if (!json_str(v, "mac") || !base_mac_parse(json_str(v, "mac"), &mac))
            continue;
        memcpy(m->mac, mac.b, 6);
        m->vlan = number(v, "vlan");
        m->port = number(v, "port");
        m->lag = number(v, "lag");
        m->is_static = json_flag(v, "static", false);
        (*ret_n)++;
    }
    json_free(doc);
    return rc;
}
