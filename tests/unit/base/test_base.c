/* SPDX-License-Identifier: MIT */
/* test_base.c - errors, bytes, buffer, MAC addresses. */
#include "unit.h"

#include <errno.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mac.h"

static void first_error_wins(void **state)
{
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(base_err_set(&e, BASE_USAGE, "no %s", "way"), -BASE_USAGE);
    assert_int_equal(base_err_sys(&e, BASE_FAILED, ENOENT, "later"), -BASE_FAILED);
    base_err_hint(&e, "first");
    base_err_hint(&e, "second");
    base_err_wrap(&e, "eth%d", 1);
    assert_int_equal(base_err_wrap(&e, "bond0"), -BASE_USAGE);
    assert_int_equal(e.code, BASE_USAGE);
    assert_string_equal(e.msg, "no way");
    assert_string_equal(e.hint, "first");
    assert_string_equal(e.where, "bond0: eth1");
    assert_int_equal(e.sys, 0);
}

static void error_of_the_system(void **state)
{
    struct base_err e = { 0 };
    (void)state;
    base_err_sys(&e, BASE_NOT_FOUND, ENOENT, "cannot open %s", "x");
    assert_string_equal(e.msg, "cannot open x: No such file or directory");
    assert_int_equal(e.sys, ENOENT);
}

static void error_without_object(void **state)
{
    (void)state;
    assert_int_equal(base_err_set(NULL, BASE_LOCKED, "x"), -BASE_LOCKED);
    assert_int_equal(base_err_sys(NULL, BASE_LOCKED, 1, "x"), -BASE_LOCKED);
    assert_int_equal(base_err_hint(NULL, "x"), -BASE_FAILED);
    assert_int_equal(base_err_wrap(NULL, "x"), -BASE_FAILED);
}

static void error_texts_are_cut_not_overrun(void **state)
{
    struct base_err e = { 0 };
    char text[1000];
    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    base_err_sys(&e, BASE_FAILED, EIO, "%s", text);
    base_err_hint(&e, "%s", text);
    for (int i = 0; i < 3; i++)
        base_err_wrap(&e, "%s", text);
    assert_int_equal(strlen(e.msg), sizeof(e.msg) - 1);
    assert_int_equal(strlen(e.hint), sizeof(e.hint) - 1);
    assert_int_equal(strlen(e.where), sizeof(e.where) - 1);
}

static void exit_statuses(void **state)
{
    static const struct {
        enum base_code code;
        int status;
        const char *id;
    } rows[] = {
        { BASE_OK, 0, "ok" },
        { BASE_FAILED, 1, "failed" },
        { BASE_NOT_PERMITTED, 1, "not-permitted" },
        { BASE_WRONG_LOGIN, 1, "wrong-login" },
        { BASE_LOCKED, 1, "locked" },
        { BASE_NO_MEMORY, 1, "no-memory" },
        { BASE_USAGE, 2, "usage" },
        { BASE_NOT_FOUND, 2, "not-found" },
        { BASE_EXISTS, 2, "exists" },
        { BASE_DIFFERS, 3, "differs" },
        { BASE_ROLLED_BACK, 4, "rolled-back" },
        { BASE_UNSUPPORTED, 5, "unsupported" },
        { BASE_IMPOSSIBLE, 5, "impossible" },
        { BASE_UNREACHABLE, 6, "unreachable" },
        { BASE_MALFORMED, 7, "malformed" },
        { BASE_REFUSED, 8, "refused" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(base_err_exit(rows[i].code), rows[i].status);
        assert_string_equal(base_err_id(rows[i].code), rows[i].id);
    }
    assert_int_equal(base_err_exit((enum base_code)99), 1);
    assert_string_equal(base_err_id((enum base_code)99), "failed");
}

static void bytes_there_and_back(void **state)
{
    static const uint8_t wire[] = { 0x81, 0xfe, 0xdc, 0x80, 1, 2, 3, 'a', 'b', 0, 0 };
    uint8_t out[sizeof(wire)], two[2];
    struct base_wr w = base_wr_init(out, sizeof(out));
    struct base_rd r = base_rd_init(wire, sizeof(wire));
    (void)state;
    base_wr_u8(&w, 0x81);
    base_wr_be16(&w, 0xfedc);
    base_wr_be32(&w, 0x80010203);
    base_wr_bytes(&w, "ab", 2);
    base_wr_zero(&w, 2);
    assert_false(w.bad);
    assert_int_equal(w.left, 0);
    assert_memory_equal(out, wire, sizeof(wire));
    assert_int_equal(base_rd_u8(&r), 0x81);
    assert_int_equal(base_rd_be16(&r), 0xfedc);
    assert_int_equal(base_rd_be32(&r), 0x80010203);
    base_rd_bytes(&r, two, 2);
    assert_memory_equal(two, "ab", 2);
    base_rd_skip(&r, 2);
    assert_false(r.bad);
    assert_int_equal(r.left, 0);
}

static void reader_and_writer_are_sticky(void **state)
{
    static const uint8_t wire[] = { 1, 2, 3 };
    struct base_rd r = base_rd_init(wire, sizeof(wire));
    uint8_t out[3] = { 9, 9, 9 }, got[4] = { 7, 7, 7, 7 };
    struct base_wr w = base_wr_init(out, sizeof(out));
    (void)state;
    assert_int_equal(base_rd_be32(&r), 0);
    assert_true(r.bad);
    assert_int_equal(base_rd_u8(&r), 0); /* though one would fit */
    base_rd_bytes(&r, got, 4);
    assert_memory_equal(got, "\0\0\0\0", 4);
    base_wr_be32(&w, 1);
    base_wr_u8(&w, 1);
    base_wr_zero(&w, 1);
    assert_true(w.bad);
    assert_memory_equal(out, "\x09\x09\x09", 3);
    r = base_rd_init(wire, sizeof(wire));
    base_rd_skip(&r, SIZE_MAX);
    assert_true(r.bad);
}

static void checksum_of_the_rfc(void **state)
{
    static const uint8_t rfc1071[] = { 0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7 };
    static const uint8_t odd[] = { 0xff, 0xff, 0x80 };
    (void)state;
    assert_int_equal(base_inet_fold(base_inet_sum(rfc1071, 8, 0)), (uint16_t)~0xddf2);
    assert_int_equal(base_inet_fold(base_inet_sum(rfc1071 + 4, 4, base_inet_sum(rfc1071, 4, 0))),
                     (uint16_t)~0xddf2);
    assert_int_equal(base_inet_fold(base_inet_sum(odd, 3, 0)), (uint16_t)~0x8000);
    assert_int_equal(base_inet_fold(base_inet_sum(NULL, 0, 0)), 0xffff);
}

static void buffer_grows_and_is_capped(void **state)
{
    struct base_buf b = { .max = 1000 };
    (void)state;
    for (int i = 0; i < 100; i++)
        base_buf_printf(&b, "%09d ", i);
    assert_false(b.bad);
    assert_int_equal(b.n, 1000);
    assert_int_equal(b.p[1000], '\0');
    base_buf_chr(&b, 'x');
    assert_true(b.bad);
    assert_int_equal(b.n, 1000);
    base_buf_str(&b, "");
    assert_true(b.bad);
    assert_null(base_buf_take(&b));
    assert_int_equal(b.max, 1000);
    assert_null(b.p);
}

static void buffer_refuses_sizes_that_wrap(void **state)
{
    struct base_buf b = { 0 };
    (void)state;
    base_buf_str(&b, "x");
    base_buf_add(&b, "y", SIZE_MAX);
    assert_true(b.bad);
    base_buf_clear(&b);
    assert_false(b.bad);
    base_buf_str(&b, "z");
    assert_string_equal(b.p, "z");
    base_buf_done(&b);
}

static void buffer_taken_is_text(void **state)
{
    struct base_buf b = { 0 };
    char *p = base_buf_take(&b);
    (void)state;
    assert_string_equal(p, "");
    free(p);
    base_buf_add(&b, NULL, 0);
    base_buf_printf(&b, "%s", "long enough to grow once and be counted twice");
    p = base_buf_take(&b);
    assert_string_equal(p, "long enough to grow once and be counted twice");
    free(p);
    assert_int_equal(b.n, 0);
}

static void mac_addresses(void **state)
{
    static const char *const good[] = { "02:00:5e:aB:cD:01", "02-00-5E-ab-CD-01",
                                        "02:00-5e:ab-cd:01" };
    static const char *const bad[] = { "",
                                       "02",
                                       "02:00:5e:ab:cd",
                                       "02:00:5e:ab:cd:",
                                       "02:00:5e:ab:cd:1",
                                       "02:00:5e:ab:cd:01:",
                                       "02:00:5e:ab:cd:01 ",
                                       " 02:00:5e:ab:cd:01",
                                       "02:00:5e:ab:cd:0g",
                                       "02005eabcd01",
                                       "2:0:5e:ab:cd:1" };
    struct base_mac m, was = { { 1, 2, 3, 4, 5, 6 } };
    char text[BASE_MAC_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(base_mac_parse(good[i], &m));
        assert_string_equal(base_mac_format(m, text), "02:00:5e:ab:cd:01");
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        m = was;
        assert_false(base_mac_parse(bad[i], &m));
        assert_true(base_mac_equal(m, was));
    }
    assert_false(base_mac_is_zero(was));
    assert_true(base_mac_parse("00:00:00:00:00:00", &m));
    assert_true(base_mac_is_zero(m));
}

UNIT_TESTS(T(first_error_wins), T(error_of_the_system), T(error_without_object),
           T(error_texts_are_cut_not_overrun), T(exit_statuses), T(bytes_there_and_back),
           T(reader_and_writer_are_sticky), T(checksum_of_the_rfc), T(buffer_grows_and_is_capped),
           T(buffer_refuses_sizes_that_wrap), T(buffer_taken_is_text), T(mac_addresses))
