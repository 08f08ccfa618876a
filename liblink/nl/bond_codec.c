/* SPDX-License-Identifier: MIT */
/* bond_codec.c - bond options and member facts to and from IFLA_INFO_DATA, driven by the option table. */
#include "codec.h"

#include <linux/if_link.h>
#include <string.h>

#define SLAVE_ACTOR_PORT_PRIO 10 /* IFLA_BOND_SLAVE_*, kernel 6.18 and later */
#define SLAVE_CHURN_ACTOR     11
#define SLAVE_CHURN_PARTNER   12

static void put_list(struct nl_msg_buf *m, uint16_t attr, const uint8_t *p, unsigned n, size_t each)
{
    size_t mark = nl_nest(m, attr);
    for (unsigned i = 0; i < n; i++)
        nl_put(m, (uint16_t)i, p + i * each, each);
    nl_nest_end(m, mark);
}

static void put_number(struct nl_msg_buf *m, const struct link_bond_opt_info *t, uint64_t v)
{
    uint8_t mac[6];
    switch (t->width) {
    case 1:
        nl_put_u8(m, t->attr, (uint8_t)v);
        break;
    case 2:
        nl_put_u16(m, t->attr, (uint16_t)v);
        break;
    case 4:
        nl_put_u32(m, t->attr, (uint32_t)v);
        break;
    default:
        for (int i = 0; i < 6; i++)
            mac[i] = (uint8_t)(v >> (40 - 8 * i));
        nl_put(m, t->attr, mac, sizeof(mac));
    }
}

void nl_put_bond_opts(struct nl_msg_buf *m, const struct link_bond_opts *o)
{
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        const struct link_bond_opt_info *t = link_bond_opt_info((enum link_bond_opt)i);
        if (!link_bond_has(o, (enum link_bond_opt)i))
            continue;
        if (t->type == LINK_IP4S)
            put_list(m, t->attr, (const uint8_t *)o->arp_ip, o->n_arp_ip, sizeof(o->arp_ip[0]));
        else if (t->type == LINK_IP6S)
            put_list(m, t->attr, (const uint8_t *)o->ns_ip6, o->n_ns_ip6, sizeof(o->ns_ip6[0]));
        else
            put_number(m, t, o->num[i]);
    }
}

static uint64_t get_number(struct nl_attr_view a)
{
    uint64_t v = 0;
    switch (a.n) {
    case 1:
        return nl_u8(a);
    case 2:
        return nl_u16(a);
    case 4:
        return nl_u32(a);
    case 6:
        for (int i = 0; i < 6; i++)
            v = v << 8 | a.p[i];
        return v;
    default:
        return 0;
    }
}

static bool get_list(struct nl_attr_view a, void *to, unsigned *count, size_t each)
{
    const uint8_t *p = a.p;
    size_t left = a.n;
    struct nl_attr_view one;
    bool bad = false;
    *count = 0;
    while (*count < LINK_BOND_TARGETS && nl_next_attr(&p, &left, &one, &bad))
        if (one.n == each)
            memcpy((uint8_t *)to + each * (*count)++, one.p, each);
    return !bad;
}

static bool get_opt(struct link_bond_opts *o, struct nl_attr_view a)
{
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        const struct link_bond_opt_info *t = link_bond_opt_info((enum link_bond_opt)i);
        if (t->attr != a.type)
            continue;
        link_bond_put(o, (enum link_bond_opt)i, get_number(a));
        if (t->type == LINK_IP4S)
            return get_list(a, o->arp_ip, &o->n_arp_ip, sizeof(o->arp_ip[0]));
        if (t->type == LINK_IP6S)
            return get_list(a, o->ns_ip6, &o->n_ns_ip6, sizeof(o->ns_ip6[0]));
        return true;
    }
    return true; /* of a newer kernel */
}

static bool get_lacp(struct nl_attr_view info, struct link_lacp *ret)
{
    struct nl_attr_view a;
    bool bad = false;
    while (nl_next_attr(&info.p, &info.n, &a, &bad)) {
        if (a.type == IFLA_BOND_AD_INFO_AGGREGATOR)
            ret->aggregator_id = nl_u16(a);
        else if (a.type == IFLA_BOND_AD_INFO_NUM_PORTS)
            ret->ports = nl_u16(a);
        else if (a.type == IFLA_BOND_AD_INFO_ACTOR_KEY)
            ret->actor_key = nl_u16(a);
        else if (a.type == IFLA_BOND_AD_INFO_PARTNER_KEY)
            ret->partner_key = nl_u16(a);
        else if (a.type == IFLA_BOND_AD_INFO_PARTNER_MAC && a.n == 6)
            memcpy(ret->partner_mac, a.p, 6);
    }
    return !bad;
}

bool nl_parse_bond(struct nl_attr_view data, struct link_bond *ret)
{
    struct nl_attr_view a;
    bool bad = false, good = true;
    while (nl_next_attr(&data.p, &data.n, &a, &bad)) {
        if (a.type == IFLA_BOND_AD_INFO) {
            ret->has_lacp = true;
            good = get_lacp(a, &ret->lacp) && good;
        } else {
            good = get_opt(&ret->opts, a) && good;
        }
    }
    return good && !bad;
}

bool nl_parse_member(struct nl_attr_view data, struct link_member *ret)
{
    struct nl_attr_view a;
    bool bad = false;
    *ret = (struct link_member){ .aggregator_id = LINK_UNKNOWN,
                                 .actor_state = LINK_UNKNOWN,
                                 .partner_state = LINK_UNKNOWN,
                                 .actor_port_prio = LINK_UNKNOWN,
                                 .actor_churn = LINK_UNKNOWN,
                                 .partner_churn = LINK_UNKNOWN,
                                 .position = LINK_UNKNOWN };
    while (nl_next_attr(&data.p, &data.n, &a, &bad)) {
        switch (a.type) {
        case IFLA_BOND_SLAVE_STATE:
            ret->active = nl_u8(a) == 0;
            break;
        case IFLA_BOND_SLAVE_MII_STATUS:
            ret->mii_up = nl_u8(a) == 0;
            break;
        case IFLA_BOND_SLAVE_LINK_FAILURE_COUNT:
            ret->link_failures = nl_u32(a);
            break;
        case IFLA_BOND_SLAVE_PERM_HWADDR:
            if (a.n == 6)
                memcpy(ret->perm_mac, a.p, 6);
            break;
        case IFLA_BOND_SLAVE_QUEUE_ID:
            ret->queue_id = nl_u16(a);
            break;
        case IFLA_BOND_SLAVE_AD_AGGREGATOR_ID:
            ret->aggregator_id = nl_u16(a);
            break;
        case IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE:
            ret->actor_state = nl_u8(a);
            break;
        case IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE:
            ret->partner_state = nl_u16(a) & 0xff;
            break;
        case IFLA_BOND_SLAVE_PRIO:
            ret->prio = (int32_t)nl_u32(a);
            break;
        case SLAVE_ACTOR_PORT_PRIO:
            ret->actor_port_prio = nl_u16(a);
            break;
        case SLAVE_CHURN_ACTOR:
            ret->actor_churn = nl_u8(a);
            break;
        case SLAVE_CHURN_PARTNER:
            ret->partner_churn = nl_u8(a);
            break;
        default:
            break;
        }
    }
    return !bad;
}
