/* SPDX-License-Identifier: MIT */
/* transcript.c - what was said, as text without secrets, and a transport that plays such a text back.
 *
 *   > POST /trunk.cgi?page=group id=1&trunk_type=1&ports=0&ports=1&cmd=trunk
 *   < 200                      or "< failed" and why: no answer
 *   |<html>                    a line of the answer; "=" instead of "|": one without line end
 *   *2626                      so many bytes that are not shown
 *
 * Lines that begin otherwise are remarks.  Somebody with the hardware records, anybody can repeat. */
#define _GNU_SOURCE
#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void line(const struct sw_trace *t, const char *start, const char *p, size_t n,
                 const char *secret)
{
    struct base_buf b = { 0 };
    base_buf_str(&b, start);
    base_buf_add(&b, p, n);
    for (char *at = secret && b.p ? strstr(b.p, secret) : NULL; at; at = strstr(at, secret))
        memset(at, 'x', strlen(secret));
    if (!b.bad)
        t->fn(t->arg, b.p);
    base_buf_done(&b);
}

void sw_transcript(const struct sw_trace *t, const struct sw_request *q, const char *cookie,
                   const struct sw_response *r, const char *problem)
{
    const char *secret = cookie ? strchr(cookie, '=') : NULL, *p = r->body.p ? r->body.p : "",
               *end = p + r->body.n;
    char text[sizeof(q->path) + sizeof(q->body) + 64];
    bool login = strstr(q->path, "login") != NULL;
    if (!t->fn)
        return;
    secret = secret && secret[1] ? secret + 1 : NULL;
    (void)snprintf(text, sizeof(text), "> %s %s%s%s", q->post ? "POST" : "GET", q->path,
                   q->post ? " " : "",
                   login && q->post ? "(not shown)"
                   : q->post        ? q->body
                                    : "");
    line(t, text, "", 0, secret);
    if (problem)
        (void)snprintf(text, sizeof(text), "< failed %s", problem);
    else
        (void)snprintf(text, sizeof(text), "< %d", r->status);
    line(t, text, "", 0, secret);
    if (r->body.n && (q->secret || memchr(p, '\0', r->body.n) || !memchr(p, '<', r->body.n))) {
        (void)snprintf(text, sizeof(text), "*%zu", r->body.n);
        line(t, text, "", 0, NULL);
        return;
    }
    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p);
        line(t, stop ? "|" : "=", p, n, secret);
        p += n + (stop != NULL);
    }
}

struct replay {
    struct sw_http base;
    char *text, *at; /* whole, and the next line */
    char off[320];   /* why it is off the track: nothing after that can be right */
};

/* Next line that means something, without its end; NULL = the end.  The text is cut as it is read. */
static char *next_line(struct replay *p)
{
    while (p->at && *p->at) {
        char *start = p->at, *end = strchr(start, '\n');
        p->at = end ? end + 1 : start + strlen(start);
        if (end)
            *end = '\0';
        if (strchr("><|=*", start[0]))
            return start;
    }
    return NULL;
}

static int play_body(struct replay *p, struct sw_response *ret, struct base_err *err)
{
    while (p->at && *p->at && *p->at != '>') {
        char *s = next_line(p);
        if (!s)
            break;
        if (*s == '*')
            return base_err_set(err, BASE_UNSUPPORTED,
                                "the transcript does not show this answer (%s bytes)", s + 1);
        base_buf_str(&ret->body, s + 1);
        if (*s == '|')
            base_buf_chr(&ret->body, '\n');
    }
    return 0;
}

static int replay_send(struct sw_http *h, const struct sw_request *q, const char *cookie,
                       base_time deadline, struct sw_response *ret, struct base_err *err)
{
    struct replay *p = (struct replay *)h;
    char want[sizeof(q->path) + sizeof(q->body) + 16];
    char *said = next_line(p), *answer;
    bool login = q->post && strstr(q->path, "login");
    (void)cookie;
    (void)deadline;
    base_buf_clear(&ret->body);
    (void)snprintf(want, sizeof(want), "> %s %s%s%s", q->post ? "POST" : "GET", q->path,
                   q->post ? " " : "",
                   login     ? "(not shown)"
                   : q->post ? q->body
                             : "");
    if (!p->off[0] && (!said || strcmp(said, want) != 0))
        (void)snprintf(p->off, sizeof(p->off),
                       "the transcript goes on with \"%.100s\", not with \"%.100s\"",
                       said ? said : "its end", want);
    if (p->off[0]) {
        base_err_set(err, BASE_MALFORMED, "%s", p->off);
        return base_err_hint(err, "play it with the command that recorded it");
    }
    answer = next_line(p);
    if (!answer || answer[0] != '<')
        return base_err_set(err, BASE_MALFORMED, "the transcript has no answer to \"%.100s\"",
                            want);
    if (!strncmp(answer, "< failed", 8)) {
        (void)play_body(p, ret, NULL);
        return base_err_set(err, BASE_UNREACHABLE, "%s: %.200s", q->path, answer + 8);
    }
    ret->status = (int)strtoul(answer + 2, NULL, 10);
    return play_body(p, ret, err);
}

static void replay_close(struct sw_http *h)
{
    struct replay *p = (struct replay *)h;
    free(p->text);
    free(p);
}

int sw_http_replay(const char *text, size_t n, struct sw_http **ret, struct base_err *err)
{
    struct replay *p = calloc(1, sizeof(*p));
    if (p)
        p->text = strndup(text, n);
    if (!p || !p->text) {
        free(p);
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    }
    p->at = p->text;
    p->base = (struct sw_http){ .send = replay_send, .close = replay_close };
    *ret = &p->base;
    return 0;
}
