/* SPDX-License-Identifier: MIT */
/* test_model.c - port lists, the rules before a write, frame sizes, and the document "switch-state" there and back. */
#include "unit.h"

#include "sw/model.h"

static const uint32_t g1_choices[] = { 1522, 1536, 1552, 9216, 16383 };

static struct sw_state six_ports(void)
{
    static const unsigned speeds[] = { 2500, 2500, 0, 1000, 10000, 10000 };
    struct sw_state st = { .model = "SKS3200M-4GPY2XF",
                           .firmware = "V1.9",
                           .dialect = "rtl837x-cgi",
                           .mac = { 2, 0, 0x5e, 0, 0, 1 },
                           .has_mac = true,
                           .proven = SW_CAPTURED,
                           .can =
                               SW_CAN_READ | SW_CAN_LAG | SW_CAN_LACP | SW_CAN_FRAME | SW_CAN_SAVE,
                           .max_groups = 2,
                           .min_members = 2,
                           .max_members = 4,
                           .n_ports = 6,
                           .n_lags = 1,
                           .unsaved = SW_YES };
    for (unsigned i = 0; i < 6; i++) {
        struct sw_port *p = &st.ports[i];
        p->number = i + 1;
        (void)snprintf(p->name, sizeof(p->name), "Port %u", i + 1);
        p->link = speeds[i] ? SW_YES : SW_NO;
        p->enabled = i == 5 ? SW_UNKNOWN : SW_YES;
        p->full_duplex = i == 3 ? SW_NO : speeds[i] ? SW_YES : SW_UNKNOWN;
        p->speed_mbps = speeds[i];
    }
    st.ports[4].has_counters = true;
    st.ports[4].tx_good = 4294967295;
    st.ports[4].rx_good = 7;
    st.ports[4].rx_bad = 1;
    st.ports[4].counters_wrap32 = true;
    st.lags[0] = (struct sw_lag){ 2, SW_LAG_LACP, SW_PORT(5) | SW_PORT(6), SW_PORT(5), true };
    st.ports[4].lag = st.ports[5].lag = 2;
    st.frame = (struct sw_frame){ .bytes = 1522, .counts_fcs = true, .n_choices = 5 };
    memcpy(st.frame.choices, g1_choices, sizeof(g1_choices));
    return st;
}

static void port_lists(void **state)
{
    static const struct {
        const char *text;
        sw_ports ports;
        const char *again; /* NULL = refused */
    } rows[] = {
        { "1", 1, "1" },
        { "1,2", 3, "1,2" },
        { "1-3,5", 0x17, "1,2,3,5" },
        { "5,1-3", 0x17, "1,2,3,5" },
        { "2,2,2", 2, "2" },
        { "64", SW_PORT(64), "64" },
        { "63-64", SW_PORT(63) | SW_PORT(64), "63,64" },
        { "", 0, "" },
        { "0", 0, NULL },
        { "65", 0, NULL },
        { "650", 0, NULL },
        { "-", 0, NULL },
        { "1-", 0, NULL },
        { "-1", 0, NULL },
        { "3-1", 0, NULL },
        { "1--2", 0, NULL },
        { "1,,2", 0, NULL },
        { ",1", 0, NULL },
        { "1;2", 0, NULL },
        { "a", 0, NULL },
        { "1a", 0, NULL },
        { "1-2-3", 0, NULL },
        { "99999999999999999999", 0, NULL },
        { "1,", 0, NULL },
        { "Trunk1", 0, NULL },
        { "+1", 0, NULL },
        { "1 2", 0, NULL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct base_err e = { 0 };
        sw_ports p = 0;
        char text[200];
        int rc = sw_ports_parse(rows[i].text, &p, &e);
        if (!!rc != !rows[i].again)
            fail_msg("'%s' gave %d", rows[i].text, rc);
        if (rc) {
            assert_int_equal(rc, -BASE_USAGE);
            assert_true(strlen(e.hint) > 0);
            continue;
        }
        assert_true(p == rows[i].ports);
        sw_ports_format(p, text, sizeof(text));
        assert_string_equal(text, rows[i].again);
    }
}

static void port_lists_in_small_buffers(void **state)
{
    char text[200];
    (void)state;
    for (size_t n = 1; n < sizeof(text); n++) {
        char *small = malloc(n);
        sw_ports_format(~(sw_ports)0, small, n);
        assert_true(strlen(small) < n);
        free(small);
    }
    assert_int_equal(sw_ports_count(~(sw_ports)0), 64);
    assert_int_equal(sw_ports_count(0), 0);
}

static void modes(void **state)
{
    enum sw_lag_mode m;
    struct base_err e = { 0 };
    (void)state;
    for (int i = SW_LAG_STATIC; i <= SW_LAG_LACP_PASSIVE; i++) {
        assert_int_equal(sw_lag_mode_parse(sw_lag_mode_name((enum sw_lag_mode)i), &m, NULL), 0);
        assert_int_equal(m, i);
    }
    assert_null(sw_lag_mode_name(SW_LAG_UNKNOWN));
    assert_null(sw_lag_mode_name((enum sw_lag_mode)77));
    assert_int_equal(sw_lag_mode_parse("LACP", &m, &e), -BASE_USAGE);
    assert_string_equal(e.hint, "modes: static, lacp, lacp-passive");
}

static void lag_rules(void **state)
{
    static const struct {
        struct sw_lag want;
        unsigned without; /* capability taken away */
        enum base_code code;
        const char *text;
    } rows[] = {
        { { 1, SW_LAG_LACP, 0x03, 0, false }, 0, BASE_OK, NULL },
        { { 1, SW_LAG_LACP, 0x0f, 0, false }, 0, BASE_OK, NULL },
        { { 1, SW_LAG_STATIC, 0x03, 0, false }, 0, BASE_OK, NULL },
        { { 1, SW_LAG_STATIC, 0x05, 0, false }, 0, BASE_OK, NULL }, /* one without link */
        { { 2, SW_LAG_LACP, 0x31, 0, false }, 0, BASE_OK, NULL }, /* its own ports, and one more */
        { { 2, SW_LAG_LACP, 0x03, 0, false }, 0, BASE_OK, NULL },
        { { 1, SW_LAG_LACP, 0x09, 0, false }, 0, BASE_OK, NULL }, /* speeds may differ */
        { { 1, SW_LAG_STATIC, 0x09, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "port 1 runs at 2500 Mb/s and port 4 at 1000: a static group needs equal speeds" },
        { { 1, SW_LAG_LACP, 0x01, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "a group here has 2 to 4 ports, not 1" },
        { { 1, SW_LAG_LACP, 0x00, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "a group here has 2 to 4 ports, not 0" },
        { { 2, SW_LAG_LACP, 0x3e, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "a group here has 2 to 4 ports, not 5" },
        { { 0, SW_LAG_LACP, 0x03, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "no group 0: this switch has groups 1 to 2" },
        { { 3, SW_LAG_LACP, 0x03, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "no group 3: this switch has groups 1 to 2" },
        { { 1, SW_LAG_LACP, 0x41, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "no port 7: this switch has 6 ports" },
        { { 1, SW_LAG_LACP, 0x8000000000000001, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "no port 64: this switch has 6 ports" },
        { { 1, SW_LAG_LACP, 0x11, 0, false },
          0,
          BASE_IMPOSSIBLE,
          "port 5 belongs to group 2 already" },
        { { 1, SW_LAG_LACP, 0x03, 0, false },
          SW_CAN_LAG,
          BASE_UNSUPPORTED,
          "SKS3200M-4GPY2XF with firmware V1.9: writing LACP groups is not supported here" },
        { { 1, SW_LAG_LACP, 0x03, 0, false },
          SW_CAN_LACP,
          BASE_UNSUPPORTED,
          "SKS3200M-4GPY2XF with firmware V1.9: writing LACP groups is not supported here" },
        { { 1, SW_LAG_STATIC, 0x03, 0, false }, SW_CAN_LACP, BASE_OK, NULL },
        { { 1, SW_LAG_STATIC, 0x03, 0, false },
          SW_CAN_LAG,
          BASE_UNSUPPORTED,
          "SKS3200M-4GPY2XF with firmware V1.9: writing LAG groups is not supported here" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sw_state st = six_ports();
        struct base_err e = { 0 };
        st.can &= ~rows[i].without;
        assert_int_equal(sw_lag_check(&st, &rows[i].want, &e), -(int)rows[i].code);
        assert_string_equal(e.msg, rows[i].text ? rows[i].text : "");
        assert_int_equal(e.hint[0] != '\0', rows[i].text != NULL);
    }
}

static void frames_for_an_mtu(void **state)
{
    static const struct {
        uint32_t mtu, bytes; /* 0 = impossible */
        bool fcs;
    } rows[] = {
        { 1500, 1522, true },    { 1501, 1536, true },  { 1514, 1536, true },
        { 1515, 1552, true },    { 1530, 1552, true },  { 1531, 9216, true },
        { 9000, 9216, true },    { 9194, 9216, true },  { 9195, 16383, true },
        { 16361, 16383, true },  { 16362, 0, true },    { UINT32_MAX, 0, true },
        { 68, 1522, true },      { 1504, 1522, false }, { 1505, 1536, false },
        { 16365, 16383, false }, { 16366, 0, false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sw_state st = six_ports();
        struct base_err e = { 0 };
        uint32_t got = 0;
        int rc;
        st.frame.counts_fcs = rows[i].fcs;
        rc = sw_frame_for_mtu(&st, rows[i].mtu, &got, &e);
        assert_int_equal(rc, rows[i].bytes ? 0 : -BASE_IMPOSSIBLE);
        assert_int_equal(got, rows[i].bytes);
        if (rc) {
            assert_non_null(strstr(e.msg, "takes at most 16383"));
            assert_non_null(strstr(e.hint, rows[i].fcs ? "the largest MTU that fits is 16361"
                                                       : "the largest MTU that fits is 16365"));
        }
    }
}

static void frame_choices_in_any_order(void **state)
{
    struct sw_state st = six_ports();
    struct base_err e = { 0 };
    uint32_t got;
    (void)state;
    for (size_t i = 0; i < 5; i++)
        st.frame.choices[i] = g1_choices[4 - i];
    assert_int_equal(sw_frame_for_mtu(&st, 9000, &got, NULL), 0);
    assert_int_equal(got, 9216);
    assert_int_equal(sw_frame_for_mtu(&st, 20000, &got, &e), -BASE_IMPOSSIBLE);
    st.can = SW_CAN_READ;
    e = (struct base_err){ 0 };
    assert_int_equal(sw_frame_for_mtu(&st, 1500, &got, &e), -BASE_UNSUPPORTED);
    assert_int_equal(sw_mtu_of_frame(&(struct sw_frame){ .bytes = 9216, .counts_fcs = true }),
                     9194);
    assert_int_equal(sw_mtu_of_frame(&(struct sw_frame){ .bytes = 9216 }), 9198);
    assert_int_equal(sw_mtu_of_frame(&(struct sw_frame){ .bytes = 20, .counts_fcs = true }), 0);
}

static void same_state(const struct sw_state *a, const struct sw_state *b)
{
    char *x, *y;
    assert_int_equal(sw_state_json(a, NULL, 0, &x, NULL), 0);
    assert_int_equal(sw_state_json(b, NULL, 0, &y, NULL), 0);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static void document_there_and_back(void **state)
{
    struct sw_state st = six_ports(), got;
    char *text;
    (void)state;
    assert_int_equal(sw_state_json(&st, NULL, 0, &text, NULL), 0);
    assert_int_equal(sw_state_parse(text, strlen(text), &got, NULL), 0);
    same_state(&st, &got);
    assert_string_equal(got.model, st.model);
    assert_int_equal(got.n_ports, 6);
    assert_int_equal(got.ports[4].tx_good, 4294967295);
    assert_true(got.ports[4].has_counters && got.ports[4].counters_wrap32);
    assert_false(got.ports[0].has_counters);
    assert_int_equal(got.ports[5].enabled, SW_UNKNOWN);
    assert_int_equal(got.ports[3].full_duplex, SW_NO);
    assert_true(got.lags[0].ports == st.lags[0].ports &&
                got.lags[0].up_ports == st.lags[0].up_ports && got.lags[0].up_known);
    assert_int_equal(got.proven, SW_CAPTURED);
    assert_int_equal(got.can, st.can);
    assert_int_equal(got.max_members, 4);
    free(text);
}

static void unknown_is_null_and_stays_unknown(void **state)
{
    struct sw_state st = { .unsaved = SW_UNKNOWN, .n_ports = 1, .n_lags = 1 }, got;
    char *text;
    (void)state;
    st.ports[0] = (struct sw_port){
        .number = 1, .link = SW_UNKNOWN, .enabled = SW_UNKNOWN, .full_duplex = SW_UNKNOWN
    };
    st.lags[0] = (struct sw_lag){ .group = 1, .ports = 3 };
    assert_int_equal(sw_state_json(&st, NULL, 0, &text, NULL), 0);
    assert_non_null(strstr(text, "\"firmware\":null,\"mac\":null"));
    assert_non_null(
        strstr(text, "\"link\":null,\"speed_mbps\":null,\"duplex\":null,\"enabled\":null,\"frame_"
                     "size_bytes\":null,\"lag\":null,\"lacp\":null,\"counters\":null"));
    assert_non_null(strstr(text, "\"mode\":null,\"ports\":[1,2],\"up_ports\":null"));
    assert_non_null(strstr(text, "\"unsaved\":null"));
    assert_int_equal(sw_state_parse(text, strlen(text), &got, NULL), 0);
    same_state(&st, &got);
    assert_false(got.lags[0].up_known);
    free(text);
}

static void mac_table_there_and_back(void **state)
{
    static const struct sw_mac macs[] = { { { 2, 0, 0x5e, 0, 0, 9 }, 20, 3, 0, false },
                                          { { 2, 0, 0x5e, 0, 0, 8 }, 1, 0, 1, true },
                                          { { 2, 0, 0x5e, 0, 0, 7 }, 1, 0, 0, false } };
    struct sw_state st = six_ports();
    struct sw_mac *got;
    size_t n;
    char *text;
    (void)state;
    assert_int_equal(sw_state_json(&st, macs, 3, &text, NULL), 0);
    assert_int_equal(sw_macs_parse(text, strlen(text), &got, &n, NULL), 0);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_memory_equal(got[i].mac, macs[i].mac, 6);
        assert_int_equal(got[i].vlan, macs[i].vlan);
        assert_int_equal(got[i].port, macs[i].port);
        assert_int_equal(got[i].lag, macs[i].lag);
        assert_int_equal(got[i].is_static, macs[i].is_static);
    }
    free(got);
    free(text);
}

static void documents_that_are_none(void **state)
{
    static const struct {
        const char *text;
        int rc;
    } rows[] = {
        { "{}", -BASE_MALFORMED },
        { "[]", -BASE_MALFORMED },
        { "", -BASE_MALFORMED },
        { "{\"kind\":\"link-state\"}", -BASE_MALFORMED },
        { "{\"kind\":7}", -BASE_MALFORMED },
        { "{\"kind\":\"switch-state\"}", 0 },
        { "{\"kind\":\"switch-state\",\"ports\":7,\"lags\":\"x\",\"frame_size\":[],"
          "\"capabilities\":{\"a\":1},\"limits\":null,\"macs\":3}",
          0 },
        { "{\"kind\":\"switch-state\",\"ports\":[1,null,{\"number\":0},{\"number\":65},{\"number\":"
          "1e9}],\"lags\":[]}",
          0 },
        /* Groups are what undo writes: none is guessed. */
        { "{\"kind\":\"switch-state\",\"lags\":[null]}", -BASE_MALFORMED },
        { "{\"kind\":\"switch-state\",\"lags\":[{\"mode\":\"lacp\",\"ports\":[1,2]}]}",
          -BASE_MALFORMED },
        { "{\"kind\":\"switch-state\",\"lags\":[{\"group\":1,\"mode\":\"lacp\"}]}",
          -BASE_MALFORMED },
        { "{\"kind\":\"switch-state\",\"lags\":[{\"group\":1,\"mode\":\"lacp\",\"ports\":[1,65]}]}",
          -BASE_MALFORMED },
        { "{\"kind\":\"switch-state\",\"lags\":[{\"group\":1,\"mode\":\"lacp\",\"ports\":[1,\"2\"]}"
          "]}",
          -BASE_MALFORMED },
        { "{\"kind\":\"switch-state\",\"lags\":[{\"group\":1,\"mode\":\"lacp\",\"ports\":[1]},"
          "{\"group\":1,\"mode\":\"lacp\",\"ports\":[2]}]}",
          -BASE_MALFORMED },
        { "{\"kind\":\"switch-state\",\"lags\":[{\"group\":1,\"mode\":\"lacp\",\"ports\":[1],"
          "\"up_ports\":[true]}]}",
          -BASE_MALFORMED },
        { "{\"kind\":\"switch-state\",\"lags\":[{\"group\":1,\"mode\":null,\"ports\":[1,2],"
          "\"up_ports\":null}]}",
          0 },
        { "{\"kind\":\"switch-state\",\"lags\":[{\"group\":1,\"mode\":\"magic\"}]}",
          -BASE_MALFORMED },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sw_state st;
        struct sw_mac *macs;
        struct base_err e = { 0 };
        size_t n;
        assert_int_equal(sw_state_parse(rows[i].text, strlen(rows[i].text), &st, &e), rows[i].rc);
        if (!sw_macs_parse(rows[i].text, strlen(rows[i].text), &macs, &n, NULL))
            free(macs);
    }
}

static void try_document(const uint8_t *p, size_t n, bool cut)
{
    struct sw_state st;
    struct sw_mac *macs;
    size_t k;
    int rc = sw_state_parse((const char *)p, n, &st, NULL);
    if (cut)
        assert_int_equal(rc, -BASE_MALFORMED);
    if (!sw_macs_parse((const char *)p, n, &macs, &k, NULL))
        free(macs);
}

static void mangled_documents(void **state)
{
    struct sw_state st = six_ports();
    char *text;
    (void)state;
    assert_int_equal(sw_state_json(&st, NULL, 0, &text, NULL), 0);
    unit_mangle(text, strlen(text), 3000, try_document);
    free(text);
}

UNIT_TESTS(T(port_lists), T(port_lists_in_small_buffers), T(modes), T(lag_rules),
           T(frames_for_an_mtu), T(frame_choices_in_any_order), T(document_there_and_back),
           T(unknown_is_null_and_stays_unknown), T(mac_table_there_and_back),
           T(documents_that_are_none), T(mangled_documents))
