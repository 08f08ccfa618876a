/* SPDX-License-Identifier: MIT */
/* test_unknown.c - what a page does not say is unknown: other generations, odd rows, devices that are not ours. */
#include "unit.h"

#include "dialect.h"
#include "rtl837x_cgi/rtl837x_cgi.h"
#include "switchctl/rtl837x_pages.h"

typedef int (*parse_fn)(const struct sw_response *r, struct sw_state *st, struct base_err *err);

static int parse(parse_fn fn, const char *page, size_t n, struct sw_state *st)
{
    struct sw_response r = { .status = 200 };
    struct base_err err = { 0 };
    int rc;
    base_buf_add(&r.body, page, n);
    rc = fn(&r, st, &err);
    base_buf_done(&r.body);
    return rc;
}

/* No reader believes a page that is not whole, whoever calls it. */
static void cut_off_anywhere(void **state)
{
    static const struct {
        const char *page;
        parse_fn fn;
    } rows[] = { { info_page, rtl_info },
                 { trunk_page, rtl_trunk },
                 { port_page, rtl_ports },
                 { stats_page, rtl_stats },
                 { jumbo_page, rtl_jumbo } };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (size_t n = 0, end = (size_t)(strstr(rows[i].page, "</html>") - rows[i].page) + 7;
             n <= end; n++) {
            struct sw_state st = { .max_groups = 2, .firmware = "V1.9" };
            assert_int_equal(parse(rows[i].fn, rows[i].page, n, &st) == 0, n == end);
            assert_true(n == end || st.n_lags == 0);
        }
}

static void groups_that_cannot_be(void **state)
{
    static const char *const pages[] = {
        TRUNK(TRUNK_ROW("Trunk3", "LACP", "1-2", "1-2")),
        TRUNK(TRUNK_ROW("Trunk1", "LACP", "1-2", "")
                  TRUNK_ROW("Trunk2", "LACP", "2-3", "")), /* port 2 in both */
        TRUNK(TRUNK_ROW("Trunk1", "LACP", "1-2", "") TRUNK_ROW("Trunk1", "LACP", "3-4", "")),
    };
    (void)state;
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        struct sw_state st = { .max_groups = 2 };
        assert_int_equal(parse(rtl_trunk, pages[i], strlen(pages[i]), &st), -BASE_MALFORMED);
        assert_int_equal(st.n_lags, 0);
    }
}

/* A write names a port by its place in this list, so it must count 0, 1, 2 ... and say Port 1, Port 2 ... */
static void odd_port_lists(void **state)
{
    static const char *const lists[] = { "<option value=1>Port 1<option value=2>Port 2",
                                         "<option value=0>Port 1<option value=1>Port 3",
                                         "<option value=0>Port 1<option value=1>SFP 1", "" };
    (void)state;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        struct sw_state st = { .max_groups = 2 };
        struct base_buf b = { 0 };
        base_buf_printf(&b,
                        HEAD("Trunking Information") "<select name=ports>%s</select>" TRUNK_HEAD(
                            TRUNK_TYPE) TRUNK_END TAIL,
                        lists[i]);
        assert_int_equal(parse(rtl_trunk, b.p, b.n, &st), -BASE_MALFORMED);
        base_buf_done(&b);
    }
}

static void states_and_speeds_not_known(void **state)
{
    static const char page[] =
        HEAD("Port Setting") "<table><tr><th>Port<th>State<th "
                             "colspan=2>Speed/Duplex</tr><tr><th>Config<th>Actual</tr>" PORT_ROW(
                                 "Port 1", "Perhaps", "-5Full")
                                 PORT_ROW("Port 2", "Disable", "1000Fulm")
                                     PORT_ROW("Port 2x", "Enable", "1000Full")
                                         PORT_ROW("Port 3", "Enable", "10GHalf") "</table>" TAIL;
    struct sw_state st = { .max_groups = 2 };
    (void)state;
    assert_int_equal(parse(rtl_trunk, trunk_page, strlen(trunk_page), &st), 0);
    assert_int_equal(parse(rtl_ports, page, strlen(page), &st), 0);
    assert_true(st.ports[0].enabled == SW_UNKNOWN && st.ports[0].link == SW_UNKNOWN &&
                st.ports[0].speed_mbps == 0);
    assert_string_equal(st.ports[0].setting, "Auto");
    assert_true(st.ports[1].enabled == SW_NO && st.ports[1].speed_mbps == 0 &&
                st.ports[1].full_duplex == SW_UNKNOWN);
    assert_true(st.ports[2].speed_mbps == 10000 && st.ports[2].full_duplex == SW_NO);
}

/* A firmware of another generation: its ports come from the page that is certain; what it does not count is not zero. */
static void other_generation(void **state)
{
    static const char page[] =
        HEAD("Port Stistics") "<table><tr><th>Port<th>State<th>Link "
                              "Status<th>TxGoodPkt<th>RxGoodPkt<th>TxGoodBytes<th>RxGoodBytes</tr>"
                              "<tr><td>Port 1<td>Enable<td>Link Up<td "
                              "id=port0-txgood>0-71<td>1-0<td>0-4<td>1-2</tr>"
                              "<tr><td>Port 3<td>Enable<td>Link "
                              "Down<td>0-0<td>0-4294967296<td>0-0<td>0-0</tr></table>" TAIL;
    struct sw_state st = { .firmware = "V200.1.16" };
    char *text = NULL;
    (void)state;
    assert_true(sw_rtl837x_cgi.partly_known(&st));
    assert_int_equal(parse(rtl_stats, page, strlen(page), &st), 0);
    assert_int_equal(st.n_ports, 2);
    assert_int_equal(st.ports[1].number, 3);
    assert_true(st.ports[0].link == SW_YES && st.ports[1].link == SW_NO);
    assert_true(st.ports[0].has_counters && st.ports[0].tx_good == 71 &&
                st.ports[0].rx_good == 4294967296);
    assert_false(st.ports[1].has_counters); /* a low half of 33 bits is none */
    assert_false(st.ports[0].has_bad || st.ports[0].counters_wrap32);
    st.lags_unknown = true;
    assert_int_equal(sw_state_json(&st, NULL, 0, &text, NULL), 0);
    assert_non_null(strstr(text, "\"lags\":null"));
    assert_non_null(strstr(text, "\"tx_bad_packets\":null"));
    struct sw_state back;
    assert_int_equal(sw_state_parse(text, strlen(text), &back, NULL), 0);
    assert_true(back.lags_unknown && !back.ports[0].has_bad && back.ports[0].has_counters);
    free(text);
    for (size_t i = 0; i < 3; i++) {
        static const char *const firmwares[] = { "V1.9", "V1.7", "V100.9.6" };
        (void)snprintf(st.firmware, sizeof(st.firmware), "%s", firmwares[i]);
        assert_false(sw_rtl837x_cgi.partly_known(&st));
    }
}

static void strangers(void **state)
{
    static const struct {
        int status;
        const char *page;
        int rc;
    } rows[] = { { 200, "<html><title>Router</title></html>", 0 },
                 { 200, "<html><title>Giga Ethernet Switch V1.0</title><frameset></html>",
                   -BASE_UNSUPPORTED },
                 { 200, "<html>login.html authorize?loginusr=</html>", -BASE_UNSUPPORTED },
                 { 302, "", -BASE_UNSUPPORTED } };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sw_response r = { .status = rows[i].status };
        struct base_err err = { 0 };
        base_buf_str(&r.body, rows[i].page);
        assert_int_equal(sw_stranger(&r, &err), rows[i].rc);
        assert_true(!rows[i].rc || err.hint[0]);
        base_buf_done(&r.body);
    }
}

/* Half duplex in a static group; and codes that stay right when nobody wants the message. */
static void rules_without_a_message(void **state)
{
    struct sw_state st = { .can = SW_CAN_LAG | SW_CAN_LACP,
                           .max_groups = 2,
                           .min_members = 2,
                           .max_members = 4,
                           .n_ports = 2 };
    struct sw_lag l = { .group = 1, .mode = SW_LAG_STATIC, .ports = 3 };
    struct base_err err = { 0 };
    uint32_t bytes;
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        st.ports[i] = (struct sw_port){
            .number = i + 1, .link = SW_YES, .speed_mbps = 100, .full_duplex = i ? SW_NO : SW_YES
        };
    assert_int_equal(sw_lag_check(&st, &l, &err), -BASE_IMPOSSIBLE);
    assert_non_null(strstr(err.msg, "half duplex"));
    assert_int_equal(sw_lag_check(&st, &l, NULL), -BASE_IMPOSSIBLE);
    l.mode = SW_LAG_LACP;
    assert_int_equal(sw_lag_check(&st, &l, NULL), 0);
    l.mode = SW_LAG_STATIC;
    st.ports[1].full_duplex = SW_YES;
    assert_int_equal(sw_lag_check(&st, &l, NULL), 0);
    memcpy(st.ports[0].setting, "Auto", 5);
    assert_int_equal(sw_lag_check(&st, &l, NULL),
                     0); /* of a member nothing is known: it is hidden */
    memcpy(st.ports[1].setting, "100Full", 8);
    err = (struct base_err){ 0 };
    assert_int_equal(sw_lag_check(&st, &l, &err), -BASE_IMPOSSIBLE);
    assert_non_null(strstr(err.msg, "port 1 is set to Auto and port 2 to 100Full"));
    l.mode = SW_LAG_LACP;
    assert_int_equal(sw_lag_check(&st, &l, NULL), 0);
    st.can = 0;
    assert_int_equal(sw_lag_check(&st, &l, NULL), -BASE_UNSUPPORTED);
    assert_int_equal(sw_frame_for_mtu(&st, 1500, &bytes, NULL), -BASE_UNSUPPORTED);
    assert_int_equal(sw_ports_parse("x", &l.ports, NULL), -BASE_USAGE);
    assert_int_equal(sw_lag_mode_parse("x", &l.mode, NULL), -BASE_USAGE);
}

static int parse_macs(const char *page, struct sw_macs *list, bool *more)
{
    struct sw_response r = { .status = 200 };
    struct base_err err = { 0 };
    int rc;
    *list = (struct sw_macs){ 0 };
    *more = false;
    base_buf_str(&r.body, page);
    rc = rtl_macs(&r, list, more, &err);
    base_buf_done(&r.body);
    return rc;
}

/* A number that is cut short names another port: better no table. */
static void mac_rows_that_cannot_be(void **state)
{
    static const char *const rows[] = {
        MAC_ROW("1", "02:00:5E:00:00:10", "1", "dynamic", "123"),
        MAC_ROW("1", "02:00:5E:00:00:10", "1", "dynamic", "3a"),
        MAC_ROW("1", "02:00:5E:00:00:10", "1", "dynamic", "0"),
        MAC_ROW("1", "02:00:5E:00:00:10", "1", "dynamic", ""),
        MAC_ROW("1", "02:00:5E:00:00:10", "1", "dynamic", "Trunk12"),
        MAC_ROW("1", "02:00:5E:00:00:10", "1", "dynamic", "Trunk0"),
        MAC_ROW("1", "02:00:5E:00:00:10", "40960", "dynamic", "3"),
        MAC_ROW("1", "02:00:5E:00:00:10", "x", "dynamic", "3"),
        MAC_ROW("1", "02:00:5E:00:00:1", "1", "dynamic", "3"),
    };
    struct sw_macs list;
    bool more;
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct base_buf b = { 0 };
        base_buf_printf(&b, MACS("%s", "disabled "), rows[i]);
        if (parse_macs(b.p, &list, &more) != -BASE_MALFORMED)
            fail_msg("row %zu was believed", i);
        free(list.v);
        base_buf_done(&b);
    }
    assert_int_equal(
        parse_macs(MACS(MAC_ROW("1", "02:00:5E:00:00:10", "1", "static", "CPU"), ""), &list, &more),
        0);
    assert_true(list.n == 1 && list.v[0].port == 0 && list.v[0].lag == 0 && more);
    free(list.v);
}

/* Without its button nobody knows whether this is the last page; of a page cut off, how many rows are missing. */
static void mac_pages_that_may_be_part_of_a_table(void **state)
{
    static const char no_button[] =
        HEAD("Forwarding Table") "<table><tr><th>MAC Address<th>Type<th>Port<th>VLAN "
                                 "ID</tr><tr><td>02:00:5E:00:00:10<td>dynamic<td>3<td>1</tr>"
                                 "</table>Total 30 Items, Current 1-10 Items" TAIL;
    struct sw_macs list;
    bool more;
    char cut[sizeof(mac_page)];
    (void)state;
    assert_int_equal(parse_macs(no_button, &list, &more), -BASE_MALFORMED);
    free(list.v);
    for (size_t n = 0, end = (size_t)(strstr(mac_page, "</html>") - mac_page) + 6; n <= end; n++) {
        memcpy(cut, mac_page, n);
        cut[n] = '\0';
        assert_int_equal(parse_macs(cut, &list, &more), -BASE_MALFORMED);
        assert_null(list.v);
    }
}

/* A row that lost a cell has its port lists in other columns. */
static void rows_with_a_cell_too_few_or_too_many(void **state)
{
    static const char *const pages[] = {
        TRUNK("<tr><td>Trunk1</td><td>LACP</td><td>1-2</td><td><input type=checkbox></td></tr>"),
        TRUNK("<tr><td>Trunk1</td><td>LACP</td><td>1-2</td></tr>"),
        TRUNK("<tr><td>Trunk1</td><td>LACP</td><td>3</td><td>1-2</td><td>1-2</td><td></td></tr>"),
        HEAD("Trunking Information") TRUNK_FORM("")
            TRUNK_HEAD("") "<tr><td>Trunk2</td><td>2,6</td><td></td></tr>" TRUNK_END TAIL,
    };
    (void)state;
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        struct sw_state st = { .max_groups = 2 };
        if (parse(rtl_trunk, pages[i], strlen(pages[i]), &st) != -BASE_MALFORMED)
            fail_msg("page %zu was believed", i);
        assert_int_equal(st.n_lags, 0);
    }
}

/* Whatever happens to a page: groups that are believed can be. */
static void check_groups(const uint8_t *p, size_t n, bool cut)
{
    struct sw_state st = { .max_groups = 2 };
    sw_ports taken = 0;
    int rc = parse(rtl_trunk, (const char *)p, n, &st);
    if (rc)
        assert_int_equal(st.n_lags, 0);
    if (rc || cut)
        return;
    for (size_t i = 0; i < st.n_lags; i++) {
        const struct sw_lag *l = &st.lags[i];
        assert_true(l->group >= 1 && l->group <= 2 && l->ports && !(l->ports & taken));
        assert_true(st.n_ports >= 1 && l->ports >> st.n_ports == 0);
        assert_true((l->up_ports & ~l->ports) == 0);
        taken |= l->ports;
    }
}

static void groups_of_mangled_pages(void **state)
{
    (void)state;
    unit_mangle(trunk_page, strlen(trunk_page), 20000, check_groups);
    unit_mangle(trunk_page_v17, strlen(trunk_page_v17), 20000, check_groups);
}

/* The value is what a write sends: a list that does not give it cannot be written to. */
static void frame_sizes_without_values(void **state)
{
    static const char *const options[] = { "<option selected>1522<option value=1>9216",
                                           "<option value=x selected>1522<option value=1>9216",
                                           "<option value=0x selected>1522<option value=1>9216",
                                           "<option value=1 selected>1522<option value=2>9216" };
    (void)state;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        struct sw_state st = { .can = SW_CAN_FRAME };
        struct base_buf b = { 0 };
        base_buf_printf(&b, JUMBO("%s"), options[i]);
        assert_int_equal(parse(rtl_jumbo, b.p, b.n, &st), 0);
        assert_true(st.frame.bytes == 1522 && !(st.can & SW_CAN_FRAME));
        base_buf_done(&b);
    }
}

static void values_with_blanks_around(void **state)
{
    static const char page[] =
        HEAD("System Information") "<table><tr><th>Device Model</th><td>\n SKS3200M-4GPY2XF "
                                   "\n</td></tr><tr><th>Firmware Version</th><td><b>V1.9</b> "
                                   "</td></tr></table>" TAIL;
    struct sw_state st = { 0 };
    (void)state;
    assert_int_equal(parse(rtl_info, page, strlen(page), &st), 0);
    assert_string_equal(st.model, "SKS3200M-4GPY2XF");
    assert_string_equal(st.firmware, "V1.9");
    assert_true(st.can & SW_CAN_LAG);
}

UNIT_TESTS(T(cut_off_anywhere), T(groups_that_cannot_be), T(odd_port_lists),
           T(states_and_speeds_not_known), T(other_generation), T(strangers),
           T(rules_without_a_message), T(mac_rows_that_cannot_be),
           T(mac_pages_that_may_be_part_of_a_table), T(rows_with_a_cell_too_few_or_too_many),
           T(groups_of_mangled_pages), T(frame_sizes_without_values), T(values_with_blanks_around))
