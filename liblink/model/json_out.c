/* SPDX-License-Identifier: MIT */
/* json_out.c - link_state to JSON; keys as CONTRACT and docs/json list them. */
#include "link/json.h"

#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mac.h"

static void mac(struct base_json *j, const char *key, const uint8_t m[6])
{
    struct base_mac v;
    char text[BASE_MAC_TEXT];
    memcpy(v.b, m, 6);
    base_json_str(j, key, base_mac_format(v, text));
}

static void known_int(struct base_json *j, const char *key, int v)
{
    if (v == LINK_UNKNOWN)
        base_json_null(j, key);
    else
        base_json_int(j, key, v);
}

static const char *name_of(const struct link_state *st, int ifindex)
{
    const struct link_iface *i = ifindex ? link_find_index(st, ifindex) : NULL;
    return i ? i->name : NULL;
}

static void lacp_bits(struct base_json *j, const char *key, int state)
{
    static const char *const words[] = { "activity",        "timeout",    "aggregation",
                                         "synchronization", "collecting", "distributing",
                                         "defaulted",       "expired" };
    if (state == LINK_UNKNOWN) {
        base_json_null(j, key);
        return;
    }
    base_json_arr(j, key);
    for (int i = 0; i < 8; i++)
        if (state >> i & 1)
            base_json_str(j, NULL, words[i]);
    base_json_end(j);
}

static void member_names(struct base_json *j, const struct link_state *st, int master)
{
    const struct link_iface *m[256];
    size_t n = link_members(st, master, m, 256);
    base_json_arr(j, "members");
    for (size_t i = 0; i < n && i < 256; i++)
        base_json_str(j, NULL, m[i]->name);
    base_json_end(j);
}

static void addresses(struct base_json *j, const char *key, const char *text)
{
    base_json_arr(j, key);
    while (*text) {
        size_t n = strcspn(text, ",");
        base_json_strf(j, NULL, "%.*s", (int)n, text);
        text += n + (text[n] == ',');
    }
    base_json_end(j);
}

static void bond_option(struct base_json *j, const struct link_state *st,
                        const struct link_bond_opts *o, enum link_bond_opt opt)
{
    const struct link_bond_opt_info *t = link_bond_opt_info(opt);
    char text[LINK_BOND_TARGETS * 48];
    if (!link_bond_has(o, opt)) {
        if (t->type == LINK_DEVICE)
            base_json_null(j, t->json);
        return;
    }
    link_bond_opt_format(o, opt, text, sizeof(text));
    if (t->type == LINK_DEVICE)
        base_json_str(j, t->json, name_of(st, (int)o->num[opt]));
    else if (t->type == LINK_IP4S || t->type == LINK_IP6S)
        addresses(j, t->json, text);
    else if (t->names == link_bond_opt_info(LINK_BOND_USE_CARRIER)->names && o->num[opt] < 2)
        base_json_bool(j, t->json, o->num[opt] == 1);
    else if (t->type == LINK_NUMBER)
        base_json_uint(j, t->json, o->num[opt]);
    else
        base_json_str(j, t->json, text);
}

static void bond(struct base_json *j, const struct link_state *st, const struct link_iface *i)
{
    const struct link_lacp *l = &i->bond.lacp;
    base_json_obj(j, "bond");
    bond_option(j, st, &i->bond.opts, LINK_BOND_MODE);
    member_names(j, st, i->ifindex);
    for (int opt = 0; opt < LINK_BOND_OPTS; opt++)
        if (opt != LINK_BOND_MODE)
            bond_option(j, st, &i->bond.opts, (enum link_bond_opt)opt);
    if (i->bond.has_lacp) {
        base_json_obj(j, "lacp");
        base_json_uint(j, "aggregator_id", l->aggregator_id);
        base_json_uint(j, "ports", l->ports);
        base_json_uint(j, "actor_key", l->actor_key);
        base_json_uint(j, "partner_key", l->partner_key);
        mac(j, "partner_mac", l->partner_mac);
        base_json_end(j);
    } else {
        base_json_null(j, "lacp");
    }
    base_json_end(j);
}

static void churn(struct base_json *j, const char *key, int v)
{
    static const char *const words[] = { "churn", "monitor", "none" };
    base_json_str(j, key, v >= 0 && v < 3 ? words[v] : NULL);
}

static void member(struct base_json *j, const struct link_state *st, const struct link_iface *i)
{
    const struct link_member *m = &i->member;
    base_json_obj(j, "member");
    base_json_str(j, "of", name_of(st, i->master));
    base_json_str(j, "state", m->active ? "active" : "backup");
    base_json_str(j, "mii", m->mii_up ? "up" : "down");
    base_json_uint(j, "link_failures", m->link_failures);
    base_json_uint(j, "queue_id", m->queue_id);
    base_json_int(j, "prio", m->prio);
    known_int(j, "actor_port_prio", m->actor_port_prio);
    known_int(j, "aggregator_id", m->aggregator_id);
    lacp_bits(j, "actor_state", m->actor_state);
    lacp_bits(j, "partner_state", m->partner_state);
    base_json_obj(j, "churn");
    churn(j, "actor", m->actor_churn);
    churn(j, "partner", m->partner_churn);
    base_json_end(j);
    base_json_end(j);
}

static void kind_parts(struct base_json *j, const struct link_state *st, const struct link_iface *i)
{
    if (i->is_bond)
        bond(j, st, i);
    if (i->is_member)
        member(j, st, i);
    if (i->is_vlan) {
        base_json_obj(j, "vlan");
        base_json_uint(j, "id", i->vlan.id);
        base_json_str(j, "protocol", i->vlan.protocol == 0x88a8 ? "802.1ad" : "802.1Q");
        base_json_str(j, "lower", name_of(st, i->lower));
        base_json_end(j);
    }
    if (i->is_bridge) {
        base_json_obj(j, "bridge");
        member_names(j, st, i->ifindex);
        known_int(j, "stp", i->bridge.stp);
        known_int(j, "vlan_filtering", i->bridge.vlan_filtering);
        base_json_end(j);
    }
}

static void counters(struct base_json *j, const struct link_counters *c)
{
    base_json_obj(j, "counters");
    base_json_uint(j, "rx_packets", c->rx_packets);
    base_json_uint(j, "tx_packets", c->tx_packets);
    base_json_uint(j, "rx_bytes", c->rx_bytes);
    base_json_uint(j, "tx_bytes", c->tx_bytes);
    base_json_uint(j, "rx_dropped", c->rx_dropped);
    base_json_uint(j, "rx_errors", c->rx_errors);
    base_json_uint(j, "tx_dropped", c->tx_dropped);
    base_json_uint(j, "tx_errors", c->tx_errors);
    base_json_uint(j, "rx_nohandler", c->rx_nohandler);
    base_json_end(j);
}

static void iface(struct base_json *j, const struct link_state *st, const struct link_iface *i)
{
    static const char *const duplexes[] = { NULL, "half", "full" };
    const char *kind = i->kind[0] ? i->kind : i->flags & IFF_LOOPBACK ? "loopback" : "physical";
    base_json_obj(j, NULL);
    base_json_str(j, "name", i->name);
    base_json_int(j, "ifindex", i->ifindex);
    base_json_str(j, "kind", kind);
    base_json_uint(j, "mtu_bytes", i->mtu);
    base_json_uint(j, "min_mtu_bytes", i->min_mtu);
    if (i->max_mtu)
        base_json_uint(j, "max_mtu_bytes", i->max_mtu);
    else
        base_json_null(j, "max_mtu_bytes");
    mac(j, "mac", i->mac);
    if (i->has_perm_mac || i->is_member)
        mac(j, "perm_mac", i->is_member ? i->member.perm_mac : i->perm_mac);
    else
        base_json_null(j, "perm_mac");
    base_json_str(j, "admin", i->flags & IFF_UP ? "up" : "down");
    base_json_str(j, "oper", link_oper_name(i->oper));
    if (i->carrier == LINK_UNKNOWN)
        base_json_null(j, "carrier");
    else
        base_json_bool(j, "carrier", i->carrier == 1);
    known_int(j, "speed_mbps", i->speed_mbps);
    base_json_str(j, "duplex", duplexes[i->duplex]);
    base_json_str(j, "master", name_of(st, i->master));
    base_json_str(j, "driver", i->driver[0] ? i->driver : NULL);
    kind_parts(j, st, i);
    if (i->counters.known)
        counters(j, &i->counters);
    base_json_end(j);
}

static bool wanted(const struct link_iface *i, const char *const *only, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!strcmp(only[k], i->name))
            return true;
    return n == 0;
}

int link_state_json(const struct link_state *st, const char *const *only, size_t n_only, char **ret,
                    struct base_err *err)
{
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    base_json_doc(&j, "link-state");
    base_json_arr(&j, "interfaces");
    for (size_t i = 0; i < st->n; i++)
        if (wanted(&st->v[i], only, n_only))
            iface(&j, st, &st->v[i]);
    base_json_end(&j);
    base_json_end(&j);
    *ret = base_buf_take(&b);
    return *ret ? 0 : base_err_set(err, BASE_NO_MEMORY, "out of memory");
}
