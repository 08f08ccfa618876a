/* SPDX-License-Identifier: MIT */
/* test_mtu_plan.c - which devices get which MTU in which order, on a host with a bond, VLANs on it, and a bridge. */
#include "unit.h"

#include "link/mtu.h"

enum { ETH1 = 2, ETH2, ETH3, BOND0, VLAN20, VLAN30, BR0, VETH };

/*  eth1, eth2 -> bond0 -> bond0.20, bond0.30 -> br0;  eth3 alone;  veth with its peer in another namespace */
static struct link_iface devices[] = {
    { .ifindex = ETH1,
      .name = "eth1",
      .mtu = 1500,
      .min_mtu = 68,
      .max_mtu = 9600,
      .master = BOND0,
      .member_kind = "bond",
      .is_member = true },
    { .ifindex = ETH2,
      .name = "eth2",
      .mtu = 1500,
      .min_mtu = 68,
      .max_mtu = 9000,
      .master = BOND0,
      .member_kind = "bond",
      .is_member = true },
    { .ifindex = ETH3, .name = "eth3", .mtu = 1500, .min_mtu = 68, .max_mtu = 1500 },
    { .ifindex = BOND0,
      .name = "bond0",
      .kind = "bond",
      .mtu = 1500,
      .min_mtu = 68,
      .max_mtu = 65535,
      .is_bond = true },
    { .ifindex = VLAN20,
      .name = "bond0.20",
      .kind = "vlan",
      .mtu = 1500,
      .max_mtu = 65535,
      .is_vlan = true,
      .lower = BOND0,
      .lower_netns = LINK_UNKNOWN },
    { .ifindex = VLAN30,
      .name = "bond0.30",
      .kind = "vlan",
      .mtu = 1500,
      .max_mtu = 65535,
      .is_vlan = true,
      .lower = BOND0,
      .lower_netns = LINK_UNKNOWN,
      .master = BR0,
      .member_kind = "bridge" },
    { .ifindex = BR0,
      .name = "br0",
      .kind = "bridge",
      .mtu = 1500,
      .min_mtu = 68,
      .max_mtu = 65535,
      .is_bridge = true },
    { .ifindex = VETH,
      .name = "veth0",
      .kind = "veth",
      .mtu = 1500,
      .min_mtu = 68,
      .max_mtu = 65535,
      .lower = ETH3,
      .lower_netns = 0 },
};

struct host {
    struct link_iface v[sizeof(devices) / sizeof(devices[0])];
    struct link_state st;
};

static void host_with(struct host *h, uint32_t mtu)
{
    memcpy(h->v, devices, sizeof(devices));
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
        if (h->v[i].ifindex != ETH3 && h->v[i].ifindex != VETH)
            h->v[i].mtu = mtu;
    h->st = (struct link_state){ .v = h->v, .n = sizeof(devices) / sizeof(devices[0]) };
}

static int plan(uint32_t was, const char *dev, uint32_t mtu, bool whole, struct link_mtu_plan *p,
                struct base_err *err)
{
    struct host h;
    host_with(&h, was);
    memset(p, 0x77, sizeof(*p));
    return link_mtu_plan(&h.st, dev, mtu, whole, p, err);
}

static size_t place(const struct link_mtu_plan *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (!strcmp(p->step[i].name, name))
            return i;
    fail_msg("%s is not in the plan", name);
    return 0;
}

static void in_order(const struct link_mtu_plan *p, const char *first, const char *then)
{
    if (place(p, first) >= place(p, then))
        fail_msg("%s comes after %s", first, then);
}

static void raising_goes_bottom_up(void **state)
{
    static const char *const tops[] = { "bond0", "eth1", "bond0.20",
                                        "br0" }; /* wherever one begins */
    (void)state;
    for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
        struct link_mtu_plan p;
        assert_int_equal(plan(1500, tops[i], 9000, true, &p, NULL), 0);
        assert_int_equal(p.n, 6);
        in_order(&p, "eth1", "bond0");
        in_order(&p, "eth2", "bond0");
        in_order(&p, "bond0", "bond0.20");
        in_order(&p, "bond0", "bond0.30");
        in_order(&p, "bond0.30", "br0");
        for (size_t k = 0; k < p.n; k++) {
            assert_int_equal(p.step[k].from, 1500);
            assert_int_equal(p.step[k].to, 9000);
            assert_int_equal(p.step[k].by_kernel,
                             p.step[k].ifindex == ETH1 || p.step[k].ifindex == ETH2);
        }
    }
}

static void lowering_goes_top_down(void **state)
{
    struct link_mtu_plan p;
    (void)state;
    assert_int_equal(plan(9000, "bond0", 1500, true, &p, NULL), 0);
    assert_int_equal(p.n, 6);
    in_order(&p, "br0", "bond0.30");
    in_order(&p, "bond0.20", "bond0");
    in_order(&p, "bond0", "eth1");
    assert_int_equal(p.step[0].from, 9000);
    assert_int_equal(p.step[0].to, 1500);
}

static void a_bond_alone_takes_its_members_along(void **state)
{
    struct link_mtu_plan p;
    (void)state;
    assert_int_equal(plan(1500, "bond0", 9000, false, &p, NULL), 0);
    assert_int_equal(p.n, 3);
    in_order(&p, "eth1", "bond0");
    in_order(&p, "eth2", "bond0");
    assert_true(p.step[place(&p, "eth1")].by_kernel && !p.step[place(&p, "bond0")].by_kernel);
}

static void the_maximum_is_named(void **state)
{
    struct link_mtu_plan p;
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(plan(1500, "bond0", 9500, true, &p, &e), -BASE_IMPOSSIBLE);
    assert_string_equal(e.msg, "eth2 takes at most MTU 9000, not 9500");
    assert_non_null(strstr(e.hint, "nothing was changed"));
    assert_non_null(strstr(e.hint, "9000"));
    assert_int_equal(p.n, 0);
    e = (struct base_err){ 0 };
    assert_int_equal(plan(1500, "bond0", 9500, false, &p, &e), -BASE_IMPOSSIBLE);
    e = (struct base_err){ 0 };
    assert_int_equal(plan(1500, "eth3", 1501, false, &p, &e), -BASE_IMPOSSIBLE);
    assert_string_equal(e.msg, "eth3 takes at most MTU 1500, not 1501");
}

static void the_minimum_is_named(void **state)
{
    struct link_mtu_plan p;
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(plan(1500, "eth3", 60, false, &p, &e), -BASE_IMPOSSIBLE);
    assert_string_equal(e.msg, "eth3 takes at least MTU 68, not 60");
    assert_int_equal(p.n, 0);
}

static void a_vlan_may_not_exceed_its_parent(void **state)
{
    struct link_mtu_plan p;
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(plan(1500, "bond0.20", 9000, false, &p, &e), -BASE_IMPOSSIBLE);
    assert_string_equal(e.msg, "bond0.20 cannot have MTU 9000: bond0 below it has 1500");
    assert_string_equal(e.hint, "raise the whole stack: linkctl mtu set bond0.20 9000 --stack");
    assert_int_equal(plan(9000, "bond0.20", 1500, false, &p, NULL), 0);
    assert_int_equal(p.n, 1);
}

static void a_member_follows_its_bond(void **state)
{
    struct link_mtu_plan p;
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(plan(1500, "eth1", 9000, false, &p, &e), -BASE_IMPOSSIBLE);
    assert_string_equal(
        e.msg, "eth1 is a member of bond0, which has MTU 1500: a stack of two sizes drops frames");
    assert_string_equal(e.hint, "set it on the bond: linkctl mtu set bond0 9000");
    assert_int_equal(plan(1500, "eth1", 1500, false, &p, NULL), 0);
    assert_int_equal(p.n, 0);
}

static void nothing_to_do(void **state)
{
    static const char *const devs[] = { "bond0", "eth1", "bond0.20", "br0", "eth3" };
    (void)state;
    for (size_t i = 0; i < sizeof(devs) / sizeof(devs[0]); i++)
        for (int whole = 0; whole < 2; whole++) {
            struct link_mtu_plan p;
            assert_int_equal(plan(1500, devs[i], 1500, whole, &p, NULL), 0);
            assert_int_equal(p.n, 0);
        }
}

static void what_is_right_already_is_left_alone(void **state)
{
    struct host h;
    struct link_mtu_plan p;
    (void)state;
    host_with(&h, 1500);
    h.v[0].mtu = 9000; /* eth1 */
    assert_int_equal(link_mtu_plan(&h.st, "bond0", 9000, true, &p, NULL), 0);
    assert_int_equal(p.n, 5);
    for (size_t i = 0; i < p.n; i++)
        assert_int_not_equal(p.step[i].ifindex, ETH1);
}

static void a_member_put_right(void **state)
{
    struct host h;
    struct link_mtu_plan p;
    (void)state;
    host_with(&h, 9000);
    h.v[0].mtu = 1500; /* eth1 differs from its bond */
    assert_int_equal(link_mtu_plan(&h.st, "eth1", 9000, false, &p, NULL), 0);
    assert_int_equal(p.n, 1);
    assert_int_equal(p.step[0].ifindex, ETH1);
}

static void unknown_devices(void **state)
{
    struct link_mtu_plan p;
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(plan(1500, "bond1", 9000, true, &p, &e), -BASE_NOT_FOUND);
    assert_string_equal(e.msg, "no network device bond1 here");
    assert_string_equal(e.hint, "did you mean bond0? list them: linkctl show");
    assert_int_equal(p.n, 0);
}

static void a_peer_elsewhere_is_not_below(void **state)
{
    struct link_mtu_plan p;
    (void)state;
    assert_int_equal(plan(1500, "veth0", 9000, true, &p, NULL), 0);
    assert_int_equal(p.n, 1);
    assert_string_equal(p.step[0].name, "veth0");
}

static void a_ring_has_an_end(void **state)
{
    struct host h;
    struct link_mtu_plan p;
    (void)state;
    host_with(&h, 1500);
    h.v[3].master =
        BR0; /* bond0 in br0, and br0 (as a VLAN would) on bond0.30: cannot be, and must not hang */
    h.v[6].is_vlan = true;
    h.v[6].lower = VLAN30;
    h.v[6].lower_netns = LINK_UNKNOWN;
    assert_int_equal(link_mtu_plan(&h.st, "bond0", 9000, true, &p, NULL), 0);
    assert_int_equal(p.n, 6);
}

UNIT_TESTS(T(raising_goes_bottom_up), T(lowering_goes_top_down),
           T(a_bond_alone_takes_its_members_along), T(the_maximum_is_named),
           T(the_minimum_is_named), T(a_vlan_may_not_exceed_its_parent),
           T(a_member_follows_its_bond), T(nothing_to_do), T(what_is_right_already_is_left_alone),
           T(a_member_put_right), T(unknown_devices), T(a_peer_elsewhere_is_not_below),
           T(a_ring_has_an_end))
