/* SPDX-License-Identifier: MIT */
/* test_rtl837x.c - the dialect rtl837x-cgi: what its pages say, exactly; cut off and flipped ones; what is sent. */
#include "unit.h"

#include "dialect.h"
#include "rtl837x_cgi/rtl837x_cgi.h"
#include "switchctl/rtl837x_pages.h"

static const struct sw_dialect *const D = &sw_rtl837x_cgi;

static struct sw_response answer_of(const void *p, size_t n)
{
    struct sw_response r = { .status = 200 };
    base_buf_add(&r.body, p, n);
    return r;
}

typedef int (*parse_fn)(const struct sw_response *r, struct sw_state *st, struct base_err *err);

static int parse(parse_fn fn, const char *page, struct sw_state *st, struct base_err *err)
{
    struct sw_response r = answer_of(page, strlen(page));
    int rc = fn(&r, st, err);
    base_buf_done(&r.body);
    return rc;
}

static struct sw_state known(void)
{
    struct sw_state st = { .unsaved = SW_UNKNOWN };
    assert_int_equal(parse(rtl_info, info_page, &st, NULL), 0);
    assert_int_equal(parse(rtl_trunk, trunk_page, &st, NULL), 0);
    return st;
}

static void refuses(parse_fn fn, const char *page)
{
    struct sw_state st = known();
    struct base_err e = { 0 };
    assert_int_equal(parse(fn, page, &st, &e), -BASE_MALFORMED);
    assert_non_null(strstr(e.msg, "page not understood: expected "));
    assert_true(strlen(e.hint) > 0);
}

static void fingerprint(void **state)
{
    struct sw_state st = { 0 };
    struct sw_response r = answer_of(first_page, strlen(first_page));
    (void)state;
    assert_true(D->probe(&r, &st) > 0);
    assert_string_equal(st.model, "SKS3200M-4GPY2XF");
    assert_true(D->logged_out(&r));
    r.status = 302;
    assert_int_equal(D->probe(&r, &st), 0);
    base_buf_done(&r.body);
    r = answer_of(info_page, strlen(info_page));
    assert_int_equal(D->probe(&r, &st), 0);
    assert_false(D->logged_out(&r));
    base_buf_done(&r.body);
    r = answer_of("", 0);
    assert_int_equal(D->probe(&r, &st), 0);
    assert_false(D->whole(&r));
    base_buf_done(&r.body);
}

static void info(void **state)
{
    struct sw_state st = { 0 };
    (void)state;
    assert_int_equal(parse(rtl_info, info_page, &st, NULL), 0);
    assert_string_equal(st.model, "SKS3200M-4GPY2XF");
    assert_string_equal(st.firmware, "V1.9");
    assert_true(st.has_mac);
    assert_memory_equal(st.mac, "\x02\x00\x5e\x00\x00\x01", 6);
    assert_int_equal(st.max_groups, 2);
    assert_int_equal(st.min_members, 2);
    assert_int_equal(st.max_members, 4);
    refuses(rtl_info, trunk_page);
    refuses(rtl_info, HEAD("System Information") "<table></table>" TAIL);
    refuses(rtl_info,
            HEAD("System Information") "<table>" INFO_ROW("Device Model", "x") "</table>" TAIL);
}

static void what_may_be_written(void **state)
{
    static const struct {
        const char *page;
        bool writes;
    } rows[] = { { INFO("V1.9"), true },       { INFO("V1.9.1"), true },
                 { INFO("V1.9 Jan"), true },   { INFO("V1.7"), false },
                 { INFO("V1.90"), false },     { INFO("V1.10"), false },
                 { INFO("V100.9.6"), false },  { INFO("V20.0.8"), false },
                 { INFO("V200.1.16"), false }, { INFO("v1.9"), false },
                 { INFO("V2.0"), false } };
    const unsigned writing = SW_CAN_LAG | SW_CAN_LACP | SW_CAN_FRAME | SW_CAN_SAVE,
                   reading = SW_CAN_READ | SW_CAN_BACKUP;
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sw_state st = { 0 };
        unsigned macs;
        assert_int_equal(parse(rtl_info, rows[i].page, &st, NULL), 0);
        macs = sw_rtl837x_cgi.partly_known(&st) ? 0 : SW_CAN_MACS; /* others page it differently */
        assert_int_equal(st.can, (rows[i].writes ? writing | reading : reading) | macs);
    }
}

static void trunk(void **state)
{
    static const unsigned groups[] = { 1, 1, 2, 0, 2, 2 };
    struct sw_state st = known();
    (void)state;
    assert_int_equal(st.n_ports, 6);
    assert_int_equal(st.ports[5].number, 6);
    assert_string_equal(st.ports[5].name,
                        "Port 6"); /* cut at the next tag, though the option is never closed */
    assert_int_equal(st.n_lags, 2);
    assert_int_equal(st.lags[0].group, 1);
    assert_int_equal(st.lags[0].mode, SW_LAG_LACP);
    assert_true(st.lags[0].ports == 0x03 && st.lags[0].up_ports == 0x03 && st.lags[0].up_known);
    assert_int_equal(st.lags[1].group, 2);
    assert_int_equal(st.lags[1].mode, SW_LAG_STATIC);
    assert_true(st.lags[1].ports == 0x34);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(st.ports[i].lag, groups[i]);
    /* read again: the old groups are forgotten */
    assert_int_equal(parse(rtl_trunk, TRUNK(""), &st, NULL), 0);
    assert_int_equal(st.n_lags, 0);
    assert_int_equal(st.ports[0].lag, 0);
}

static void trunk_cells(void **state)
{
    struct sw_state st = known();
    (void)state;
    assert_int_equal(parse(rtl_trunk, TRUNK(TRUNK_ROW("Trunk2", "LACP", "1, 3", "")), &st, NULL),
                     0);
    assert_int_equal(st.lags[0].group, 2);
    assert_true(st.lags[0].ports == 0x05 && st.lags[0].up_ports == 0 && st.lags[0].up_known);
    assert_int_equal(parse(rtl_trunk, TRUNK(TRUNK_ROW("Trunk1", "lacp", "1,2", "-")), &st, NULL),
                     0);
    assert_true(st.lags[0].ports == 0x03 && st.lags[0].up_ports == 0);
    refuses(rtl_trunk, TRUNK(TRUNK_ROW("Trunk1", "magic", "1-2", "1-2")));
    refuses(rtl_trunk, TRUNK(TRUNK_ROW("Group1", "LACP", "1-2", "1-2")));
    refuses(rtl_trunk, TRUNK(TRUNK_ROW("Trunk0", "LACP", "1-2", "1-2")));
    refuses(rtl_trunk, TRUNK(TRUNK_ROW("Trunk1", "LACP", "", "")));
    refuses(rtl_trunk, TRUNK(TRUNK_ROW("Trunk1", "LACP", "2-1", "")));
    refuses(rtl_trunk, TRUNK(TRUNK_ROW("Trunk1", "LACP", "1-7", ""))); /* six ports only */
    refuses(rtl_trunk,
            TRUNK(TRUNK_ROW("Trunk1", "LACP", "1-2", "1-3"))); /* bundled, but no member */
    refuses(rtl_trunk, TRUNK(TRUNK_ROW("Trunk1", "LACP", "1-2", "up")));
    refuses(rtl_trunk, TRUNK(TRUNK_ROW("Trunk1", "LACP", "1-2", "1-2")
                                 TRUNK_ROW("Trunk1", "LACP", "3-4", "")));
    refuses(rtl_trunk, info_page);
    refuses(rtl_trunk, HEAD("Trunking Information") TAIL);
}

static void trunk_without_type(void **state)
{
    struct sw_state st = { 0 };
    (void)state;
    assert_int_equal(parse(rtl_info, INFO("V1.7"), &st, NULL), 0);
    assert_int_equal(parse(rtl_trunk, trunk_page_v17, &st, NULL), 0);
    assert_int_equal(st.n_lags, 1);
    assert_int_equal(st.lags[0].group, 2);
    assert_int_equal(st.lags[0].mode, SW_LAG_STATIC);
    assert_true(st.lags[0].ports == 0x22 && st.lags[0].up_ports == 0x22);
}

static void panel(void **state)
{
    static const enum sw_tri links[] = { SW_YES, SW_NO, SW_NO, SW_YES, SW_YES, SW_NO };
    struct sw_state st = known();
    (void)state;
    assert_int_equal(parse(rtl_panel, panel_page, &st, NULL), 0);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(st.ports[i].link, links[i]);
    /* A loop is a link, whatever else its image is called. */
    assert_int_equal(parse(rtl_panel,
                           "<html><img src=/RJ45_up_1.png><img src=/loop_rldp.png><img "
                           "src=/RJ45_up_0.png><img src=/RJ45_up_0.png><img src=/Fiber_up_0.png>"
                           "<img src=/loop_rlpp.png></html>",
                           &st, NULL),
                     0);
    assert_true(st.ports[1].link == SW_YES && st.ports[5].link == SW_YES &&
                st.ports[2].link == SW_NO);
    /* A panel of another shape tells nothing. */
    assert_int_equal(
        parse(rtl_panel, "<html><body><img src=/RJ45_up_1.png></body></html>", &st, NULL), 0);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(st.ports[i].link, SW_UNKNOWN);
}

static void ports(void **state)
{
    static const struct {
        enum sw_tri link, enabled, full;
        unsigned speed;
    } rows[] = { { SW_YES, SW_YES, SW_YES, 2500 },  { SW_NO, SW_YES, SW_UNKNOWN, 0 },
                 { SW_NO, SW_NO, SW_UNKNOWN, 0 },   { SW_YES, SW_YES, SW_NO, 100 },
                 { SW_YES, SW_YES, SW_YES, 10000 }, { SW_UNKNOWN, SW_UNKNOWN, SW_UNKNOWN, 0 } };
    struct sw_state st = known();
    (void)state;
    assert_int_equal(parse(rtl_ports, port_page, &st, NULL), 0);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(st.ports[i].link, rows[i].link);
        assert_int_equal(st.ports[i].enabled, rows[i].enabled);
        assert_int_equal(st.ports[i].full_duplex, rows[i].full);
        assert_int_equal(st.ports[i].speed_mbps, rows[i].speed);
    }
    refuses(rtl_ports, stats_page);
    refuses(rtl_ports, HEAD("Port Setting") PORT_FORM TAIL);
}

static void stats(void **state)
{
    struct sw_state st = known();
    (void)state;
    assert_int_equal(parse(rtl_stats, stats_page, &st, NULL), 0);
    assert_true(st.ports[0].has_counters && st.ports[0].counters_wrap32);
    assert_int_equal(st.ports[0].tx_good, 1200);
    assert_int_equal(st.ports[0].tx_bad, 1);
    assert_int_equal(st.ports[0].rx_good, 4294967295);
    assert_int_equal(st.ports[0].rx_bad, 2);
    assert_true(st.ports[1].has_counters);
    assert_false(st.ports[2].has_counters);
    st = known();
    assert_int_equal(parse(rtl_stats, stats_page_g2, &st, NULL), 0);
    assert_int_equal(st.ports[0].tx_good, 4294967301);
    assert_int_equal(st.ports[0].rx_good, 3400);
    assert_false(st.ports[0].counters_wrap32);
    assert_false(st.ports[1].has_counters);
    refuses(rtl_stats, port_page);
    refuses(rtl_stats, HEAD("Port Stistics") TAIL);
}

static void jumbo(void **state)
{
    static const uint32_t sizes[] = { 1522, 1536, 1552, 9216, 16383 };
    struct sw_state st = known();
    (void)state;
    assert_int_equal(parse(rtl_jumbo, jumbo_page, &st, NULL), 0);
    assert_int_equal(st.frame.bytes, 9216);
    assert_true(st.frame.counts_fcs);
    assert_int_equal(st.frame.n_choices, 5);
    assert_memory_equal(st.frame.choices, sizes, sizeof(sizes));
    assert_true(st.can & SW_CAN_FRAME);
    /* the later generation counts from 1: to be read, not written */
    assert_int_equal(
        parse(rtl_jumbo, JUMBO(OPTION("1", "", "1522Bytes") OPTION("2", " selected", "10000Bytes")),
              &st, NULL),
        0);
    assert_int_equal(st.frame.bytes, 10000);
    assert_false(st.can & SW_CAN_FRAME);
    refuses(rtl_jumbo, JUMBO(OPTION("0", "", "1522") OPTION("1", "", "9216"))); /* none selected */
    refuses(rtl_jumbo, JUMBO(OPTION("0", " selected", "off")));
    refuses(rtl_jumbo, JUMBO(OPTION("0", " selected", "1522 bits")));
    refuses(rtl_jumbo, JUMBO(""));
    refuses(rtl_jumbo, trunk_page);
}

static void macs(void **state)
{
    struct sw_response r = answer_of(mac_page, strlen(mac_page));
    struct sw_macs list = { 0 };
    bool more = true;
    (void)state;
    assert_int_equal(D->macs(&r, &list, &more, NULL), 0);
    assert_false(more);
    assert_int_equal(list.n, 3);
    assert_memory_equal(list.v[1].mac, "\x02\x00\x5e\x00\x00\x11", 6);
    assert_int_equal(list.v[0].port, 3);
    assert_int_equal(list.v[1].vlan, 20);
    assert_int_equal(list.v[1].lag, 1);
    assert_int_equal(list.v[1].port, 0);
    assert_true(list.v[2].is_static && !list.v[0].is_static);
    assert_int_equal(D->macs(&r, &list, &more, NULL),
                     0); /* another reader moved the cursor: the same page again */
    assert_int_equal(list.n, 3);
    base_buf_done(&r.body);
    r = answer_of(MACS("", ""), strlen(MACS("", "")));
    assert_int_equal(D->macs(&r, &list, &more, NULL), 0);
    assert_true(more);
    base_buf_done(&r.body);
    r = answer_of(port_page, strlen(port_page));
    assert_int_equal(D->macs(&r, &list, &more, NULL),
                     -BASE_FAILED); /* no err object: its code is lost, not the failure */
    base_buf_done(&r.body);
    free(list.v);
}

static void refusals(void **state)
{
    struct sw_response r = answer_of(alert_page, strlen(alert_page));
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(D->refused(&r, &e), -BASE_FAILED);
    assert_string_equal(e.msg, "the switch says: Error: 2 trunk member ports at least");
    base_buf_done(&r.body);
    r = answer_of(trunk_page, strlen(trunk_page));
    assert_int_equal(D->refused(&r, &e), 0);
    base_buf_done(&r.body);
}

static void requests(void **state)
{
    struct sw_state st = known();
    struct sw_request q;
    char cookie[96];
    struct sw_lag lag = { 2, SW_LAG_STATIC, SW_PORT(1) | SW_PORT(2) | SW_PORT(6), 0, false };
    (void)state;
    D->login("admin", "admin", &q, cookie, sizeof(cookie));
    assert_true(q.post && !q.repeatable);
    assert_string_equal(q.path, "/login.cgi");
    assert_string_equal(
        q.body, "username=admin&password=&Response=f6fdffe48c908deb0f4c3bd36c032e72&language=EN");
    assert_string_equal(cookie, "admin=f6fdffe48c908deb0f4c3bd36c032e72");
    D->login("a&b=c d", "x", &q, cookie, sizeof(cookie));
    assert_non_null(strstr(q.body, "username=a%26b%3Dc%20d&"));
    assert_int_equal(D->lag_set(&st, &lag, &q, NULL), 0);
    assert_true(q.post && !q.repeatable);
    assert_string_equal(q.path, "/trunk.cgi?page=group");
    assert_string_equal(q.body, "id=2&trunk_type=0&ports=0&ports=1&ports=5&cmd=trunk");
    lag.mode = SW_LAG_LACP;
    lag.group = 1;
    assert_int_equal(D->lag_set(&st, &lag, &q, NULL), 0);
    assert_string_equal(q.body, "id=1&trunk_type=1&ports=0&ports=1&ports=5&cmd=trunk");
    assert_int_equal(D->lag_del(&st, 2, &q, NULL), 0);
    assert_string_equal(q.path, "/trunk.cgi?page=group_remove");
    assert_string_equal(q.body, "remove_1=on&cmd=group_remove");
    assert_int_equal(parse(rtl_jumbo, jumbo_page, &st, NULL), 0);
    assert_int_equal(D->frame_set(&st, 16383, &q, NULL), 0);
    assert_string_equal(q.path, "/fwd.cgi?page=jumboframe");
    assert_string_equal(q.body, "jumboframe=4&cmd=jumboframe");
    assert_int_equal(D->frame_set(&st, 9000, &q, NULL), -BASE_IMPOSSIBLE);
    q = D->macs_first();
    assert_true(!q.post && q.repeatable);
    q = D->macs_next();
    assert_true(q.post && !q.repeatable);
    assert_string_equal(q.body, "cmd=nextpage");
    q = D->save();
    assert_string_equal(q.path, "/save.cgi");
    assert_true(q.post);
    q = D->backup();
    assert_string_equal(q.path, "/config_back.cgi?cmd=conf_backup");
}

/* Every page through every reader of pages, whatever it is. */
static void try_page(const uint8_t *p, size_t n)
{
    static const parse_fn all[] = {
        rtl_info, rtl_trunk, rtl_panel, rtl_ports, rtl_stats, rtl_jumbo
    };
    struct sw_response r = answer_of(p, n);
    struct sw_state st = { 0 };
    struct sw_macs list = { 0 };
    bool more;
    st.n_ports = 6;
    for (unsigned i = 0; i < 6; i++)
        st.ports[i].number = i + 1;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        (void)all[i](&r, &st, NULL);
    (void)D->macs(&r, &list, &more, NULL);
    (void)D->refused(&r, NULL);
    (void)D->probe(&r, &st);
    (void)D->saved(&r);
    free(list.v);
    base_buf_done(&r.body);
}

static const char *const all_pages[] = { first_page, info_page, trunk_page, trunk_page_v17,
                                         panel_page, port_page, stats_page, stats_page_g2,
                                         jumbo_page, mac_page,  alert_page };
static const parse_fn readers[] = { NULL,      rtl_info,  rtl_trunk, rtl_trunk,
                                    rtl_panel, rtl_ports, rtl_stats, rtl_stats,
                                    rtl_jumbo, NULL,      NULL };
static parse_fn reader; /* of the page that is being mangled */

static void try_its_reader(const uint8_t *p, size_t n, bool cut)
{
    struct sw_response r = answer_of(p, n);
    struct sw_state st = { .n_ports = 6 };
    struct sw_macs list = { 0 };
    bool more;
    (void)cut;
    for (unsigned i = 0; i < 6; i++)
        st.ports[i].number = i + 1;
    if (reader)
        (void)reader(&r, &st, NULL);
    else
        (void)D->macs(&r, &list, &more, NULL);
    (void)D->refused(&r, NULL);
    (void)D->probe(&r, &st);
    free(list.v);
    base_buf_done(&r.body);
}

static void a_page_that_is_cut_off_is_not_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(all_pages) / sizeof(all_pages[0]); i++) {
        size_t n = strlen(all_pages[i]),
               end = (size_t)(strstr(all_pages[i], "</html>") - all_pages[i]) + strlen("</html>");
        for (size_t k = 0; k <= n; k++) {
            struct sw_response r = answer_of(all_pages[i], k);
            assert_int_equal(D->whole(&r), k >= end);
            base_buf_done(&r.body);
        }
    }
}

static void mangled_pages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(all_pages) / sizeof(all_pages[0]); i++) {
        reader = readers[i];
        unit_mangle(all_pages[i], strlen(all_pages[i]), 1500, try_its_reader);
        try_page((const uint8_t *)all_pages[i], strlen(all_pages[i]));
    }
}

static void pages_of_hostile_size(void **state)
{
    size_t n = (size_t)2 << 20;
    char *big = malloc(n + 1);
    (void)state;
    static const char *const bits[] = { "<table><tr><th>MAC Address<th>VLAN ID<th>Port<tr><td>x",
                                        "<td>",
                                        "<select name=ports><option>",
                                        "<div>",
                                        "<title>",
                                        "&amp;",
                                        "x" };
    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        size_t len = strlen(bits[i]), size = 200000;
        for (size_t k = 0; k < size; k++)
            big[k] = bits[i][k % len];
        try_page((const uint8_t *)big, size);
    }
    memset(big, 'a', n);
    try_page((const uint8_t *)big, n);
    free(big);
}

UNIT_TESTS(T(fingerprint), T(info), T(what_may_be_written), T(trunk), T(trunk_cells),
           T(trunk_without_type), T(panel), T(ports), T(stats), T(jumbo), T(macs), T(refusals),
           T(requests), T(a_page_that_is_cut_off_is_not_whole), T(mangled_pages),
           T(pages_of_hostile_size))
