/* SPDX-License-Identifier: MIT */
/* test_bond_opts.c - the table of bond options: every one parsed and printed, ranges, modes, and its own consistency. */
#include "unit.h"

#include <linux/if_link.h>

#include "link/bond_opts.h"

static const struct link_bond_opt_info *info(int i)
{
    return link_bond_opt_info((enum link_bond_opt)i);
}

static unsigned words_in(const struct link_bond_opt_info *t)
{
    unsigned n = 0;
    while (t->names && t->names[n])
        n++;
    return n;
}

static int parse(struct link_bond_opts *o, int opt, const char *text, struct base_err *err)
{
    *o = (struct link_bond_opts){ 0 };
    return link_bond_opt_parse(o, (enum link_bond_opt)opt, text, err);
}

/* text -> value -> text must be `want`. */
static void round_trip(int opt, const char *text, const char *want)
{
    struct link_bond_opts o;
    struct base_err e = { 0 };
    char again[1024];
    if (parse(&o, opt, text, &e))
        fail_msg("--%s %s: %s", info(opt)->name, text, e.msg);
    assert_true(o.present == (uint64_t)1 << opt);
    link_bond_opt_format(&o, (enum link_bond_opt)opt, again, sizeof(again));
    assert_string_equal(again, want);
}

static void refuse(int opt, const char *text)
{
    struct link_bond_opts o;
    struct base_err e = { 0 };
    int rc = parse(&o, opt, text, &e);
    if (rc != -BASE_USAGE)
        fail_msg("--%s '%s' was taken", info(opt)->name, text);
    assert_true(o.present == 0);
    assert_true(strlen(e.hint) > 0);
    if (opt != LINK_BOND_MODE)
        assert_non_null(strstr(e.msg, info(opt)->name));
}

static void every_option(void **state)
{
    (void)state;
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        const struct link_bond_opt_info *t = info(i);
        char text[32];
        switch (t->type) {
        case LINK_NAMES:
            for (unsigned k = 0; k < words_in(t); k++) {
                round_trip(i, t->names[k], t->names[k]);
                (void)snprintf(text, sizeof(text), "%u", k);
                round_trip(i, text, t->names[k]);
            }
            (void)snprintf(text, sizeof(text), "%u", words_in(t));
            refuse(i, text);
            break;
        case LINK_NUMBER:
            (void)snprintf(text, sizeof(text), "%llu", (unsigned long long)t->min);
            round_trip(i, text, text);
            (void)snprintf(text, sizeof(text), "%llu", (unsigned long long)t->max);
            round_trip(i, text, text);
            (void)snprintf(text, sizeof(text), "%llu", (unsigned long long)t->max + 1);
            refuse(i, text);
            if (t->min)
                refuse(i, "0");
            break;
        case LINK_MAC:
            round_trip(i, "02:00:5E:aa:BB:01", "02:00:5e:aa:bb:01");
            break;
        case LINK_IP4S:
            round_trip(i, "192.0.2.1", "192.0.2.1");
            round_trip(i, "192.0.2.1,198.51.100.255", "192.0.2.1,198.51.100.255");
            round_trip(i, "", "");
            break;
        case LINK_IP6S:
            round_trip(i, "2001:DB8::1,fe80:0:0::2", "2001:db8::1,fe80::2");
            refuse(i, "192.0.2.1");
            break;
        case LINK_DEVICE:
            break;
        }
        if (t->type != LINK_DEVICE) {
            static const char *const never[] = {
                "nonsense", "-1", "1x", "1 2", "99999999999999999999999", "0x10", ",", "1,,2"
            };
            for (size_t k = 0; k < sizeof(never) / sizeof(never[0]); k++)
                refuse(i, never[k]);
        }
    }
}

static void lists_have_an_end(void **state)
{
    char text[400] = "";
    (void)state;
    for (int i = 0; i < LINK_BOND_TARGETS; i++)
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s192.0.2.%d",
                       i ? "," : "", i + 1);
    round_trip(LINK_BOND_ARP_IP_TARGET, text, text);
    (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), ",192.0.2.17");
    refuse(LINK_BOND_ARP_IP_TARGET, text);
    memset(text, '1', sizeof(text) - 1);
    refuse(LINK_BOND_ARP_IP_TARGET, text);
}

static void small_buffers(void **state)
{
    struct link_bond_opts o = { .n_arp_ip = LINK_BOND_TARGETS, .n_ns_ip6 = LINK_BOND_TARGETS };
    (void)state;
    for (int i = 0; i < LINK_BOND_OPTS; i++)
        for (size_t n = 1; n < 40; n++) {
            char *text = malloc(n);
            link_bond_opt_format(&o, (enum link_bond_opt)i, text, n);
            assert_true(strlen(text) < n);
            free(text);
        }
}

static void words_of_a_newer_kernel_become_numbers(void **state)
{
    struct link_bond_opts o = { 0 };
    char text[32];
    (void)state;
    link_bond_put(&o, LINK_BOND_XMIT_HASH_POLICY, 99);
    link_bond_opt_format(&o, LINK_BOND_XMIT_HASH_POLICY, text, sizeof(text));
    assert_string_equal(text, "99");
}

static void modes(void **state)
{
    static const struct {
        const char *text;
        int mode;
    } rows[] = {
        { "balance-rr", 0 }, { "active-backup", 1 }, { "balance-xor", 2 }, { "broadcast", 3 },
        { "802.3ad", 4 },    { "balance-tlb", 5 },   { "balance-alb", 6 }, { "0", 0 },
        { "6", 6 },          { "lacp", 4 },          { "static", 2 },      { "7", -1 },
        { "", -1 },          { "44", -1 },           { "LACP", -1 },       { "balance", -1 }
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct base_err e = { 0 };
        uint64_t got = 77;
        int rc = link_bond_mode_parse(rows[i].text, &got, &e);
        assert_int_equal(rc, rows[i].mode < 0 ? -BASE_USAGE : 0);
        if (rc)
            assert_non_null(strstr(e.hint, "lacp (802.3ad), static (balance-xor)"));
        else
            assert_int_equal(got, rows[i].mode);
    }
    for (uint64_t m = 0; m < LINK_BOND_MODES; m++)
        assert_string_equal(link_bond_mode_name(m), rows[m].text);
    assert_null(link_bond_mode_name(LINK_BOND_MODES));
    assert_null(link_bond_mode_name(UINT64_MAX));
}

static void options_of_other_modes(void **state)
{
    (void)state;
    for (int i = 0; i < LINK_BOND_OPTS; i++)
        for (unsigned mode = 0; mode < LINK_BOND_MODES; mode++) {
            struct link_bond_opts o = { 0 };
            struct base_err e = { 0 };
            bool there = info(i)->modes >> mode & 1;
            char want[120];
            link_bond_put(&o, (enum link_bond_opt)i, 1);
            assert_int_equal(link_bond_opts_check(&o, mode, &e), there ? 0 : -BASE_USAGE);
            (void)snprintf(want, sizeof(want), "--%s does not exist in mode %s", info(i)->name,
                           link_bond_mode_name(mode));
            assert_string_equal(e.msg, there ? "" : want);
        }
}

static void arp_against_miimon(void **state)
{
    struct link_bond_opts o = { 0 };
    struct base_err e = { 0 };
    (void)state;
    link_bond_put(&o, LINK_BOND_ARP_INTERVAL, 100);
    assert_int_equal(link_bond_opts_check(&o, LINK_BOND_ACTIVE_BACKUP, NULL), 0);
    link_bond_put(&o, LINK_BOND_MIIMON, 0);
    assert_int_equal(link_bond_opts_check(&o, LINK_BOND_ACTIVE_BACKUP, NULL), 0);
    link_bond_put(&o, LINK_BOND_MIIMON, 100);
    assert_int_equal(link_bond_opts_check(&o, LINK_BOND_ACTIVE_BACKUP, &e), -BASE_USAGE);
    assert_non_null(strstr(e.msg, "exclude each other"));
}

/* The kernel's header is the judge of numbers that it knows. */
static void numbers_of_the_kernels_header(void **state)
{
    static const struct {
        enum link_bond_opt opt;
        int attr;
    } rows[] = {
        { LINK_BOND_MODE, IFLA_BOND_MODE },
        { LINK_BOND_ACTIVE_MEMBER, IFLA_BOND_ACTIVE_SLAVE },
        { LINK_BOND_MIIMON, IFLA_BOND_MIIMON },
        { LINK_BOND_UPDELAY, IFLA_BOND_UPDELAY },
        { LINK_BOND_DOWNDELAY, IFLA_BOND_DOWNDELAY },
        { LINK_BOND_USE_CARRIER, IFLA_BOND_USE_CARRIER },
        { LINK_BOND_ARP_INTERVAL, IFLA_BOND_ARP_INTERVAL },
        { LINK_BOND_ARP_IP_TARGET, IFLA_BOND_ARP_IP_TARGET },
        { LINK_BOND_ARP_VALIDATE, IFLA_BOND_ARP_VALIDATE },
        { LINK_BOND_ARP_ALL_TARGETS, IFLA_BOND_ARP_ALL_TARGETS },
        { LINK_BOND_PRIMARY, IFLA_BOND_PRIMARY },
        { LINK_BOND_PRIMARY_RESELECT, IFLA_BOND_PRIMARY_RESELECT },
        { LINK_BOND_FAIL_OVER_MAC, IFLA_BOND_FAIL_OVER_MAC },
        { LINK_BOND_XMIT_HASH_POLICY, IFLA_BOND_XMIT_HASH_POLICY },
        { LINK_BOND_RESEND_IGMP, IFLA_BOND_RESEND_IGMP },
        { LINK_BOND_NUM_PEER_NOTIF, IFLA_BOND_NUM_PEER_NOTIF },
        { LINK_BOND_ALL_MEMBERS_ACTIVE, IFLA_BOND_ALL_SLAVES_ACTIVE },
        { LINK_BOND_MIN_LINKS, IFLA_BOND_MIN_LINKS },
        { LINK_BOND_LP_INTERVAL, IFLA_BOND_LP_INTERVAL },
        { LINK_BOND_PACKETS_PER_MEMBER, IFLA_BOND_PACKETS_PER_SLAVE },
        { LINK_BOND_LACP_RATE, IFLA_BOND_AD_LACP_RATE },
        { LINK_BOND_AD_SELECT, IFLA_BOND_AD_SELECT },
        { LINK_BOND_AD_ACTOR_SYS_PRIO, IFLA_BOND_AD_ACTOR_SYS_PRIO },
        { LINK_BOND_AD_USER_PORT_KEY, IFLA_BOND_AD_USER_PORT_KEY },
        { LINK_BOND_AD_ACTOR_SYSTEM, IFLA_BOND_AD_ACTOR_SYSTEM },
        { LINK_BOND_TLB_DYNAMIC_LB, IFLA_BOND_TLB_DYNAMIC_LB },
        { LINK_BOND_PEER_NOTIF_DELAY, IFLA_BOND_PEER_NOTIF_DELAY },
        { LINK_BOND_LACP_ACTIVE, IFLA_BOND_AD_LACP_ACTIVE },
        { LINK_BOND_MISSED_MAX, IFLA_BOND_MISSED_MAX },
        { LINK_BOND_NS_IP6_TARGET, IFLA_BOND_NS_IP6_TARGET },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(link_bond_opt_info(rows[i].opt)->attr, rows[i].attr);
}

static void the_table_is_whole(void **state)
{
    (void)state;
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        const struct link_bond_opt_info *t = info(i);
        assert_non_null(t->name);
        assert_non_null(t->json);
        assert_true(t->help && t->help[0]);
        assert_true(t->modes != 0);
        assert_null(strchr(t->name, '_'));
        assert_null(strchr(t->json, '-'));
        assert_int_equal(t->type == LINK_NAMES, t->names != NULL);
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(t->attr, info(k)->attr);
            assert_string_not_equal(t->name, info(k)->name);
            assert_string_not_equal(t->json, info(k)->json);
        }
    }
}

UNIT_TESTS(T(every_option), T(lists_have_an_end), T(small_buffers),
           T(words_of_a_newer_kernel_become_numbers), T(modes), T(options_of_other_modes),
           T(arp_against_miimon), T(numbers_of_the_kernels_header), T(the_table_is_whole))
