/* SPDX-License-Identifier: MIT */
/* curl.c - the one libcurl file: HTTP as small web servers need it.
 *
 * A new connection per request, headers in their classic spelling, no Expect, no Accept-Encoding, bodies that end when
 * the connection does, a pause between requests.  After </html> a reset, or silence, is the end of a page.  Nothing
 * outlives a call, so a forked child can go on using the handle. */
#define _GNU_SOURCE
#include "http.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os.h"

#define BODY_MAX   ((size_t)1 << 20)
#define CONNECT_MS 1500L

struct curl_http {
    struct sw_http base;
    char origin[160], host_header[128];
    unsigned pace_ms, timeout_ms;
    base_time not_before;
    struct sw_trace trace;
};

static size_t take(char *p, size_t one, size_t n, void *arg)
{
    struct base_buf *b = arg;
    base_buf_add(b, p, one * n);
    return b->bad ? 0 : one * n;
}

static struct curl_slist *header(struct curl_slist *list, const char *name, const char *value)
{
    char line[256];
    (void)snprintf(line, sizeof(line), "%s%s%s", name, value ? ": " : ":", value ? value : "");
    return curl_slist_append(list, line);
}

static long time_left(const struct curl_http *c, base_time deadline)
{
    int64_t left = base_to_ms(base_since(deadline, os_now()));
    if (left < 1)
        left = 1;
    return (long)(left < c->timeout_ms ? left : c->timeout_ms);
}

static CURLcode perform(CURL *e, struct curl_http *c, const struct sw_request *q,
                        const char *cookie, base_time deadline, struct sw_response *ret)
{
    struct curl_slist *headers = NULL;
    char url[280], referer[180];
    CURLcode rc;
    long status = 0;
    (void)snprintf(url, sizeof(url), "%s%s", c->origin, q->path);
    (void)snprintf(referer, sizeof(referer), "http://%s/login.cgi", c->host_header);
    headers = header(headers, "Host", c->host_header);
    headers = header(headers, "Referer", referer);
    if (cookie && cookie[0])
        headers = header(headers, "Cookie", cookie);
    headers = header(headers, "Expect", NULL);
    headers = header(headers, "Accept", NULL);
    (void)curl_easy_setopt(e, CURLOPT_URL, url);
    (void)curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(e, CURLOPT_NOPROXY, "*");
    (void)curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    (void)curl_easy_setopt(e, CURLOPT_FORBID_REUSE, 1L);
    (void)curl_easy_setopt(e, CURLOPT_USERAGENT, "switchctl");
    (void)curl_easy_setopt(e, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, time_left(c, deadline));
    (void)curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
    (void)curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, take);
    (void)curl_easy_setopt(e, CURLOPT_WRITEDATA, &ret->body);
    if (q->post)
        (void)curl_easy_setopt(e, CURLOPT_POSTFIELDS, q->body);
    rc = curl_easy_perform(e);
    (void)curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &status);
    ret->status = (int)status;
    curl_slist_free_all(headers);
    return rc;
}

static bool page_is_whole(const struct sw_response *r)
{
    return r->body.n && memmem(r->body.p, r->body.n, "</html>", 7);
}

static int curl_send(struct sw_http *h, const struct sw_request *q, const char *cookie,
                     base_time deadline, struct sw_response *ret, struct base_err *err)
{
    struct curl_http *c = (struct curl_http *)h;
    CURL *e;
    CURLcode rc;
    os_sleep_until(c->not_before);
    ret->body.max = BODY_MAX;
    base_buf_clear(&ret->body);
    if (base_reached(os_now(), deadline))
        return base_err_set(err, BASE_UNREACHABLE, "no time left for %s", q->path);
    e = curl_easy_init();
    if (!e)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    rc = perform(e, c, q, cookie, deadline, ret);
    curl_easy_cleanup(e);
    c->not_before = base_after(os_now(), base_ms(c->pace_ms));
    if (page_is_whole(ret) &&
        (rc == CURLE_RECV_ERROR || rc == CURLE_PARTIAL_FILE || rc == CURLE_OPERATION_TIMEDOUT))
        rc = CURLE_OK; /* reset, or left open, after the end of the page */
    sw_transcript(&c->trace, q, cookie, ret, rc ? curl_easy_strerror(rc) : NULL);
    if (rc == CURLE_OK)
        return 0;
    if (rc == CURLE_UNSUPPORTED_PROTOCOL || rc == CURLE_WEIRD_SERVER_REPLY ||
        (rc == CURLE_WRITE_ERROR && ret->body.bad))
        return base_err_set(err, BASE_MALFORMED,
                            "%s %s: the answer is no HTTP, or larger than %zu bytes",
                            q->post ? "POST" : "GET", q->path, BODY_MAX);
    return base_err_set(err, BASE_UNREACHABLE, "%s %s: %s", q->post ? "POST" : "GET", q->path,
                        curl_easy_strerror(rc));
}

static void curl_close(struct sw_http *h)
{
    free(h);
}

int sw_http_curl(const struct sw_http_opts *o, struct sw_http **ret, struct base_err *err)
{
    struct curl_http *c = calloc(1, sizeof(*c));
    bool v6 = strchr(o->host, ':') != NULL;
    if (!c)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    c->base = (struct sw_http){ .send = curl_send, .close = curl_close };
    (void)snprintf(c->origin, sizeof(c->origin), "%s://%s%s%s:%s", o->scheme, v6 ? "[" : "",
                   o->host, v6 ? "]" : "", o->port);
    (void)snprintf(c->host_header, sizeof(c->host_header), "%s", o->host_header);
    c->pace_ms = o->pace_ms;
    c->timeout_ms = o->timeout_ms;
    c->trace = o->trace;
    *ret = &c->base;
    return 0;
}
