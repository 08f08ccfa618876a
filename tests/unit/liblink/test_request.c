/* SPDX-License-Identifier: MIT */
/* test_request.c - the request engine against a scripted kernel: acknowledgements, extended acks, dumps with holes. */
#include "unit.h"

#include <errno.h>
#include <linux/rtnetlink.h>

#include "request.h"

enum { SAME = 0, FOREIGN = 1 }; /* whose sequence number */

/* What the kernel sends: one datagram per row with `ends`; error < 0 as recv's own. */
struct says {
    uint16_t type, flags;
    int whose;
    int32_t code;      /* NLMSG_ERROR, NLMSG_DONE */
    const char *words; /* NLMSGERR_ATTR_MSG */
    int error;         /* of recv, negative */
    bool ends, echo;   /* echo: the request is quoted whole, not capped */
    uint32_t len;      /* forged nlmsg_len, 0 = the right one */
};

struct script {
    struct nl_transport t;
    const struct says *says;
    size_t n, at;
    unsigned sends;
    int send_error;
    struct nlmsghdr sent;
};

static int script_send(struct nl_transport *t, const void *msg, size_t n)
{
    struct script *s = (struct script *)t;
    assert_true(n >= sizeof(s->sent));
    memcpy(&s->sent, msg, sizeof(s->sent));
    assert_int_equal(s->sent.nlmsg_len, n);
    s->sends++;
    return s->send_error;
}

static size_t put_row(const struct script *s, const struct says *r, uint8_t *p)
{
    struct nlmsghdr h = { .nlmsg_len = NLMSG_HDRLEN,
                          .nlmsg_type = r->type,
                          .nlmsg_flags = r->flags,
                          .nlmsg_seq = s->sent.nlmsg_seq - (unsigned)r->whose };
    uint8_t *at = p + NLMSG_HDRLEN;
    if (r->type == NLMSG_ERROR) {
        struct nlmsgerr e = { .error = r->code, .msg = s->sent };
        if (!r->echo)
            h.nlmsg_flags |= NLM_F_CAPPED;
        memcpy(at, &e, sizeof(e));
        at += sizeof(e);
        if (r->echo) { /* the rest of the request */
            memset(at, 0, NLMSG_ALIGN(s->sent.nlmsg_len) - NLMSG_HDRLEN);
            at += NLMSG_ALIGN(s->sent.nlmsg_len) - NLMSG_HDRLEN;
        }
    } else if (r->type == NLMSG_DONE) {
        memcpy(at, &r->code, 4);
        at += 4;
    } else {
        memset(at, 0, sizeof(struct ifinfomsg));
        memcpy(at + 4, &r->code, 4); /* ifi_index */
        at += sizeof(struct ifinfomsg);
    }
    if (r->words) {
        struct nlattr a = { (uint16_t)(sizeof(a) + strlen(r->words) + 1), NLMSGERR_ATTR_MSG };
        h.nlmsg_flags |= NLM_F_ACK_TLVS;
        memset(at, 0, NLMSG_ALIGN(a.nla_len));
        memcpy(at, &a, sizeof(a));
        memcpy(at + sizeof(a), r->words, strlen(r->words));
        at += NLMSG_ALIGN(a.nla_len);
    }
    h.nlmsg_len = r->len ? r->len : (uint32_t)(at - p);
    memcpy(p, &h, sizeof(h));
    return NLMSG_ALIGN((size_t)(at - p));
}

static ssize_t script_recv(struct nl_transport *t, void *buf, size_t n, int ms)
{
    struct script *s = (struct script *)t;
    size_t used = 0;
    (void)n;
    assert_true(ms > 0); /* every wait is bounded */
    while (s->at < s->n) {
        const struct says *r = &s->says[s->at++];
        if (r->error)
            return r->error;
        used += put_row(s, r, (uint8_t *)buf + used);
        if (r->ends)
            return (ssize_t)used;
    }
    return used ? (ssize_t)used : -ETIMEDOUT;
}

struct seen {
    int index[32];
    size_t n;
    unsigned restarts;
    int stop_with;
};

static int see(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    struct seen *s = arg;
    const struct ifinfomsg *i = NLMSG_DATA(h);
    assert_true(s->n < 32);
    s->index[s->n++] = i->ifi_index;
    return s->stop_with ? base_err_set(err, (enum base_code)s->stop_with, "enough") : 0;
}

static int see_on(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    int rc = see(arg, h, err);
    return rc ? rc : 0;
}

static void forget(void *arg)
{
    struct seen *s = arg;
    s->n = 0;
    s->restarts++;
}

static int run(char how, struct script *s, struct seen *seen, struct base_err *err)
{
    struct nl_channel c = { .t = &s->t, .seq = 41 };
    struct ifinfomsg ifi = { 0 };
    struct nl_msg_buf m;
    int rc;
    s->t = (struct nl_transport){ .send = script_send, .recv = script_recv };
    c.buf = malloc(NL_RECV_SIZE);
    nl_begin(&m, RTM_GETLINK, 0, &ifi, sizeof(ifi));
    rc = how == 'a'   ? nl_ack(&c, &m, err)
         : how == 'g' ? nl_get(&c, &m, see, seen, err)
                      : nl_dump_all(&c, &m, see_on, forget, seen, err);
    free(c.buf);
    return rc;
}

#define SCRIPT(rows)                                                                               \
    {                                                                                              \
        .says = rows, .n = sizeof(rows) / sizeof(rows[0])                                          \
    }

static void acknowledged(void **state)
{
    static const struct says rows[] = { { .type = NLMSG_ERROR, .ends = true } };
    struct script s = SCRIPT(rows);
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(run('a', &s, NULL, &e), 0);
    assert_int_equal(s.sent.nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK);
    assert_int_equal(s.sent.nlmsg_seq, 42);
}

static void refused(void **state)
{
    static const struct {
        int sys;
        enum base_code code;
    } rows[] = { { EPERM, BASE_NOT_PERMITTED },
                 { EACCES, BASE_NOT_PERMITTED },
                 { EOPNOTSUPP, BASE_UNSUPPORTED },
                 { ENODEV, BASE_NOT_FOUND },
                 { EEXIST, BASE_EXISTS },
                 { EINVAL, BASE_FAILED },
                 { EBUSY, BASE_FAILED } };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct says row = { .type = NLMSG_ERROR, .code = -rows[i].sys, .ends = true };
        struct script s = { .says = &row, .n = 1 };
        struct base_err e = { 0 };
        char want[200];
        assert_int_equal(run('a', &s, NULL, &e), -(int)rows[i].code);
        assert_int_equal(e.sys, rows[i].sys);
        (void)snprintf(want, sizeof(want), "the kernel refused: %s", strerror(rows[i].sys));
        assert_string_equal(e.msg, want);
        assert_int_equal(e.hint[0] != '\0', rows[i].sys == EPERM);
    }
}

static void the_kernels_own_words(void **state)
{
    static const struct says capped[] = {
        { .type = NLMSG_ERROR, .code = -EINVAL, .words = "unable to change mode", .ends = true }
    };
    static const struct says whole[] = { { .type = NLMSG_ERROR,
                                           .code = -EINVAL,
                                           .words = "unable to change mode",
                                           .echo = true,
                                           .ends = true } };
    static const char want[] = "the kernel refused: unable to change mode (Invalid argument)";
    struct script one = SCRIPT(capped), two = SCRIPT(whole);
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(run('a', &one, NULL, &e), -BASE_FAILED);
    assert_string_equal(e.msg, want);
    e = (struct base_err){ 0 };
    assert_int_equal(run('a', &two, NULL, &e), -BASE_FAILED);
    assert_string_equal(e.msg, want);
}

static void warnings_of_a_success_are_no_error(void **state)
{
    static const struct says rows[] = {
        { .type = NLMSG_ERROR, .words = "deprecated", .ends = true }
    };
    struct script s = SCRIPT(rows);
    (void)state;
    assert_int_equal(run('a', &s, NULL, NULL), 0);
}

static void answers_to_others_are_passed_over(void **state)
{
    static const struct says rows[] = {
        { .type = NLMSG_ERROR, .code = -EPERM, .whose = FOREIGN },
        { .type = RTM_NEWLINK, .code = 99, .whose = FOREIGN, .ends = true },
        { .type = RTM_NEWLINK, .code = 7, .ends = true }
    };
    struct script s = SCRIPT(rows);
    struct seen seen = { 0 };
    (void)state;
    assert_int_equal(run('g', &s, &seen, NULL), 0);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.index[0], 7);
}

static void a_dump_in_pieces(void **state)
{
    static const struct says rows[] = {
        { .type = RTM_NEWLINK, .flags = NLM_F_MULTI, .code = 1 },
        { .type = RTM_NEWLINK, .flags = NLM_F_MULTI, .code = 2, .ends = true },
        { .type = NLMSG_NOOP, .ends = true },
        { .type = RTM_NEWLINK, .flags = NLM_F_MULTI, .code = 3 },
        { .type = NLMSG_DONE, .flags = NLM_F_MULTI, .ends = true }
    };
    struct script s = SCRIPT(rows);
    struct seen seen = { 0 };
    (void)state;
    assert_int_equal(run('d', &s, &seen, NULL), 0);
    assert_int_equal(s.sent.nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
    assert_int_equal(seen.n, 3);
    assert_int_equal(seen.restarts, 0);
}

static void an_interrupted_dump_is_asked_for_again(void **state)
{
    static const struct says rows[] = {
        { .type = RTM_NEWLINK, .code = 1, .ends = true },
        { .type = RTM_NEWLINK, .flags = NLM_F_DUMP_INTR, .code = 2, .ends = true },
        { .type = NLMSG_DONE, .ends = true },
        { .type = RTM_NEWLINK, .code = 5 },
        { .type = NLMSG_DONE, .ends = true }
    };
    struct script s = SCRIPT(rows);
    struct seen seen = { 0 };
    (void)state;
    assert_int_equal(run('d', &s, &seen, NULL), 0);
    assert_int_equal(s.sends, 2);
    assert_int_equal(seen.restarts, 1);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.index[0], 5);
}

static void interrupted_at_the_very_end(void **state)
{
    static const struct says rows[] = {
        { .type = RTM_NEWLINK, .code = 1 },
        { .type = NLMSG_DONE, .flags = NLM_F_DUMP_INTR, .ends = true },
        { .type = RTM_NEWLINK, .code = 5 },
        { .type = NLMSG_DONE, .ends = true }
    };
    struct script s = SCRIPT(rows);
    struct seen seen = { 0 };
    (void)state;
    assert_int_equal(run('d', &s, &seen, NULL), 0);
    assert_int_equal(seen.restarts, 1);
    assert_int_equal(seen.n, 1);
}

static void a_dump_that_lost_parts_is_asked_for_again(void **state)
{
    static const struct says rows[] = { { .type = RTM_NEWLINK, .code = 1, .ends = true },
                                        { .error = -ENOBUFS },
                                        { .type = RTM_NEWLINK,
                                          .code = 2,
                                          .whose = FOREIGN,
                                          .ends = true }, /* what is left of the old one */
                                        { .type = RTM_NEWLINK, .code = 3 },
                                        { .type = NLMSG_DONE, .ends = true } };
    struct script s = SCRIPT(rows);
    struct seen seen = { 0 };
    (void)state;
    assert_int_equal(run('d', &s, &seen, NULL), 0);
    assert_int_equal(seen.restarts, 1);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.index[0], 3);
}

static void not_again_for_ever(void **state)
{
    struct says rows[64];
    struct script s = { .says = rows, .n = 64 };
    struct seen seen = { 0 };
    struct base_err e = { 0 };
    (void)state;
    for (int i = 0; i < 64; i++)
        rows[i] = (struct says){ .error = -ENOBUFS };
    assert_int_equal(run('d', &s, &seen, &e), -BASE_FAILED);
    assert_int_equal(s.sends, 10);
    assert_non_null(strstr(e.msg, "change faster than they can be read"));
}

static void a_dump_refused(void **state)
{
    static const struct says rows[] = { { .type = NLMSG_DONE, .code = -EOPNOTSUPP, .ends = true } };
    static const struct says more[] = { { .type = RTM_NEWLINK, .code = 1 },
                                        { .type = NLMSG_ERROR, .code = -EPERM, .ends = true } };
    struct script s = SCRIPT(rows), t = SCRIPT(more);
    struct seen seen = { 0 };
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(run('d', &s, &seen, &e), -BASE_UNSUPPORTED);
    e = (struct base_err){ 0 };
    assert_int_equal(run('d', &t, &seen, &e), -BASE_NOT_PERMITTED);
}

static void a_reader_that_has_enough(void **state)
{
    static const struct says rows[] = { { .type = RTM_NEWLINK, .code = 1 },
                                        { .type = RTM_NEWLINK, .code = 2 },
                                        { .type = NLMSG_DONE, .ends = true } };
    struct script s = SCRIPT(rows);
    struct seen seen = { .stop_with = BASE_MALFORMED };
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(run('d', &s, &seen, &e), -BASE_MALFORMED);
    assert_int_equal(seen.n, 1);
}

static void no_answer(void **state)
{
    struct script s = { .n = 0 }, t = { .send_error = -ENOBUFS };
    static const struct says lost[] = { { .error = -ENOBUFS } };
    struct script u = SCRIPT(lost);
    struct base_err e = { 0 };
    (void)state;
    assert_int_equal(run('a', &s, NULL, &e), -BASE_FAILED);
    assert_string_equal(e.msg, "no answer from the kernel: Connection timed out");
    e = (struct base_err){ 0 };
    assert_int_equal(run('a', &t, NULL, &e), -BASE_FAILED);
    assert_int_equal(e.sys, ENOBUFS);
    e = (struct base_err){ 0 };
    assert_int_equal(run('a', &u, NULL, &e), -BASE_FAILED); /* a request may not be done twice */
    assert_int_equal(u.sends, 1);
}

static void lengths_that_lie(void **state)
{
    static const uint32_t lens[] = { 0, 1, 15, 1000, 0xffffffff };
    (void)state;
    for (size_t i = 1; i < sizeof(lens) / sizeof(lens[0]); i++) {
        const struct says row = { .type = RTM_NEWLINK, .len = lens[i], .ends = true };
        struct script s = { .says = &row, .n = 1 };
        struct seen seen = { 0 };
        assert_int_equal(run('d', &s, &seen, NULL), -BASE_MALFORMED);
        assert_int_equal(seen.n, 0);
    }
}

static void a_request_that_did_not_fit(void **state)
{
    struct script s = { .n = 0 };
    struct nl_channel c = { .t = &s.t };
    struct nl_msg_buf m;
    struct base_err e = { 0 };
    (void)state;
    nl_begin(&m, 1, 0, "", 0);
    m.bad = true;
    assert_int_equal(nl_ack(&c, &m, &e), -BASE_USAGE);
    assert_int_equal(s.sends, 0);
}

UNIT_TESTS(T(acknowledged), T(refused), T(the_kernels_own_words),
           T(warnings_of_a_success_are_no_error), T(answers_to_others_are_passed_over),
           T(a_dump_in_pieces), T(an_interrupted_dump_is_asked_for_again),
           T(interrupted_at_the_very_end), T(a_dump_that_lost_parts_is_asked_for_again),
           T(not_again_for_ever), T(a_dump_refused), T(a_reader_that_has_enough), T(no_answer),
           T(lengths_that_lie), T(a_request_that_did_not_fit))
