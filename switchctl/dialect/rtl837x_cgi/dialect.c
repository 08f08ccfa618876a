/* SPDX-License-Identifier: MIT */
/* dialect.c - what is sent to a rtl837x-cgi switch, and the descriptor; facts in docs/dialects/rtl837x-cgi.md. */
#define _GNU_SOURCE
#include "rtl837x_cgi.h"

#include <md5.h>
#include <stdio.h>
#include <string.h>

static struct sw_request get(const char *path)
{
    struct sw_request q = { .repeatable = true };
    (void)snprintf(q.path, sizeof(q.path), "%s", path);
    return q;
}

static struct sw_request post(const char *path, const char *body)
{
    struct sw_request q = { .post = true };
    (void)snprintf(q.path, sizeof(q.path), "%s", path);
    (void)snprintf(q.body, sizeof(q.body), "%s", body);
    return q;
}

static unsigned probe(const struct sw_response *first, struct sw_state *st)
{
    const char *a, *b;
    if (first->status != 200 || !rtl_logged_out(first))
        return 0;
    a = memmem(first->body.p, first->body.n, "<title>", 7);
    b = a ? strstr(a, "</title>") : NULL;
    if (b && b - a - 7 < SW_TEXT)
        (void)snprintf(st->model, sizeof(st->model), "%.*s", (int)(b - a - 7), a + 7);
    return 90;
}

static void escape(const char *text, char *to, size_t size)
{
    static const char hex[] = "0123456789ABCDEF";
    size_t n = 0;
    for (; *text && n + 4 < size; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     strchr("-._~", c);
        if (!plain)
            to[n++] = '%';
        if (!plain)
            to[n++] = hex[c >> 4];
        to[n++] = plain ? (char)c : hex[c & 15];
    }
    to[n] = '\0';
}

/* The MD5 of user and password is both the answer to the login and the cookie; the password itself need not be sent. */
static void login(const char *user, const char *password, struct sw_request *ret, char *cookie,
                  size_t size)
{
    char digest[MD5_DIGEST_STRING_LENGTH], name[64];
    MD5_CTX md;
    MD5Init(&md);
    MD5Update(&md, (const uint8_t *)user, strlen(user));
    MD5Update(&md, (const uint8_t *)password, strlen(password));
    (void)MD5End(&md, digest);
    escape(user, name, sizeof(name));
    *ret = post("/login.cgi", "");
    (void)snprintf(ret->body, sizeof(ret->body), "username=%s&password=&Response=%s&language=EN",
                   name, digest);
    (void)snprintf(cookie, size, "admin=%s", digest);
}

static int lag_set(const struct sw_state *st, const struct sw_lag *l, struct sw_request *ret,
                   struct base_err *err)
{
    size_t n;
    (void)st;
    (void)err;
    *ret = post("/trunk.cgi?page=group", "");
    n = (size_t)snprintf(ret->body, sizeof(ret->body), "id=%u&trunk_type=%d", l->group,
                         l->mode == SW_LAG_STATIC ? 0 : 1);
    for (unsigned i = 1; i <= SW_PORTS && n < sizeof(ret->body); i++)
        if (l->ports & SW_PORT(i))
            n += (size_t)snprintf(ret->body + n, sizeof(ret->body) - n, "&ports=%u", i - 1);
    if (n < sizeof(ret->body))
        (void)snprintf(ret->body + n, sizeof(ret->body) - n, "&cmd=trunk");
    return 0;
}

static int lag_del(const struct sw_state *st, unsigned group, struct sw_request *ret,
                   struct base_err *err)
{
    (void)st;
    (void)err;
    *ret = post("/trunk.cgi?page=group_remove", "");
    (void)snprintf(ret->body, sizeof(ret->body), "remove_%u=on&cmd=group_remove", group - 1);
    return 0;
}

/* The value is a list index whose meaning differs between generations: found by the text that the page showed. */
static int frame_set(const struct sw_state *st, uint32_t bytes, struct sw_request *ret,
                     struct base_err *err)
{
    for (size_t i = 0; i < st->frame.n_choices; i++)
        if (st->frame.choices[i] == bytes) {
            *ret = post("/fwd.cgi?page=jumboframe", "");
            (void)snprintf(ret->body, sizeof(ret->body), "jumboframe=%zu&cmd=jumboframe", i);
            return 0;
        }
    return base_err_set(err, BASE_IMPOSSIBLE, "this switch has no frame size %u", bytes);
}

static struct sw_request macs_first(void)
{
    return get("/mac.cgi?page=fwd_tbl");
}

static struct sw_request macs_next(void)
{
    return post("/mac.cgi?page=fwd_tbl",
                "cmd=nextpage"); /* never the form as found: its cmd clears the table */
}

static struct sw_request save(void)
{
    return post("/save.cgi", "cmd=save");
}

static struct sw_request backup(void)
{
    struct sw_request q = get("/config_back.cgi?cmd=conf_backup");
    q.secret = true;
    return q;
}

static bool saved(const struct sw_response *r)
{
    return r->body.n && memmem(r->body.p, r->body.n, "Successfully Saved", 18);
}

static const struct sw_page pages[] = {
    { "/info.cgi", rtl_info },
    { "/trunk.cgi?page=group", rtl_trunk },
    { "/panel.cgi", rtl_panel },
    { "/port.cgi", rtl_ports },
    { "/port.cgi?page=stats", rtl_stats },
    { "/fwd.cgi?page=jumboframe", rtl_jumbo },
    { 0 },
};

const struct sw_dialect sw_rtl837x_cgi = {
    .name = "rtl837x-cgi",
    .models = "XikeStor/SikeStor SKS3200M-4GPY2XF and relatives (RTL8372/8373)",
    .reads = "ports, LAG, LACP, frame size, MAC table, counters",
    .writes = "firmware V1.9.x: LAG, LACP, frame size, save, backup",
    .proven = SW_EMULATED,
    .probe = probe,
    .logged_out = rtl_logged_out,
    .whole = rtl_whole,
    .login = login,
    .partly_known = rtl_partly_known,
    .pages = pages,
    .lags = &pages[1],
    .frame = &pages[5],
    .lag_set = lag_set,
    .lag_del = lag_del,
    .frame_set = frame_set,
    .refused = rtl_refused,
    .macs_first = macs_first,
    .macs_next = macs_next,
    .macs = rtl_macs,
    .save = save,
    .backup = backup,
    .saved = saved,
};
