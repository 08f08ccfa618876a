/* SPDX-License-Identifier: MIT */
/* request.c - one request and its answer on a netlink channel; see request.h.
 *
 * Every wait is bounded.  Answers to other (older) sequence numbers are passed over. */
#include "request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_MS     10000
#define MAX_RETRIES 10

void nl_channel_close(struct nl_channel *c)
{
    if (c->t)
        c->t->close(c->t);
    free(c->buf);
    *c = (struct nl_channel){ 0 };
}

static enum base_code code_of(int sys)
{
    switch (sys) {
    case EPERM:
    case EACCES:
        return BASE_NOT_PERMITTED;
    case EOPNOTSUPP:
        return BASE_UNSUPPORTED;
    case ENODEV:
        return BASE_NOT_FOUND;
    case EEXIST:
        return BASE_EXISTS;
    default:
        return BASE_FAILED;
    }
}

/* The kernel's own words behind an error message (NLMSGERR_ATTR_MSG), "" when it gave none. */
static void ext_ack(const struct nlmsghdr *h, char *text, size_t size)
{
    const uint8_t *p = (const uint8_t *)h + NLMSG_HDRLEN + sizeof(struct nlmsgerr);
    size_t left, inner = 0;
    struct nl_attr_view a;
    struct nlmsgerr e;
    bool bad = false;
    text[0] = '\0';
    if (h->nlmsg_len < NLMSG_HDRLEN + sizeof(e) || !(h->nlmsg_flags & NLM_F_ACK_TLVS))
        return;
    memcpy(&e, (const uint8_t *)h + NLMSG_HDRLEN, sizeof(e));
    if (!(h->nlmsg_flags & NLM_F_CAPPED) && e.msg.nlmsg_len >= NLMSG_HDRLEN)
        inner = NLMSG_ALIGN(e.msg.nlmsg_len) - NLMSG_HDRLEN;
    left = h->nlmsg_len - NLMSG_HDRLEN - sizeof(e);
    if (inner > left)
        return;
    p += inner;
    left -= inner;
    while (nl_next_attr(&p, &left, &a, &bad))
        if (a.type == NLMSGERR_ATTR_MSG)
            nl_text(a, text, size);
}

static int kernel_error(const struct nlmsghdr *h, int sys, struct base_err *err)
{
    char words[256];
    int rc;
    ext_ack(h, words, sizeof(words));
    if (words[0])
        rc = base_err_set(err, code_of(sys), "the kernel refused: %s (%s)", words, strerror(sys));
    else
        rc = base_err_set(err, code_of(sys), "the kernel refused: %s", strerror(sys));
    if (err && err->sys == 0)
        err->sys = sys;
    if (sys == EPERM)
        base_err_hint(err, "run it as root, or give it CAP_NET_ADMIN");
    return rc;
}

static int send_request(struct nl_channel *c, struct nl_msg_buf *m, uint16_t flags,
                        struct base_err *err)
{
    struct nlmsghdr *h = (struct nlmsghdr *)(void *)m->b;
    int rc;
    if (m->bad)
        return base_err_set(err, BASE_USAGE, "request too large for one netlink message");
    h->nlmsg_seq = ++c->seq;
    h->nlmsg_flags |= NLM_F_REQUEST | flags;
    rc = c->t->send(c->t, m->b, m->n);
    return rc ? base_err_sys(err, BASE_FAILED, -rc, "cannot send to the kernel") : 0;
}

enum { GO_ON = 1, AGAIN = 2 };

struct answer {
    nl_object_fn fn;
    void *arg;
    bool is_dump, interrupted;
};

/* One message: 0 = finished, GO_ON, or an error. */
static int one_message(const struct nl_channel *c, const struct nlmsghdr *h, struct answer *a,
                       struct base_err *err)
{
    int32_t code = 0;
    if (h->nlmsg_seq != c->seq)
        return GO_ON;
    if (h->nlmsg_flags & NLM_F_DUMP_INTR)
        a->interrupted = true;
    if (h->nlmsg_type == NLMSG_NOOP)
        return GO_ON;
    if (h->nlmsg_type == NLMSG_ERROR || h->nlmsg_type == NLMSG_DONE) {
        if (h->nlmsg_len >= NLMSG_HDRLEN + sizeof(code))
            memcpy(&code, (const uint8_t *)h + NLMSG_HDRLEN, sizeof(code));
        else if (h->nlmsg_type == NLMSG_ERROR) /* without its code it says neither yes nor no */
            return base_err_set(err, BASE_MALFORMED, "netlink acknowledgement is cut off");
        return code ? kernel_error(h, -code, err) : 0;
    }
    if (a->fn) {
        int rc = a->fn(a->arg, h, err);
        if (rc)
            return rc;
    }
    return a->is_dump ? GO_ON : 0;
}

static int hear(struct nl_channel *c, struct answer *a, struct base_err *err)
{
    for (;;) {
        ssize_t k = c->t->recv(c->t, c->buf, NL_RECV_SIZE, WAIT_MS);
        uint8_t *p = c->buf;
        if (k == -ENOBUFS && a->is_dump)
            return AGAIN;
        if (k < 0)
            return base_err_sys(err, BASE_FAILED, (int)-k, "no answer from the kernel");
        while (k >= (ssize_t)sizeof(struct nlmsghdr)) {
            const struct nlmsghdr *h = (const struct nlmsghdr *)(void *)p;
            size_t step;
            int rc;
            if (h->nlmsg_len < sizeof(*h) || h->nlmsg_len > (size_t)k)
                return base_err_set(err, BASE_MALFORMED, "netlink message of impossible length");
            rc = one_message(c, h, a, err);
            if (rc != GO_ON)
                return rc == 0 && a->interrupted ? AGAIN : rc;
            step = NLMSG_ALIGN(h->nlmsg_len);
            if (step >= (size_t)k)
                break;
            p += step;
            k -= (ssize_t)step;
        }
    }
}

int nl_ack(struct nl_channel *c, struct nl_msg_buf *m, struct base_err *err)
{
    struct answer a = { 0 };
    int rc = send_request(c, m, NLM_F_ACK, err);
    return rc ? rc : hear(c, &a, err);
}

int nl_get(struct nl_channel *c, struct nl_msg_buf *m, nl_object_fn fn, void *arg,
           struct base_err *err)
{
    struct answer a = { .fn = fn, .arg = arg };
    int rc = send_request(c, m, 0, err);
    return rc ? rc : hear(c, &a, err);
}

int nl_dump_all(struct nl_channel *c, struct nl_msg_buf *m, nl_object_fn fn,
                void (*restart)(void *arg), void *arg, struct base_err *err)
{
    for (int i = 0; i < MAX_RETRIES; i++) {
        struct answer a = { .fn = fn, .arg = arg, .is_dump = true };
        int rc = send_request(c, m, NLM_F_DUMP, err);
        if (!rc)
            rc = hear(c, &a, err);
        if (rc != AGAIN)
            return rc;
        if (restart)
            restart(arg);
    }
    base_err_set(err, BASE_FAILED,
                 "the kernel's tables change faster than they can be read (%d tries)", MAX_RETRIES);
    return base_err_hint(err, "try again when it is quieter");
}
