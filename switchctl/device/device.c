/* SPDX-License-Identifier: MIT */
/* device.c - a switch as a handle: open, identify, log in when asked to, fetch pages.
 *
 * Drives a dialect over HTTP.  Rules of the road: one password try; a GET may be repeated, a POST never; an answer is
 * checked for "log in first" before anybody parses it. */
#define _GNU_SOURCE
#include "device.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os.h"

static void wipe(void *p, size_t n)
{
    explicit_bzero(p, n);
}

/* "1" to "65535". */
static bool is_port(const char *text)
{
    size_t n = strspn(text, "0123456789");
    long v = n && n <= 5 && !text[n] ? strtol(text, NULL, 10) : 0;
    return v >= 1 && v <= 65535;
}

static int split_url(const char *url, char *scheme, char *host, size_t size, char *port,
                     struct base_err *err)
{
    const char *p = strstr(url, "://"), *end;
    size_t n;
    (void)snprintf(scheme, 8, "%s", "http");
    if (strchr(url, '@')) { /* first of all, since other messages repeat the URL */
        base_err_set(err, BASE_USAGE, "a password does not belong into a URL");
        return base_err_hint(err, "use --user and --password-file, or SWITCHCTL_PASSWORD");
    }
    if (p) {
        if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
            return base_err_set(err, BASE_USAGE, "only http and https URLs can be a switch, not %s",
                                url);
        (void)snprintf(scheme, 8, "%.*s", (int)(p - url), url);
        url = p + 3;
    }
    (void)snprintf(port, 8, "%s", strcmp(scheme, "https") ? "80" : "443");
    end = url[0] == '[' ? strchr(url, ']') : url + strcspn(url, ":/");
    n = end ? (size_t)(end - url) : 0;
    if (url[0] == '[' && n) {
        url++;
        n--;
    }
    if (n == 0 || n >= size)
        return base_err_set(err, BASE_USAGE, "no host in the switch's URL");
    memcpy(host, url, n);
    host[n] = '\0';
    end += *end == ']';
    if (*end == ':')
        (void)snprintf(port, 8, "%.*s", (int)strcspn(end + 1, "/"), end + 1);
    return is_port(port)
               ? 0
               : base_err_set(err, BASE_USAGE,
                              "the port in the switch's URL is no number from 1 to 65535");
}

static int resolve(const char *host, const char *port, char *to, size_t size, struct base_err *err)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *ai;
    int rc = getaddrinfo(host, port, &hints, &ai);
    if (rc) {
        base_err_set(err, BASE_UNREACHABLE, "cannot resolve %s: %s", host, gai_strerror(rc));
        return base_err_hint(err, "give its address: -s http://192.0.2.10");
    }
    rc = getnameinfo(ai->ai_addr, ai->ai_addrlen, to, (socklen_t)size, NULL, 0, NI_NUMERICHOST);
    freeaddrinfo(ai);
    return rc ? base_err_set(err, BASE_UNREACHABLE, "cannot resolve %s", host) : 0;
}

static int open_replay(struct sw_device *d, const char *path, struct base_err *err)
{
    struct base_buf b = { 0 };
    int rc = os_read_file(path, 16 << 20, &b, err);
    if (!rc)
        rc = sw_http_replay(b.p ? b.p : "", b.n, &d->http, err);
    base_buf_done(&b);
    d->can_log_in = true;
    return rc;
}

static int open_http(struct sw_device *d, const struct sw_login *login, struct base_err *err)
{
    char scheme[8], host[128], header[144];
    struct sw_http_opts o = { .scheme = scheme,
                              .host = d->address,
                              .port = d->port,
                              .host_header = header,
                              .pace_ms = login->pace_ms ? login->pace_ms : 350,
                              .timeout_ms = login->timeout_ms ? login->timeout_ms : 3000,
                              .trace = { login->trace, login->trace_arg } };
    bool plain;
    int rc = split_url(login->url, scheme, host, sizeof(host), d->port, err);
    if (!rc)
        rc = resolve(host, d->port, d->address, sizeof(d->address), err);
    if (rc)
        return rc;
    plain = !strcmp(d->port, "80");
    (void)snprintf(header, sizeof(header), "%s%s%s", host, plain ? "" : ":", plain ? "" : d->port);
    return sw_http_curl(&o, &d->http, err);
}

int sw_open(const struct sw_login *login, struct sw_device **ret, struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_device *d = calloc(1, sizeof(*d));
    const char *user = login->user ? login->user : "admin",
               *password = login->password ? login->password : "";
    int rc = 0;
    err = err ? err : &here;
    if (!d)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    (void)mlock(d, sizeof(*d)); /* best effort: the password shall not reach swap */
    if (strlen(login->url) >= sizeof(d->url) || strlen(user) >= sizeof(d->user) ||
        strlen(password) >= sizeof(d->password))
        rc = base_err_set(err, BASE_USAGE, "URL, user name or password is too long for a switch");
    (void)snprintf(d->url, sizeof(d->url), "%s", login->url);
    (void)snprintf(d->user, sizeof(d->user), "%s", user);
    (void)snprintf(d->password, sizeof(d->password), "%s", password);
    d->can_log_in = login->password != NULL;
    if (!rc)
        rc = strncmp(login->url, "replay:", 7) ? open_http(d, login, err)
                                               : open_replay(d, login->url + 7, err);
    if (rc) {
        sw_close(d);
        return strchr(login->url, '@') ? rc : base_err_wrap(err, "%.100s", login->url);
    }
    *ret = d;
    return 0;
}

void sw_close(struct sw_device *d)
{
    if (!d)
        return;
    if (d->http)
        d->http->close(d->http);
    (void)munlock(d, sizeof(*d));
    wipe(d, sizeof(*d));
    free(d);
}

const char *sw_url(const struct sw_device *d)
{
    return d->url;
}

const char *sw_address(const struct sw_device *d)
{
    return d->address;
}

void sw_on_silence(struct sw_device *d, void (*fn)(void *arg), void *arg)
{
    d->on_silence = fn;
    d->on_silence_arg = arg;
}

bool sw_answers(const struct sw_device *d, int ms)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
                              .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV },
                    *ai;
    struct pollfd p = { .events = POLLOUT };
    int failed = ETIMEDOUT;
    socklen_t len = sizeof(failed);
    if (getaddrinfo(d->address, d->port, &hints, &ai))
        return false;
    p.fd = socket(ai->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (p.fd >= 0 && (connect(p.fd, ai->ai_addr, ai->ai_addrlen) == 0 || errno == EINPROGRESS) &&
        poll(&p, 1, ms) > 0)
        (void)getsockopt(p.fd, SOL_SOCKET, SO_ERROR, &failed, &len);
    freeaddrinfo(ai);
    if (p.fd >= 0)
        close(p.fd);
    os_sleep(
        base_ms(400)); /* a connection just closed: small servers want a pause before the next */
    /* A reset or a refusal is somebody's answer; only silence is none. */
    return failed == 0 || failed == ECONNRESET || failed == ECONNREFUSED;
}

/* Sends, repeating what may be repeated: no answer, or a page cut off. */
static int send_tries(struct sw_device *d, const struct sw_request *q, bool want_page,
                      struct sw_response *ret, struct base_err *err)
{
    int rc = 0;
    for (int i = 0; i < (q->repeatable ? SW_TRIES : 1); i++) {
        struct base_err why = { 0 };
        rc = d->http->send(d->http, q, d->cookie, d->deadline, ret, &why);
        if (rc && d->on_silence)
            d->on_silence(d->on_silence_arg);
        if (!rc && want_page && d->dialect && !d->dialect->whole(ret))
            rc = base_err_set(&why, BASE_MALFORMED, "%s: page cut off after %zu bytes", q->path,
                              ret->body.n);
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

int sw_known(struct sw_device *d, struct sw_state *st, struct base_err *err)
{
    struct sw_request q = { .repeatable = true, .path = "/" };
    struct sw_response r = { 0 };
    unsigned best = 0;
    int rc;
    if (d->dialect)
        return 0;
    rc = send_tries(d, &q, false, &r, err);
    if (rc == 0)
        for (const struct sw_dialect *const *x = sw_dialects(); *x; x++) {
            unsigned score = (*x)->probe(&r, st);
            if (score > best) {
                best = score;
                d->dialect = *x;
            }
        }
    if (!rc && !d->dialect)
        rc = sw_stranger(&r, err);
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
    wipe(&q, sizeof(q));
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
    bool fresh = false;
    int rc = sw_known(d, &ignored, err);
    if (!rc && !d->cookie[0]) {
        rc = log_in(d, err);
        fresh = true;
    }
    if (!rc)
        rc = send_tries(d, q, page, ret, err);
    if (rc || !d->dialect->logged_out(ret))
        return rc;
    if (fresh)
        return wrong_password(d, err);
    /* Somebody's failed login or a reboot cleared the session: in once more, and the request once more, since a
     * request that was answered "log in first" was not carried out. */
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
    sw_deadline(d, SW_READ_MS);
    rc = sw_known(d, &ignored, err);
    for (int page = 0; page < 256 && more && !rc; page++) {
        struct sw_request q = page ? d->dialect->macs_next() : d->dialect->macs_first();
        rc = sw_fetch(d, &q, true, &r, err);
        if (!rc)
            rc = d->dialect->macs(&r, &list, &more, err);
        base_buf_done(&r.body);
    }
    if (rc) {
        free(list.v);
        return base_err_wrap(err, "%s", d->url);
    }
    *ret = list.v;
    *ret_n = list.n;
    return 0;
}
