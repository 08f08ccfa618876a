/* SPDX-License-Identifier: MIT */
/* open.c - a switch as a handle: its URL taken apart, its name resolved once, its password kept out of swap. */
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

static int only_dialect(struct sw_device *d, const char *name, struct base_err *err)
{
    for (const struct sw_dialect *const *x = sw_dialects(); *x && !d->only; x++)
        if (!strcmp((*x)->name, name))
            d->only = *x;
    if (d->only)
        return 0;
    base_err_set(err, BASE_USAGE, "there is no dialect %.60s", name);
    return base_err_hint(err, "those that there are: switchctl dialects");
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
    if (!rc && login->dialect)
        rc = only_dialect(d, login->dialect, err);
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
    explicit_bzero(d, sizeof(*d));
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
