/* SPDX-License-Identifier: MIT */
/* test_message.c - netlink messages: writing with a bound, walking attributes, RTM_NEWLINK of a bond, a member, a VLAN. */
#include "unit.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "codec.h"

static const struct nlmsghdr *head(const struct nl_msg_buf *m)
{
    return (const struct nlmsghdr *)(const void *)m->b;
}

static void exact_bytes(void **state)
{
    static const uint8_t want[] = { 36,  0,   0, 0, 16,   0,    1,    0,    0,    0, 0, 0,
                                    0,   0,   0, 0, 0x11, 0x22, 0x33, 0x44, 7,    0, 3, 0,
                                    'a', 'b', 0, 0, 8,    0,    4,    0,    0xdc, 5, 0, 0 };
    const uint8_t fixed[4] = { 0x11, 0x22, 0x33, 0x44 };
    struct nl_msg_buf m;
    (void)state;
    memset(&m, 0xee, sizeof(m));
    nl_begin(&m, 16, 1, fixed, 4);
    nl_put_str(&m, 3, "ab");
    nl_put_u32(&m, 4, 1500);
    assert_false(m.bad);
    assert_int_equal(m.n, sizeof(want));
    assert_memory_equal(m.b, want, 8);
    assert_memory_equal(m.b + 16, want + 16, sizeof(want) - 16);
}

static void messages_are_bounded(void **state)
{
    static uint8_t big[NL_MSG_MAX];
    struct nl_msg_buf m;
    size_t n;
    (void)state;
    nl_begin(&m, 16, 0, "", 0);
    nl_put(&m, 1, big, sizeof(big));
    assert_true(m.bad);
    nl_begin(&m, 16, 0, "", 0);
    nl_put(&m, 1, big, 70000);
    assert_true(m.bad);
    nl_begin(&m, 16, 0, "", 0);
    for (int i = 0; i < 5000 && !m.bad; i++) {
        size_t mark = nl_nest(&m, 1);
        nl_put_u8(&m, 2, 3);
        nl_nest_end(&m, mark);
    }
    assert_true(m.bad);
    n = m.n;
    assert_true(n <= NL_MSG_MAX);
    nl_put_u8(&m, 2, 3); /* sticky, though this one may fit */
    assert_int_equal(m.n, n);
    nl_begin(&m, 16, 0, "", 0);
    nl_put(&m, 1, big, NL_MSG_MAX - 16 - 4);
    assert_false(m.bad);
    assert_int_equal(m.n, NL_MSG_MAX);
}

static void walking(void **state)
{
    struct nl_msg_buf m;
    struct nl_attr_view a, inner;
    const uint8_t *p, *q;
    size_t n, k, mark;
    bool bad = false;
    char text[4];
    (void)state;
    nl_begin(&m, 16, 0, "", 0);
    nl_put_u8(&m, 1, 0x81);
    nl_put_u16(&m, 2 | NLA_F_NET_BYTEORDER, 0x1234);
    mark = nl_nest(&m, 3);
    nl_put_str(&m, 4, "long");
    nl_nest_end(&m, mark);
    nl_put(&m, 5, NULL, 0);
    p = m.b + NLMSG_HDRLEN;
    n = m.n - NLMSG_HDRLEN;
    assert_true(nl_next_attr(&p, &n, &a, &bad));
    assert_int_equal(nl_u8(a), 0x81);
    assert_int_equal(nl_u16(a), 0); /* too short */
    assert_int_equal(nl_u32(a), 0);
    assert_int_equal(nl_u64(a), 0);
    assert_true(nl_next_attr(&p, &n, &a, &bad));
    assert_int_equal(a.type, 2);
    assert_int_equal(nl_u16(a), 0x1234);
    assert_true(nl_next_attr(&p, &n, &a, &bad));
    assert_int_equal(a.type, 3);
    q = a.p;
    k = a.n;
    assert_true(nl_next_attr(&q, &k, &inner, &bad));
    nl_text(inner, text, sizeof(text));
    assert_string_equal(text, "lon");
    assert_false(nl_next_attr(&q, &k, &inner, &bad));
    assert_true(nl_next_attr(&p, &n, &a, &bad));
    assert_int_equal(a.n, 0);
    assert_int_equal(nl_u8(a), 0);
    assert_false(nl_next_attr(&p, &n, &a, &bad));
    assert_false(bad);
}

static void broken_attributes(void **state)
{
    static const struct {
        uint8_t b[8];
        size_t n;
    } rows[] = { { { 4 }, 1 },
                 { { 4, 0, 1 }, 3 },
                 { { 0, 0, 1, 0 }, 4 },
                 { { 3, 0, 1, 0 }, 4 },
                 { { 9, 0, 1, 0, 1, 2, 3, 4 }, 8 },
                 { { 0xff, 0xff, 1, 0 }, 4 } };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint8_t *copy = malloc(rows[i].n);
        const uint8_t *p = copy;
        size_t n = rows[i].n;
        struct nl_attr_view a;
        bool bad = false;
        memcpy(copy, rows[i].b, n);
        assert_false(nl_next_attr(&p, &n, &a, &bad));
        assert_true(bad);
        free(copy);
    }
}

static void begin_link(struct nl_msg_buf *m, int index, const char *name)
{
    struct ifinfomsg ifi = { .ifi_index = index, .ifi_type = 1, .ifi_flags = IFF_UP };
    nl_begin(m, RTM_NEWLINK, 0, &ifi, sizeof(ifi));
    nl_put_str(m, IFLA_IFNAME, name);
    nl_put_u32(m, IFLA_MTU, 9000);
    nl_put_u32(m, IFLA_MIN_MTU, 68);
    nl_put_u32(m, IFLA_MAX_MTU, 65535);
    nl_put(m, IFLA_ADDRESS, "\x02\x00\x5e\x00\x00\x01", 6);
    nl_put_u8(m, IFLA_CARRIER, 1);
    nl_put_u8(m, IFLA_OPERSTATE, 6);
}

/* A bond with every option of the table. */
static void put_bond(struct nl_msg_buf *m, const struct link_bond_opts *o)
{
    size_t info, data, ad;
    begin_link(m, 7, "bond0");
    info = nl_nest(m, IFLA_LINKINFO);
    nl_put_str(m, IFLA_INFO_KIND, "bond");
    data = nl_nest(m, IFLA_INFO_DATA);
    nl_put_bond_opts(m, o);
    ad = nl_nest(m, IFLA_BOND_AD_INFO);
    nl_put_u16(m, IFLA_BOND_AD_INFO_AGGREGATOR, 3);
    nl_put_u16(m, IFLA_BOND_AD_INFO_NUM_PORTS, 2);
    nl_put_u16(m, IFLA_BOND_AD_INFO_ACTOR_KEY, 15);
    nl_put_u16(m, IFLA_BOND_AD_INFO_PARTNER_KEY, 1000);
    nl_put(m, IFLA_BOND_AD_INFO_PARTNER_MAC, "\x02\x00\x5e\x00\x00\x99", 6);
    nl_nest_end(m, ad);
    nl_nest_end(m, data);
    nl_nest_end(m, info);
    assert_false(m->bad);
}

static struct link_bond_opts every_option(void)
{
    struct link_bond_opts o = { .n_arp_ip = 2, .n_ns_ip6 = 1 };
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        const struct link_bond_opt_info *t = link_bond_opt_info((enum link_bond_opt)i);
        uint64_t v = t->width == 1   ? 0x81
                     : t->width == 2 ? 0x8102
                     : t->width == 4 ? 0x81020304
                                     : 0x02005e001122;
        link_bond_put(&o, (enum link_bond_opt)i,
                      t->type == LINK_IP4S || t->type == LINK_IP6S ? 0 : v);
    }
    o.arp_ip[0].s_addr = 0x01020304;
    o.arp_ip[1].s_addr = 0x05060708;
    memset(&o.ns_ip6[0], 0xfd, 16);
    return o;
}

static void link_of_a_bond(void **state)
{
    struct link_bond_opts o = every_option();
    struct nl_msg_buf m;
    struct link_iface got;
    (void)state;
    put_bond(&m, &o);
    assert_int_equal(nl_parse_link(head(&m), &got, NULL), 0);
    assert_int_equal(got.ifindex, 7);
    assert_string_equal(got.name, "bond0");
    assert_string_equal(got.kind, "bond");
    assert_true(got.is_bond && !got.is_member && !got.is_vlan);
    assert_int_equal(got.mtu, 9000);
    assert_int_equal(got.max_mtu, 65535);
    assert_int_equal(got.carrier, 1);
    assert_int_equal(got.oper, 6);
    assert_true(got.bond.has_lacp);
    assert_int_equal(got.bond.lacp.aggregator_id, 3);
    assert_int_equal(got.bond.lacp.partner_key, 1000);
    assert_memory_equal(got.bond.lacp.partner_mac, "\x02\x00\x5e\x00\x00\x99", 6);
    assert_true(got.bond.opts.present == o.present);
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        const struct link_bond_opt_info *t = link_bond_opt_info((enum link_bond_opt)i);
        if (t->type != LINK_IP4S && t->type != LINK_IP6S)
            assert_true(got.bond.opts.num[i] == o.num[i]);
    }
    assert_int_equal(got.bond.opts.n_arp_ip, 2);
    assert_int_equal(got.bond.opts.arp_ip[1].s_addr, 0x05060708);
    assert_int_equal(got.bond.opts.n_ns_ip6, 1);
    assert_memory_equal(&got.bond.opts.ns_ip6[0], &o.ns_ip6[0], 16);
}

static void more_targets_than_there_can_be(void **state)
{
    struct nl_msg_buf m;
    struct link_iface got;
    size_t info, data, list;
    (void)state;
    begin_link(&m, 7, "bond0");
    info = nl_nest(&m, IFLA_LINKINFO);
    nl_put_str(&m, IFLA_INFO_KIND, "bond");
    data = nl_nest(&m, IFLA_INFO_DATA);
    list = nl_nest(&m, IFLA_BOND_ARP_IP_TARGET);
    for (unsigned i = 0; i < LINK_BOND_TARGETS + 4; i++)
        nl_put_u32(&m, (uint16_t)i, i);
    nl_nest_end(&m, list);
    nl_nest_end(&m, data);
    nl_nest_end(&m, info);
    assert_int_equal(nl_parse_link(head(&m), &got, NULL), 0);
    assert_int_equal(got.bond.opts.n_arp_ip, LINK_BOND_TARGETS);
}

static void put_member(struct nl_msg_buf *m)
{
    size_t info, data;
    struct rtnl_link_stats64 stats = { .rx_packets = 1,
                                       .tx_packets = 2,
                                       .rx_bytes = 3,
                                       .tx_bytes = 4,
                                       .rx_dropped = 5,
                                       .rx_nohandler = 6 };
    begin_link(m, 8, "eth1");
    nl_put_u32(m, IFLA_MASTER, 7);
    nl_put(m, IFLA_PERM_ADDRESS, "\x02\x00\x5e\x00\x00\x08", 6);
    nl_put(m, IFLA_STATS64, &stats, sizeof(stats));
    info = nl_nest(m, IFLA_LINKINFO);
    nl_put_str(m, IFLA_INFO_SLAVE_KIND, "bond");
    data = nl_nest(m, IFLA_INFO_SLAVE_DATA);
    nl_put_u8(m, IFLA_BOND_SLAVE_STATE, 0);
    nl_put_u8(m, IFLA_BOND_SLAVE_MII_STATUS, 0);
    nl_put_u32(m, IFLA_BOND_SLAVE_LINK_FAILURE_COUNT, 9);
    nl_put(m, IFLA_BOND_SLAVE_PERM_HWADDR, "\x02\x00\x5e\x00\x00\x08", 6);
    nl_put_u16(m, IFLA_BOND_SLAVE_QUEUE_ID, 4);
    nl_put_u16(m, IFLA_BOND_SLAVE_AD_AGGREGATOR_ID, 3);
    nl_put_u8(m, IFLA_BOND_SLAVE_AD_ACTOR_OPER_PORT_STATE, 0x3d);
    nl_put_u16(m, IFLA_BOND_SLAVE_AD_PARTNER_OPER_PORT_STATE, 0x3f);
    nl_put_u32(m, IFLA_BOND_SLAVE_PRIO, (uint32_t)-5);
    nl_nest_end(m, data);
    nl_nest_end(m, info);
    assert_false(m->bad);
}

static void link_of_a_member(void **state)
{
    struct nl_msg_buf m;
    struct link_iface got;
    (void)state;
    put_member(&m);
    assert_int_equal(nl_parse_link(head(&m), &got, NULL), 0);
    assert_true(got.is_member && !got.is_bond);
    assert_int_equal(got.master, 7);
    assert_true(got.has_perm_mac);
    assert_true(got.member.active && got.member.mii_up);
    assert_int_equal(got.member.link_failures, 9);
    assert_int_equal(got.member.queue_id, 4);
    assert_int_equal(got.member.aggregator_id, 3);
    assert_int_equal(got.member.actor_state, 0x3d);
    assert_int_equal(got.member.partner_state, 0x3f);
    assert_int_equal(got.member.prio, -5);
    assert_int_equal(got.member.actor_port_prio, LINK_UNKNOWN); /* of a newer kernel */
    assert_int_equal(got.member.actor_churn, LINK_UNKNOWN);
    assert_true(got.counters.known);
    assert_int_equal(got.counters.rx_nohandler, 6);
}

static void counters_of_an_older_kernel(void **state)
{
    uint8_t stats[23 * 8]; /* without rx_nohandler */
    struct nl_msg_buf m;
    struct link_iface got;
    (void)state;
    memset(stats, 0, sizeof(stats));
    stats[0] = 42;
    begin_link(&m, 8, "eth1");
    nl_put(&m, IFLA_STATS64, stats, sizeof(stats));
    assert_int_equal(nl_parse_link(head(&m), &got, NULL), 0);
    assert_int_equal(got.counters.rx_packets, 42);
    assert_int_equal(got.counters.rx_nohandler, 0);
}

static void put_vlan(struct nl_msg_buf *m)
{
    size_t info, data;
    begin_link(m, 9, "bond0.20");
    nl_put_u32(m, IFLA_LINK, 7);
    info = nl_nest(m, IFLA_LINKINFO);
    nl_put_str(m, IFLA_INFO_KIND, "vlan");
    data = nl_nest(m, IFLA_INFO_DATA);
    nl_put_u16(m, IFLA_VLAN_ID, 20);
    nl_put(m, IFLA_VLAN_PROTOCOL, "\x88\xa8", 2);
    nl_nest_end(m, data);
    nl_nest_end(m, info);
}

static void link_of_a_vlan(void **state)
{
    struct nl_msg_buf m;
    struct link_iface got;
    (void)state;
    put_vlan(&m);
    assert_int_equal(nl_parse_link(head(&m), &got, NULL), 0);
    assert_true(got.is_vlan);
    assert_int_equal(got.vlan.id, 20);
    assert_int_equal(got.vlan.protocol, 0x88a8);
    assert_int_equal(got.lower, 7);
    assert_int_equal(got.lower_netns, LINK_UNKNOWN);
}

static void names_of_impossible_length_are_cut(void **state)
{
    struct nl_msg_buf m;
    struct link_iface got;
    char text[200];
    size_t info;
    (void)state;
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    begin_link(&m, 1, text);
    info = nl_nest(&m, IFLA_LINKINFO);
    nl_put(&m, IFLA_INFO_KIND, text, sizeof(text) - 1); /* not even terminated */
    nl_put_str(&m, IFLA_INFO_SLAVE_KIND, text);
    nl_nest_end(&m, info);
    nl_put(&m, IFLA_ADDRESS, text, 20); /* InfiniBand */
    assert_int_equal(nl_parse_link(head(&m), &got, NULL), 0);
    assert_int_equal(strlen(got.name), 15);
    assert_int_equal(strlen(got.kind), sizeof(got.kind) - 1);
    assert_memory_equal(got.mac, "\x02\x00\x5e\x00\x00\x01", 6); /* the other is no MAC address */
}

/* As it would arrive in a buffer that ends where the message ends. */
static void try_message(const uint8_t *p, size_t n, bool cut)
{
    struct nlmsghdr *h = (struct nlmsghdr *)(void *)(uintptr_t)p;
    struct link_iface got;
    if (n < NLMSG_HDRLEN)
        return; /* the engine below does not hand these on */
    h->nlmsg_len = (uint32_t)n;
    (void)cut;
    (void)nl_parse_link(h, &got, NULL);
}

static void mangled_messages(void **state)
{
    struct link_bond_opts o = every_option();
    struct nl_msg_buf m;
    struct link_iface got;
    (void)state;
    put_bond(&m, &o);
    unit_mangle(m.b, m.n, 20000, try_message);
    put_member(&m);
    unit_mangle(m.b, m.n, 20000, try_message);
    put_vlan(&m);
    unit_mangle(m.b, m.n, 20000, try_message);
    ((struct nlmsghdr *)(void *)m.b)->nlmsg_len = NLMSG_HDRLEN + 4;
    assert_true(nl_parse_link(head(&m), &got, NULL) < 0);
}

UNIT_TESTS(T(exact_bytes), T(messages_are_bounded), T(walking), T(broken_attributes),
           T(link_of_a_bond), T(more_targets_than_there_can_be), T(link_of_a_member),
           T(counters_of_an_older_kernel), T(link_of_a_vlan), T(names_of_impossible_length_are_cut),
           T(mangled_messages))
