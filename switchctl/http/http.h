/* SPDX-License-Identifier: MIT */
/* http.h - one request and its answer, as values, behind a seam: libcurl's transport, and replayed ones in tests. */
#ifndef SW_HTTP_H
#define SW_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/time.h"
#include "linkbase/err.h"

struct sw_request {
    bool post;
    bool repeatable; /* may be sent again when no answer came */
    bool anonymous;  /* without the cookie: what a stranger is answered */
    bool secret;     /* its answer holds passwords: never in a transcript */
    char path[96];   /* with query */
    char body[512];  /* form data, for POST */
};

struct sw_response {
    int status; /* HTTP status */
    struct base_buf body;
};

struct sw_trace { /* takes the transcript, line by line; fn NULL = none */
    void (*fn)(void *arg, const char *line);
    void *arg;
};

struct sw_http {
    /* Sends once.  ret->body is empty before; errors: BASE_UNREACHABLE (nothing, or not a whole answer). */
    int (*send)(struct sw_http *h, const struct sw_request *q, const char *cookie,
                base_time deadline, struct sw_response *ret, struct base_err *err);
    void (*close)(struct sw_http *h);
};

struct sw_http_opts {
    const char *scheme, *host, *port; /* host: a numeric address */
    const char *host_header;          /* as the user wrote it */
    unsigned pace_ms, timeout_ms;
    struct sw_trace trace;
};

int sw_http_curl(const struct sw_http_opts *o, struct sw_http **ret, struct base_err *err);
/* Plays a transcript back.  A request that it does not have next: BASE_MALFORMED. */
int sw_http_replay(const char *text, size_t n, struct sw_http **ret, struct base_err *err);
/* Writes one request and its answer (problem: why there is none) into a transcript, without password and cookie. */
void sw_transcript(const struct sw_trace *t, const struct sw_request *q, const char *cookie,
                   const struct sw_response *r, const char *problem);

#endif
