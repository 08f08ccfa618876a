/* SPDX-License-Identifier: MIT */
/* link_codec.c - RTM_NEWLINK to struct link_iface. */
#include "codec.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>

#ifndef IFLA_PERM_ADDRESS
#define IFLA_PERM_ADDRESS 54
#endif

static bool parse_vlan(struct nl_attr_view data, struct link_vlan *ret)
{
    struct nl_attr_view a;
    bool bad = false;
    while (nl_next_attr(&data.p, &data.n, &a, &bad)) {
        if (a.type == IFLA_VLAN_ID)
            ret->id = nl_u16(a);
        else if (a.type == IFLA_VLAN_PROTOCOL && a.n == 2)
            ret->protocol = (unsigned)(a.p[0] << 8 | a.p[1]);
    }
    return !bad;
}

static bool parse_bridge(struct nl_attr_view data, struct link_bridge *ret)
{
    struct nl_attr_view a;
    bool bad = false;
    *ret = (struct link_bridge){ .stp = LINK_UNKNOWN, .vlan_filtering = LINK_UNKNOWN };
    while (nl_next_attr(&data.p, &data.n, &a, &bad)) {
        if (a.type == IFLA_BR_STP_STATE)
            ret->stp = nl_u32(a) != 0;
        else if (a.type == IFLA_BR_VLAN_FILTERING)
            ret->vlan_filtering = nl_u8(a) != 0;
    }
    return !bad;
}

static bool parse_info(struct nl_attr_view info, struct link_iface *ret)
{
    struct nl_attr_view a, data = { 0 }, slave = { 0 };
    bool bad = false, good = true;
    while (nl_next_attr(&info.p, &info.n, &a, &bad)) {
        if (a.type == IFLA_INFO_KIND)
            nl_text(a, ret->kind, sizeof(ret->kind));
        else if (a.type == IFLA_INFO_SLAVE_KIND)
            nl_text(a, ret->member_kind, sizeof(ret->member_kind));
        else if (a.type == IFLA_INFO_DATA)
            data = a;
        else if (a.type == IFLA_INFO_SLAVE_DATA)
            slave = a;
    }
    ret->is_bond = !strcmp(ret->kind, "bond");
    ret->is_vlan = !strcmp(ret->kind, "vlan");
    ret->is_bridge = !strcmp(ret->kind, "bridge");
    ret->is_member = !strcmp(ret->member_kind, "bond");
    if (ret->is_bond)
        good = nl_parse_bond(data, &ret->bond);
    else if (ret->is_vlan)
        good = parse_vlan(data, &ret->vlan);
    else if (ret->is_bridge)
        good = parse_bridge(data, &ret->bridge);
    if (ret->is_member)
        good = nl_parse_member(slave, &ret->member) && good;
    return good && !bad;
}

/* struct rtnl_link_stats64: its length grew over time (rx_nohandler came in 4.6). */
static void parse_counters(struct nl_attr_view a, struct link_counters *ret)
{
    struct rtnl_link_stats64 s = { 0 };
    memcpy(&s, a.p, a.n < sizeof(s) ? a.n : sizeof(s));
    *ret = (struct link_counters){ .known = true,
                                   .rx_packets = s.rx_packets,
                                   .tx_packets = s.tx_packets,
                                   .rx_bytes = s.rx_bytes,
                                   .tx_bytes = s.tx_bytes,
                                   .rx_dropped = s.rx_dropped,
                                   .rx_errors = s.rx_errors,
                                   .tx_errors = s.tx_errors,
                                   .tx_dropped = s.tx_dropped,
                                   .rx_nohandler = s.rx_nohandler };
}

static bool one_attr(struct nl_attr_view a, struct link_iface *ret)
{
    switch (a.type) {
    case IFLA_IFNAME:
        nl_text(a, ret->name, sizeof(ret->name));
        break;
    case IFLA_MTU:
        ret->mtu = nl_u32(a);
        break;
    case IFLA_MIN_MTU:
        ret->min_mtu = nl_u32(a);
        break;
    case IFLA_MAX_MTU:
        ret->max_mtu = nl_u32(a);
        break;
    case IFLA_ADDRESS:
        if (a.n == 6)
            memcpy(ret->mac, a.p, 6);
        break;
    case IFLA_PERM_ADDRESS:
        ret->has_perm_mac = a.n == 6;
        if (a.n == 6)
            memcpy(ret->perm_mac, a.p, 6);
        break;
    case IFLA_MASTER:
        ret->master = (int)nl_u32(a);
        break;
    case IFLA_LINK:
        ret->lower = (int)nl_u32(a);
        break;
    case IFLA_LINK_NETNSID:
        ret->lower_netns = (int)nl_u32(a);
        break;
    case IFLA_CARRIER:
        ret->carrier = nl_u8(a);
        break;
    case IFLA_OPERSTATE:
        ret->oper = nl_u8(a);
        break;
    case IFLA_STATS64:
        parse_counters(a, &ret->counters);
        break;
    case IFLA_LINKINFO:
        return parse_info(a, ret);
    default:
        break;
    }
    return true;
}

int nl_parse_link(const struct nlmsghdr *h, struct link_iface *ret, struct base_err *err)
{
    const uint8_t *p = (const uint8_t *)h + NLMSG_HDRLEN;
    size_t n = h->nlmsg_len - NLMSG_HDRLEN;
    struct nl_attr_view a;
    struct ifinfomsg ifi;
    bool bad = false, good = true;
    *ret = (struct link_iface){ .carrier = LINK_UNKNOWN,
                                .speed_mbps = LINK_UNKNOWN,
                                .lower_netns = LINK_UNKNOWN };
    if (h->nlmsg_len < NLMSG_HDRLEN + sizeof(ifi))
        return base_err_set(err, BASE_MALFORMED, "link message of %u bytes is too short",
                            h->nlmsg_len);
    memcpy(&ifi, p, sizeof(ifi));
    ret->ifindex = ifi.ifi_index;
    ret->type = ifi.ifi_type;
    ret->flags = ifi.ifi_flags;
    p += NLMSG_ALIGN(sizeof(ifi));
    n = n > NLMSG_ALIGN(sizeof(ifi)) ? n - NLMSG_ALIGN(sizeof(ifi)) : 0;
    while (nl_next_attr(&p, &n, &a, &bad))
        good = one_attr(a, ret) && good;
    if (bad || !good)
        return base_err_set(err, BASE_MALFORMED, "broken attributes in a link message (ifindex %d)",
                            ret->ifindex);
    return 0;
}
