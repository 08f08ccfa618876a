/* SPDX-License-Identifier: MIT */
/* device.c - driving a switch: identify, log in when asked to, fetch pages, read.
 *
 * Drives a dialect over HTTP.  Rules of the road: one password try; a GET may be repeated, a POST never; an answer is
 * checked for "log in first" before anybody parses it. */
#define _GNU_SOURCE
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"

void sw_on_silence(struct sw_device *d, void (*fn)(void *arg), void *arg)
{
    d->on_silence = fn;
    d->on_silence_arg = arg;
}

static int cut_off(const struct sw_request *q, const struct sw_response *r, struct base_err *err)
{
    if (r->body.n)
        return base_err_set(err, BASE_MALFORMED, "%s: page cut off after %zu bytes", q->path,
                            r->body.n);
    base_err_set(err, BASE_MALFORMED, "%s: an empty page", q->path);
    base_err_hint(err, "some builds answer so to a wrong password; else try again in a minute");
    return -BASE_MALFORMED;
}

/* Sends, repeating what may be repeated: no answer, or a page cut off. */
static int send_tries(struct sw_device *d, const struct sw_request *q, bool want_page,
                      struct sw_response *ret, struct base_err *err)
{
    int rc = 0;
    for (int i = 0; i < (q->repeatable ? SW_TRIES : 1); i++) {
        struct base_err why = { 0 };
        rc = d->http->send(d->http, q, q->anonymous ? "" : d->cookie, d->deadline, ret, &why);
        if (rc && d->on_silence)
            d->on_silence(d->on_silence_arg);
        if (!rc && want_page && d->dialect && !d->dialect->whole(ret))
            rc = cut_off(q, ret, &why);
        if (!rc)
            return 0;
        if (i + 1 == (q->repeatable ? SW_TRIES : 1) || base_reached(os_now(), d->deadline) ||
            (why.code != BASE_UNREACHABLE && why.code != BASE_MALFORMED)) {
            base_err_set(err, why.code, "%s", why.msg);
            if (why.hint[0])
                base_err_hint(err, "%s", why.hint);
            else if (why.code == BASE_UNREACHABLE)
                base_err_hint(err, "is it on, and is this its address? a LAG mismatch hides it "
                                   "too: linkctl doctor");
            else
                base_err_hint(err, "nothing was written; try again in a minute");
            return rc;
        }
    }
    return rc;
}

static const struct sw_dialect *best_dialect(const struct sw_dialect *only,
                                             const struct sw_response *r, struct sw_state *st)
{
    const struct sw_dialect *best = NULL;
    unsigned most = 0;
    for (const struct sw_dialect *const *x = sw_dialects(); *x; x++) {
        unsigned score = !only || only == *x ? (*x)->probe(r, st) : 0;
        if (score > most) {
            most = score;
            best = *x;
        }
    }
    return best;
}

int sw_known(struct sw_device *d, struct sw_state *st, struct base_err *err)
{
    struct sw_request q = { .repeatable = true, .anonymous = true, .path = "/" };
    struct sw_response r = { 0 };
    int rc = 0;
    if (d->dialect)
        return 0;
    /* A page cut off before its mark is nobody's. */
    for (int i = 0; i < SW_TRIES && !rc && !d->dialect; i++) {
        rc = send_tries(d, &q, false, &r, err);
        if (rc == 0)
            d->dialect = best_dialect(d->only, &r, st);
        if (!rc && !d->dialect)
            rc = sw_stranger(&r, err);
        if (r.body.n && memmem(r.body.p, r.body.n, "</html>", 7))
            break;
    }
    if (!rc && !d->dialect) {
        struct base_err page = { 0 };
        (void)sw_not_understood(&r, "the first page of a known switch", &page);
        rc = base_err_set(err, BASE_MALFORMED, "%s", page.msg);
        base_err_hint(err, "families that are known: switchctl dialects");
    }
    if (!rc)
        (void)snprintf(st->dialect, sizeof(st->dialect), "%s", d->dialect->name);
    base_buf_done(&r.body);
    return rc;
}

int sw_identify(struct sw_device *d, struct sw_state *ret, struct base_err *err)
{
    struct base_err here = { 0 };
    int rc;
    err = err ? err : &here;
    *ret = (struct sw_state){ .unsaved = SW_UNKNOWN };
    sw_deadline(d, SW_READ_MS);
    d->dialect = NULL;
    rc = sw_known(d, ret, err);
    if (!rc)
        ret->proven = d->dialect->proven;
    return rc ? base_err_wrap(err, "%s", d->url) : 0;
}

void sw_deadline(struct sw_device *d, int ms)
{
    d->logins = 0;
    d->deadline = base_after(os_now(), base_ms(ms));
}

static int log_in(struct sw_device *d, struct base_err *err)
{
    struct sw_request q;
    struct sw_response r = { 0 };
    int rc;
    if (!d->can_log_in) {
        base_err_set(err, BASE_WRONG_LOGIN, "the switch wants a password, and none was given");
        return base_err_hint(err, "give it with --password-file FILE, or in SWITCHCTL_PASSWORD");
    }
    if (d->logins++ > 2) /* somebody else logs us out again and again */
        return base_err_set(err, BASE_FAILED, "somebody else keeps logging us out");
    d->dialect->login(d->user, d->password, &q, d->cookie, sizeof(d->cookie));
    rc = send_tries(d, &q, false, &r, err);
    explicit_bzero(&q, sizeof(q));
    base_buf_done(&r.body);
    return rc;
}

static int wrong_password(struct sw_device *d, struct base_err *err)
{
    d->can_log_in = false; /* one try only: a failed login throws everybody out */
    base_err_set(err, BASE_WRONG_LOGIN,
                 "the switch refused user %s with this password (tried once)", d->user);
    return base_err_hint(err, "check --user and the password; nothing was changed");
}

int sw_fetch(struct sw_device *d, const struct sw_request *q, bool page, struct sw_response *ret,
             struct base_err *err)
{
    struct sw_state ignored = { 0 };
    struct base_err why = { 0 };
    bool fresh = false, out;
    int rc = sw_known(d, &ignored, err);
    if (!rc && !d->cookie[0]) {
        rc = log_in(d, err);
        fresh = true;
    }
    if (rc)
        return rc;
    rc = send_tries(d, q, page, ret, &why);
    out = rc ? rc == -BASE_MALFORMED && !ret->body.n && q->repeatable && !fresh
             : d->dialect->logged_out(ret);
    if (!out && rc && err && !err->code)
        *err = why;
    if (!out)
        return rc;
    if (fresh)
        return wrong_password(d, err);
    /* Somebody's failed login or a reboot cleared the session: in once more, and the request once more, since a
     * request that was answered "log in first" was not carried out.  Some builds answer nothing instead. */
    rc = log_in(d, err);
    if (!rc)
        rc = send_tries(d, q, page, ret, err);
    return !rc && d->dialect->logged_out(ret) ? wrong_password(d, err) : rc;
}

int sw_page_into(struct sw_device *d, const struct sw_page *page, struct sw_state *st,
                 struct base_err *err)
{
    struct sw_request q = { .repeatable = true };
    struct sw_response r = { 0 };
    int rc;
    (void)snprintf(q.path, sizeof(q.path), "%s", page->path);
    rc = sw_fetch(d, &q, true, &r, err);
    if (!rc && page->parse(&r, st, err))
        rc = base_err_wrap(err, "%s", page->path);
    base_buf_done(&r.body);
    return rc;
}

/* A page of a firmware that is known in part: what is not understood stays unknown, and is no error. */
static int read_page(struct sw_device *d, const struct sw_page *page, struct sw_state *st,
                     struct base_err *err)
{
    struct base_err why = { 0 };
    int rc = sw_page_into(d, page, st, &why);
    if (rc == -BASE_MALFORMED && st->firmware[0] && d->dialect->partly_known(st)) {
        st->lags_unknown |= page == d->dialect->lags;
        return 0;
    }
    if (rc && err)
        *err = why;
    return rc;
}

static int read_all(struct sw_device *d, struct sw_state *st, struct base_err *err)
{
    int rc = sw_known(d, st, err);
    for (const struct sw_page *p = rc ? NULL : d->dialect->pages; p && p->path && !rc; p++)
        rc = read_page(d, p, st, err);
    if (!rc) {
        (void)snprintf(st->dialect, sizeof(st->dialect), "%s", d->dialect->name);
        st->proven = d->dialect->proven;
        st->unsaved = d->wrote ? SW_YES : SW_UNKNOWN;
    }
    return rc;
}

int sw_read(struct sw_device *d, struct sw_state *ret, struct base_err *err)
{
    struct base_err here = { 0 };
    err = err ? err : &here;
    *ret = (struct sw_state){ .unsaved = SW_UNKNOWN };
    sw_deadline(d, SW_READ_MS);
    return read_all(d, ret, err) ? base_err_wrap(err, "%s", d->url) : 0;
}

int sw_read_groups(struct sw_device *d, struct sw_state *st, struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_state ignored = { 0 };
    int rc;
    err = err ? err : &here;
    sw_deadline(d, SW_READ_MS);
    rc = sw_known(d, &ignored, err);
    if (!rc)
        rc = sw_page_into(d, d->dialect->lags, st, err);
    if (!rc)
        rc = sw_page_into(d, d->dialect->frame, st, err);
    return rc ? base_err_wrap(err, "%s", d->url) : 0;
}

int sw_macs(struct sw_device *d, struct sw_mac **ret, size_t *ret_n, struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_state ignored = { 0 };
    struct sw_macs list = { 0 };
    struct sw_response r = { 0 };
    bool more = true;
    int rc;
    err = err ? err : &here;
    sw_deadline(d, SW_MACS_MS);
    rc = sw_known(d, &ignored, err);
    for (int page = 0; page < SW_MAC_PAGES && more && !rc; page++) {
        struct sw_request q = page ? d->dialect->macs_next() : d->dialect->macs_first();
        rc = sw_fetch(d, &q, true, &r, err);
        if (!rc)
            rc = d->dialect->macs(&r, &list, &more, err);
        base_buf_done(&r.body);
    }
    if (!rc && more) {
        rc = base_err_set(err, BASE_MALFORMED, "the MAC table does not end after %d pages",
                          SW_MAC_PAGES);
        base_err_hint(err, "somebody else may be reading it too; try again in a minute");
    }
    if (rc) {
        free(list.v);
        return base_err_wrap(err, "%s", d->url);
    }
    *ret = list.v;
    *ret_n = list.n;
    return 0;
}
