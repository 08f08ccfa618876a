/* SPDX-License-Identifier: MIT */
/* test_device.c - the driver against a switch of a few lines: what is sent, how often, and what is made of the answers. */
#include "switchctl/fake_switch.h"

static void read_twice_logs_in_once(void **state)
{
    struct fake f = { .groups = { [1] = lacp12 } };
    struct sw_device *d = open_fake(&f);
    struct sw_state st;
    (void)state;
    assert_int_equal(sw_read(d, &st, NULL), 0);
    assert_int_equal(sw_read(d, &st, NULL), 0);
    assert_int_equal(f.logins, 1);
    assert_int_equal(f.posts, 0);
    assert_int_equal(st.lags[0].ports, 3);
    assert_int_equal(st.frame.bytes, 9216);
    sw_close(d);
}

static void identify_does_not_log_in(void **state)
{
    struct fake f = { 0 };
    struct sw_device *d = open_fake(&f);
    struct sw_state st;
    (void)state;
    assert_int_equal(sw_identify(d, &st, NULL), 0);
    assert_string_equal(st.model, "SKS3200M-4GPY2XF");
    assert_int_equal(f.sent, 1);
    sw_close(d);
}

static void wrong_password_once_and_never_again(void **state)
{
    struct fake f = { .wrong_password = true };
    struct sw_device *d = open_fake(&f);
    struct sw_state st;
    bool changed;
    (void)state;
    assert_int_equal(sw_read(d, &st, NULL), -BASE_WRONG_LOGIN);
    assert_int_equal(sw_read(d, &st, NULL), -BASE_WRONG_LOGIN);
    assert_int_equal(sw_lag_set(d, &lacp12, &changed, NULL), -BASE_WRONG_LOGIN);
    assert_int_equal(sw_save(d, NULL), -BASE_WRONG_LOGIN);
    assert_int_equal(f.logins, 1);
    sw_close(d);
}

static void no_password_no_login(void **state)
{
    struct fake f = { 0 };
    struct sw_device *d = open_fake(&f);
    struct sw_state st;
    (void)state;
    d->can_log_in = false;
    assert_int_equal(sw_read(d, &st, NULL), -BASE_WRONG_LOGIN);
    assert_int_equal(f.logins, 0);
    sw_close(d);
}

/* Somebody's failed login logs us out between any two requests: the result is the same, and every write is done once. */
static void logged_out_anywhere(void **state)
{
    (void)state;
    for (int after = 1; after < 14; after++) {
        struct fake f = { .log_out_after = after };
        struct sw_device *d = open_fake(&f);
        struct base_err err = { 0 };
        bool changed = false;
        if (after ==
            3) { /* between the login and the first page it cannot be told from a wrong password, and is not tried again */
            assert_int_equal(sw_lag_set(d, &lacp12, &changed, &err), -BASE_WRONG_LOGIN);
            assert_int_equal(f.logins, 1);
            sw_close(d);
            continue;
        }
        if (sw_lag_set(d, &lacp12, &changed, &err))
            fail_msg("logged out at request %d: %s", after, err.msg);
        assert_true(changed);
        assert_int_equal(f.posts, 1);
        assert_true(f.logins <= 2);
        assert_int_equal(f.groups[1].ports, 3);
        sw_close(d);
    }
}

static void cut_pages_are_asked_for_again(void **state)
{
    struct sw_state st;
    struct base_err err = { 0 };
    (void)state;
    for (int cut = 0; cut < 4; cut++) {
        struct fake f = { .cut_pages = cut, .logged_in = true };
        struct sw_device *d = open_fake(&f);
        int rc;
        d->dialect = &sw_rtl837x_cgi;
        memcpy(d->cookie, "admin=x", 8);
        rc = sw_read(d, &st, &err);
        assert_int_equal(rc, cut < 3 ? 0 : -BASE_MALFORMED);
        sw_close(d);
    }
    assert_non_null(strstr(err.msg, "cut off"));
}

static void same_again_writes_nothing(void **state)
{
    struct fake f = { 0 };
    struct sw_device *d = open_fake(&f);
    bool changed = false;
    (void)state;
    assert_int_equal(sw_lag_set(d, &lacp12, &changed, NULL), 0);
    assert_true(changed && f.posts == 1);
    assert_int_equal(sw_lag_set(d, &lacp12, &changed, NULL), 0);
    assert_true(!changed && f.posts == 1);
    assert_int_equal(sw_lag_del(d, 1, &changed, NULL), 0);
    assert_true(changed && f.posts == 2);
    assert_int_equal(sw_lag_del(d, 1, &changed, NULL), 0);
    assert_true(!changed && f.posts == 2);
    assert_int_equal(sw_frame_set(d, 16383, &changed, NULL), 0);
    assert_true(changed && f.posts == 3 && f.frame == 4);
    assert_int_equal(sw_frame_set(d, 16383, &changed, NULL), 0);
    assert_true(!changed && f.posts == 3);
    assert_int_equal(sw_frame_set(d, 9000, &changed, NULL), -BASE_IMPOSSIBLE);
    assert_int_equal(f.posts, 3);
    sw_close(d);
}

static void impossible_is_not_sent(void **state)
{
    struct fake f = { .groups = { [2] = { .group = 2, .mode = SW_LAG_LACP, .ports = 0x18 } } };
    const struct sw_lag taken = { .group = 1, .mode = SW_LAG_LACP, .ports = 0x9 };
    struct sw_device *d = open_fake(&f);
    bool changed = true;
    (void)state;
    assert_int_equal(sw_lag_set(d, &taken, &changed, NULL), -BASE_IMPOSSIBLE);
    assert_int_equal(sw_lag_del(d, 3, &changed, NULL), -BASE_IMPOSSIBLE);
    assert_false(changed);
    assert_int_equal(f.posts, 0);
    sw_close(d);
}

/* The device refuses, and has deleted the old group before: it is there again afterwards. */
static void refused_and_put_back(void **state)
{
    struct fake f = { .groups = { [1] = lacp12 }, .refuse = 1 };
    const struct sw_lag want = { .group = 1, .mode = SW_LAG_LACP, .ports = 0xc };
    struct sw_device *d = open_fake(&f);
    struct base_err err = { 0 };
    bool changed;
    (void)state;
    assert_int_equal(sw_lag_set(d, &want, &changed, &err), -BASE_ROLLED_BACK);
    assert_non_null(strstr(err.msg, "no such thing"));
    assert_int_equal(f.groups[1].ports, 3);
    assert_int_equal(f.posts, 2);
    f.refuse = 2;
    err = (struct base_err){ 0 };
    assert_int_equal(sw_lag_set(d, &want, &changed, &err), -BASE_FAILED);
    assert_non_null(strstr(err.msg, "could not be put back"));
    sw_close(d);
}

static void says_yes_and_does_nothing(void **state)
{
    struct fake f = { .groups = { [1] = lacp12 }, .ignore = 1 };
    struct sw_device *d = open_fake(&f);
    struct base_err err = { 0 };
    bool changed;
    (void)state;
    assert_int_equal(sw_lag_set(d, &static14, &changed, &err),
                     -BASE_IMPOSSIBLE); /* 2500 and half duplex do not go together */
    err = (struct base_err){ 0 };
    assert_int_equal(sw_lag_del(d, 1, &changed, &err), -BASE_ROLLED_BACK);
    assert_int_equal(f.groups[1].ports, 3);
    assert_int_equal(f.posts, 1);
    sw_close(d);
}

/* A write without an answer is never sent again: reading back says whether it was done. */
static void answers_lost(void **state)
{
    struct fake f = { .drop_after = 1 };
    struct sw_device *d = open_fake(&f);
    bool changed = false;
    (void)state;
    assert_int_equal(sw_lag_set(d, &lacp12, &changed, NULL), 0);
    assert_true(changed && f.posts == 1);
    f.drop_before = 1;
    assert_int_equal(sw_lag_del(d, 1, &changed, NULL), -BASE_ROLLED_BACK);
    assert_int_equal(f.posts, 2);
    assert_int_equal(f.groups[1].ports, 3);
    f.drop_after = 1;
    assert_int_equal(sw_frame_set(d, 1522, &changed, NULL), 0);
    assert_int_equal(f.posts, 3);
    sw_close(d);
}

static void restore(void **state)
{
    struct fake f = { .groups = { [1] = lacp12 } };
    struct sw_device *d = open_fake(&f);
    struct sw_state before;
    bool changed = true;
    (void)state;
    assert_int_equal(sw_read(d, &before, NULL), 0);
    assert_int_equal(sw_restore(d, &before, &changed, NULL), 0);
    assert_true(!changed && f.posts == 0);
    /* group 1 moved its ports to group 2, and the frame size is another */
    f.groups[1] = (struct sw_lag){ 0 };
    f.groups[2] = (struct sw_lag){ .group = 2, .mode = SW_LAG_STATIC, .ports = 0x3 };
    f.frame = 0;
    assert_int_equal(sw_restore(d, &before, &changed, NULL), 0);
    assert_true(changed && f.posts == 3);
    assert_int_equal(f.groups[1].ports, 3);
    assert_int_equal(f.groups[1].mode, SW_LAG_LACP);
    assert_int_equal(f.groups[2].group, 0);
    assert_int_equal(f.frame, 3);
    assert_int_equal(sw_restore(d, &before, &changed, NULL), 0);
    assert_true(!changed && f.posts == 3);
    sw_close(d);
}

/* A snapshot without groups must not delete any. */
static void restore_from_what_is_not_known(void **state)
{
    struct fake f = { .groups = { [1] = lacp12 } };
    struct sw_device *d = open_fake(&f);
    struct sw_state before;
    bool changed = true;
    (void)state;
    assert_int_equal(sw_read(d, &before, NULL), 0);
    before.n_lags = 0;
    before.lags_unknown = true;
    (void)sw_restore(d, &before, &changed, NULL);
    assert_int_equal(f.posts, 0);
    assert_int_equal(f.groups[1].ports, 3);
    sw_close(d);
}

/* The first page of somebody who is logged in is another one. */
static void identify_after_login(void **state)
{
    struct fake f = { 0 };
    struct sw_device *d = open_fake(&f);
    struct base_err err = { 0 };
    struct sw_state st;
    (void)state;
    assert_int_equal(sw_read(d, &st, NULL), 0);
    if (sw_identify(d, &st, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(st.dialect, "rtl837x-cgi");
    sw_close(d);
}

static void first_page_cut_is_asked_for_again(void **state)
{
    (void)state;
    for (int cut = 1; cut < 4; cut++) {
        struct fake f = { .cut_first = cut };
        struct sw_device *d = open_fake(&f);
        struct sw_state st;
        assert_int_equal(sw_identify(d, &st, NULL), cut < 3 ? 0 : -BASE_MALFORMED);
        assert_int_equal(f.sent, cut < 3 ? cut + 1 : 3);
        sw_close(d);
    }
}

/* A keeper waits for hours, in which other people may fail to log in more than once. */
static void logged_out_again_and_again(void **state)
{
    struct fake f = { .groups = { [1] = lacp12 } };
    struct sw_device *d = open_fake(&f);
    struct base_err err = { 0 };
    struct sw_state st;
    (void)state;
    for (int i = 0; i < 9; i++) {
        f.logged_in = false;
        if (sw_read(d, &st, &err))
            fail_msg("round %d: %s", i, err.msg);
    }
    sw_close(d);
}

/* Some builds answer nothing at all after a reboot, when the cookie is right and the login is gone. */
static void empty_page_instead_of_log_in(void **state)
{
    struct fake f = { .groups = { [1] = lacp12 }, .empty_when_out = true };
    struct sw_device *d = open_fake(&f);
    struct base_err err = { 0 };
    struct sw_state st;
    (void)state;
    assert_int_equal(sw_read(d, &st, NULL), 0);
    f.logged_in = false;
    if (sw_read(d, &st, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(f.logins, 2);
    f.logged_in = false;
    f.wrong_password = true; /* still empty after logging in: that is all that is known */
    assert_int_equal(sw_read(d, &st, &err), -BASE_MALFORMED);
    assert_int_equal(f.logins, 3);
    sw_close(d);
}

static void mac_table_that_never_ends(void **state)
{
    struct fake f = { .mac_pages = 70 };
    struct sw_device *d = open_fake(&f);
    struct base_err err = { 0 };
    struct sw_mac *v = NULL;
    size_t n = 0;
    (void)state;
    assert_int_equal(sw_macs(d, &v, &n, &err), 0);
    assert_int_equal(n, 3);
    assert_int_equal(f.posts, 69);
    free(v);
    f.mac_pages = -1;
    assert_int_equal(sw_macs(d, &v, &n, &err), -BASE_MALFORMED);
    assert_non_null(strstr(err.msg, "does not end"));
    sw_close(d);
}

/* Each group has ports of the other: neither can be set before the other is gone. */
static void restore_groups_that_crossed(void **state)
{
    static const struct {
        sw_ports was1, was2, now1, now2;
    } rows[] = {
        { 0x03, 0x0c, 0x0c, 0x03 },
        { 0x09, 0x14, 0x03, 0x0c },
        { 0x03, 0x0c, 0x07, 0x18 },
        { 0x03, 0x0c, 0x30, 0x03 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fake f = { .groups = { [1] = { 1, SW_LAG_LACP, rows[i].was1, 0, false },
                                      [2] = { 2, SW_LAG_STATIC, rows[i].was2, 0, false } } };
        struct sw_device *d = open_fake(&f);
        struct base_err err = { 0 };
        struct sw_state before;
        bool changed = false;
        assert_int_equal(sw_read(d, &before, NULL), 0);
        f.groups[1].ports = rows[i].now1;
        f.groups[2].ports = rows[i].now2;
        if (sw_restore(d, &before, &changed, &err))
            fail_msg("row %zu: %s", i, err.msg);
        assert_true(changed);
        assert_int_equal(f.groups[1].ports, rows[i].was1);
        assert_int_equal(f.groups[2].ports, rows[i].was2);
        sw_close(d);
    }
}

/* A mode that this family cannot be told is refused, not rounded to one that it can. */
static void modes_that_cannot_be_chosen(void **state)
{
    static const enum sw_lag_mode modes[] = { SW_LAG_LACP_PASSIVE, SW_LAG_LACP_ACTIVE,
                                              SW_LAG_UNKNOWN };
    (void)state;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        struct fake f = { 0 };
        struct sw_lag want = { .group = 1, .mode = modes[i], .ports = 3 };
        struct sw_device *d = open_fake(&f);
        struct base_err err = { 0 };
        struct sw_state before = { 0 };
        bool changed = true;
        assert_int_equal(sw_lag_set(d, &want, &changed, &err),
                         modes[i] == SW_LAG_UNKNOWN ? -BASE_USAGE : -BASE_UNSUPPORTED);
        assert_non_null(err.hint[0] ? err.hint : NULL);
        assert_int_equal(sw_read(d, &before, NULL), 0);
        before.lags[before.n_lags++] = want;
        err = (struct base_err){ 0 };
        if (modes[i] == SW_LAG_UNKNOWN)
            assert_int_equal(sw_restore(d, &before, &changed, &err), -BASE_MALFORMED);
        assert_int_equal(f.posts, 0);
        sw_close(d);
    }
}

static void lost_write_says_why(void **state)
{
    struct fake f = { .drop_before = 1 };
    struct sw_device *d = open_fake(&f);
    struct base_err err = { 0 };
    bool changed;
    (void)state;
    assert_int_equal(sw_lag_set(d, &lacp12, &changed, &err), -BASE_ROLLED_BACK);
    assert_non_null(strstr(err.msg, "no answer"));
    f.drop_before = 1;
    err = (struct base_err){ 0 };
    assert_int_equal(sw_frame_set(d, 1522, &changed, &err), -BASE_ROLLED_BACK);
    assert_non_null(strstr(err.msg, "no answer"));
    sw_close(d);
}

static void into_buf(void *arg, const char *line)
{
    base_buf_str(arg, line);
    base_buf_chr(arg, '\n');
}

/* What a transcript shows, and what it must not: login, cookie, backup. */
static void transcript(void **state)
{
    struct base_buf out = { 0 };
    const struct sw_trace t = { into_buf, &out };
    struct sw_request q = { .path = "/x.cgi" }, save = sw_rtl837x_cgi.backup(), login;
    struct sw_response none = { 0 }, page = page_of("<p>0123abcd</p>\nend");
    char cookie[96];
    (void)state;
    sw_transcript(&t, &q, "", &none, "no route");
    sw_transcript(&t, &q, "admin=0123abcd", &page, NULL);
    sw_transcript(&t, &save, "admin=x", &page, NULL);
    sw_rtl837x_cgi.login("admin", "pw", &login, cookie, sizeof(cookie));
    sw_transcript(&t, &login, cookie, &none, NULL);
    assert_string_equal(out.p, "> GET /x.cgi\n< failed no route\n"
                               "> GET /x.cgi\n< 200\n|<p>xxxxxxxx</p>\n=end\n"
                               "> GET /config_back.cgi?cmd=conf_backup\n< 200\n*19\n"
                               "> POST /login.cgi (not shown)\n< 0\n");
    base_buf_done(&out);
    base_buf_done(&page.body);
}

UNIT_TESTS(T(read_twice_logs_in_once), T(identify_does_not_log_in),
           T(wrong_password_once_and_never_again), T(no_password_no_login), T(logged_out_anywhere),
           T(cut_pages_are_asked_for_again), T(same_again_writes_nothing),
           T(impossible_is_not_sent), T(refused_and_put_back), T(says_yes_and_does_nothing),
           T(answers_lost), T(restore), T(restore_from_what_is_not_known), T(identify_after_login),
           T(first_page_cut_is_asked_for_again), T(logged_out_again_and_again),
           T(empty_page_instead_of_log_in), T(mac_table_that_never_ends),
           T(restore_groups_that_crossed), T(modes_that_cannot_be_chosen), T(lost_write_says_why),
           T(transcript))
