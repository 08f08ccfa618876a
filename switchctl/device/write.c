/* SPDX-License-Identifier: MIT */
/* write.c - changing a switch: check, send once, read back, and put back what it refused.
 *
 * Some firmwares delete a group before they look at its replacement, and answer 200 to everything: only reading back
 * tells what a write did, whatever its answer was. */
#define _GNU_SOURCE
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "os.h"

/* Until a write shows on its page.  Counted, not timed: a transcript of it plays back. */
#define SETTLE_READS 4
#define SETTLE_MS    350

/* What came of a write, before it is read back. */
struct reply {
    struct base_err refusal; /* the device's words */
    struct base_err silence; /* why there was no answer */
};

static bool same_lag(const struct sw_lag *a, const struct sw_lag *b)
{
    return a && b ? sw_lag_same(a, b) : a == b;
}

/* Why the device does not show what was written. */
static void reason_of(const struct reply *said, char *text, size_t size)
{
    if (said->refusal.msg[0])
        (void)snprintf(text, size, "%s", said->refusal.msg);
    else if (said->silence.msg[0])
        (void)snprintf(text, size, "the write was not done (%.150s)", said->silence.msg);
    else
        (void)snprintf(text, size, "the switch does not show what was written");
}

/* Sends a write.  No answer is no error here: reading back tells. */
static int send_write(struct sw_device *d, const struct sw_request *q, struct reply *ret,
                      struct base_err *err)
{
    struct sw_response r = { 0 };
    struct base_err why = { 0 };
    int rc = sw_fetch(d, q, false, &r, &why);
    d->wrote = true;
    if (rc == 0)
        (void)d->dialect->refused(&r, &ret->refusal);
    base_buf_done(&r.body);
    if (why.code == BASE_WRONG_LOGIN) {
        *err = why;
        return rc;
    }
    ret->silence = why;
    return 0;
}

static int write_group(struct sw_device *d, const struct sw_state *st, unsigned group,
                       const struct sw_lag *want, struct reply *ret, struct base_err *err)
{
    struct sw_request q;
    int rc =
        want ? d->dialect->lag_set(st, want, &q, err) : d->dialect->lag_del(st, group, &q, err);
    return rc ? rc : send_write(d, &q, ret, err);
}

/* Reads the groups, at most `reads` times, until `group` is as wanted (NULL = gone); *ret says whether it is. */
static int read_back(struct sw_device *d, struct sw_state *st, unsigned group,
                     const struct sw_lag *want, int reads, bool *ret, struct base_err *err)
{
    for (int i = 1;; i++) {
        int rc = sw_page_into(d, d->dialect->lags, st, err);
        *ret = !rc && same_lag(sw_find_lag(st, group), want);
        if (rc || *ret || i >= reads)
            return rc;
        os_sleep(base_ms(SETTLE_MS));
    }
}

static int put_back(struct sw_device *d, struct sw_state *st, unsigned group,
                    const struct sw_lag *old, const struct reply *said, struct base_err *err)
{
    struct base_err why = { 0 };
    struct reply again = { 0 };
    bool good = same_lag(sw_find_lag(st, group), old);
    char reason[250], problem[250];
    int rc = 0;
    reason_of(said, reason, sizeof(reason));
    if (!good)
        rc = write_group(d, st, group, old, &again, &why);
    if (!good && !rc)
        rc = read_back(d, st, group, old, SETTLE_READS, &good, &why);
    if (!rc && good) {
        base_err_set(err, BASE_ROLLED_BACK, "%s; group %u is as it was before", reason, group);
        return base_err_hint(err, "see it: switchctl -s %s lag show", d->url);
    }
    reason_of(&again, problem, sizeof(problem));
    base_err_set(err, BASE_FAILED, "%s; and group %u could not be put back: %s", reason, group,
                 why.msg[0] ? why.msg : problem);
    return base_err_hint(err, "look at it now: switchctl -s %s lag show", d->url);
}

static int change_group(struct sw_device *d, struct sw_state *st, unsigned group,
                        const struct sw_lag *want, struct base_err *err)
{
    const struct sw_lag *there = sw_find_lag(st, group);
    struct sw_lag old = there ? *there : (struct sw_lag){ 0 };
    struct reply said = { 0 };
    bool good = false;
    int rc;
    sw_deadline(d, SW_WRITE_MS);
    rc = write_group(d, st, group, want, &said, err);
    if (!rc)
        rc = read_back(d, st, group, want, said.refusal.msg[0] ? 1 : SETTLE_READS, &good,
                       err); /* what it refused may be gone: no waiting */
    if (rc && err->code != BASE_WRONG_LOGIN)
        err->hint[0] = '\0'; /* this one says more */
    if (rc)
        return base_err_hint(
            err, "whether group %u was changed is not known; look: switchctl -s %s lag show", group,
            d->url);
    return good ? 0 : put_back(d, st, group, there ? &old : NULL, &said, err);
}

int sw_lag_set(struct sw_device *d, const struct sw_lag *want, bool *ret_changed,
               struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_state st;
    err = err ? err : &here;
    int rc = sw_read(d, &st, err);
    if (rc)
        return rc;
    *ret_changed = false;
    rc = sw_lag_check(&st, want, err);
    if (!rc && !same_lag(sw_find_lag(&st, want->group), want)) {
        *ret_changed = true;
        rc = change_group(d, &st, want->group, want, err);
    }
    return rc ? base_err_wrap(err, "%s", d->url) : 0;
}

int sw_lag_del(struct sw_device *d, unsigned group, bool *ret_changed, struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_state st;
    err = err ? err : &here;
    int rc = sw_read(d, &st, err);
    if (rc)
        return rc;
    *ret_changed = false;
    if (group < 1 || group > st.max_groups)
        rc = base_err_set(err, BASE_IMPOSSIBLE, "no group %u: this switch has groups 1 to %u",
                          group, st.max_groups);
    else if (!(st.can & SW_CAN_LAG))
        rc = base_err_set(err, BASE_UNSUPPORTED,
                          "%s with firmware %s: writing groups is not supported here", st.model,
                          st.firmware);
    else if (sw_find_lag(&st, group)) {
        *ret_changed = true;
        rc = change_group(d, &st, group, NULL, err);
    }
    return rc ? base_err_wrap(err, "%s", d->url) : 0;
}

static int write_frame(struct sw_device *d, struct sw_state *st, uint32_t bytes,
                       struct base_err *err)
{
    struct reply said = { 0 };
    struct sw_request q;
    char reason[250];
    int rc;
    sw_deadline(d, SW_WRITE_MS);
    rc = d->dialect->frame_set(st, bytes, &q, err);
    if (!rc)
        rc = send_write(d, &q, &said, err);
    for (int i = 0; i < SETTLE_READS && !rc && (i == 0 || st->frame.bytes != bytes); i++) {
        if (i)
            os_sleep(base_ms(SETTLE_MS));
        rc = sw_page_into(d, d->dialect->frame, st, err);
    }
    if (rc || st->frame.bytes == bytes)
        return rc;
    reason_of(&said, reason, sizeof(reason));
    return base_err_set(err, BASE_FAILED, "%s", reason);
}

int sw_frame_set(struct sw_device *d, uint32_t bytes, bool *ret_changed, struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_state st;
    uint32_t old;
    err = err ? err : &here;
    int rc = sw_read(d, &st, err);
    if (rc)
        return rc;
    *ret_changed = false;
    old = st.frame.bytes;
    if (!(st.can & SW_CAN_FRAME))
        rc = base_err_set(err, BASE_UNSUPPORTED,
                          "%s with firmware %s: setting the frame size is not supported here",
                          st.model, st.firmware);
    else if (old != bytes) {
        struct base_err why = { 0 }, undo = { 0 };
        *ret_changed = true;
        rc = write_frame(d, &st, bytes, &why);
        if (rc && why.code != BASE_IMPOSSIBLE && st.frame.bytes != old &&
            write_frame(d, &st, old, &undo))
            rc = base_err_set(err, BASE_FAILED, "%s; and the old size could not be put back: %s",
                              why.msg, undo.msg);
        else if (rc)
            rc = base_err_set(err, why.code == BASE_FAILED ? BASE_ROLLED_BACK : why.code, "%s",
                              why.msg);
        if (rc && why.code != BASE_FAILED && why.code != BASE_IMPOSSIBLE)
            base_err_hint(
                err,
                "whether the frame size was changed is not known; look: switchctl -s %s jumbo show",
                d->url);
        else if (rc)
            base_err_hint(err, "see it: switchctl -s %s jumbo show", d->url);
    }
    return rc ? base_err_wrap(err, "%s", d->url) : 0;
}

/* A group that should not be there, or that holds ports which belong to another. */
static bool in_the_way(const struct sw_state *before, const struct sw_lag *now)
{
    for (size_t i = 0; i < before->n_lags; i++)
        if (before->lags[i].group != now->group && (before->lags[i].ports & now->ports))
            return true;
    return sw_find_lag(before, now->group) == NULL;
}

static int can_restore(const struct sw_state *before, struct base_err *err)
{
    for (size_t i = 0; i < before->n_lags; i++)
        if (before->lags[i].mode == SW_LAG_UNKNOWN || !before->lags[i].ports)
            return base_err_set(err, BASE_MALFORMED,
                                "what group %u was before is not known, so it cannot be put back",
                                before->lags[i].group);
    return 0;
}

int sw_restore(struct sw_device *d, const struct sw_state *before, bool *ret_changed,
               struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_state st = *before; /* model, ports and limits do not change; what may have is read */
    err = err ? err : &here;
    int rc = can_restore(before, err);
    if (!rc)
        rc = sw_read_groups(d, &st, err);
    if (rc)
        return rc;
    *ret_changed = false;
    /* Groups that stand in the way go first; then those are set that should be there. */
    for (int pass = 0; pass < 2 && !rc && !before->lags_unknown; pass++)
        for (unsigned g = 1; g <= st.max_groups && !rc; g++) {
            const struct sw_lag *was = sw_find_lag(before, g), *now = sw_find_lag(&st, g);
            if (same_lag(now, was) || (pass == 0 && !(now && in_the_way(before, now))))
                continue;
            *ret_changed = true;
            rc = change_group(d, &st, g, pass ? was : NULL, err);
        }
    if (!rc && before->frame.bytes && st.frame.bytes != before->frame.bytes) {
        *ret_changed = true;
        sw_deadline(d, SW_WRITE_MS);
        rc = write_frame(d, &st, before->frame.bytes, err);
    }
    return rc ? base_err_wrap(err, "%s", d->url) : 0;
}
