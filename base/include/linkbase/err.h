/* SPDX-License-Identifier: MIT */
/* err.h - the one error object that every library and program here speaks.
 *
 * Header-only and public, so that three libraries share it without exporting a symbol for it.  A function that can
 * fail returns 0 or -BASE_<code> and takes `struct base_err *err` last; err may be NULL.  The first error wins: what
 * is wrapped around it on the way up lands in `where`.  Exit statuses and JSON ids are part of the command line's
 * contract (docs/man/linkctl.1). */
#ifndef LINKBASE_ERR_H
#define LINKBASE_ERR_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/*        code          exit  JSON id          what it means                                        */
#define BASE_ERR_CODES(X)                                                                          \
    X(OK, 0, "ok")         /* no error                                             */              \
    X(FAILED, 1, "failed") /* the system said no and no better word fits           */              \
    X(NOT_PERMITTED, 1,                                                                            \
      "not-permitted")               /* needs root or a capability                           */    \
    X(WRONG_LOGIN, 1, "wrong-login") /* the device refused user name or password             */    \
    X(LOCKED, 1, "locked")           /* another run holds the lock                           */    \
    X(NO_MEMORY, 1, "no-memory")                                                                   \
    X(USAGE, 2, "usage")             /* the request itself is wrong                          */    \
    X(NOT_FOUND, 2, "not-found")     /* no such device, group, port, file                    */    \
    X(EXISTS, 2, "exists")           /* is there already, and differs                        */    \
    X(DIFFERS, 3, "differs")         /* the answer is "no"                                   */    \
    X(ROLLED_BACK, 4, "rolled-back") /* failed, and all is as it was before                  */    \
    X(UNSUPPORTED, 5, "unsupported") /* this kernel, NIC, model or firmware cannot           */    \
    X(IMPOSSIBLE, 5, "impossible")   /* found impossible before anything was written         */    \
    X(UNREACHABLE, 6, "unreachable") /* no answer, no route, connection refused              */    \
    X(MALFORMED, 7, "malformed")     /* input that cannot be understood                      */    \
    X(REFUSED, 8, "refused")         /* unsafe or unconfirmed; says which option overrides   */

enum base_code {
#define BASE_ERR_ENUM(name, exit_status, id) BASE_##name,
    BASE_ERR_CODES(BASE_ERR_ENUM)
#undef BASE_ERR_ENUM
};

struct base_err {
    enum base_code code;
    int sys;         /* errno or kernel error behind it, positive; 0 = none */
    char where[192]; /* "bond0: eth1", outermost context first; may be empty */
    char msg[384];   /* what went wrong, one sentence, no full stop */
    char hint[384];  /* what to type next; may be empty */
};

/* Exit status of the command line for a code (CONTRACT's table). */
static inline int base_err_exit(enum base_code code)
{
    switch (code) {
#define BASE_ERR_CASE(name, exit_status, id)                                                       \
    case BASE_##name:                                                                              \
        return exit_status;
        BASE_ERR_CODES(BASE_ERR_CASE)
#undef BASE_ERR_CASE
    }
    return 1;
}

/* Stable identifier for JSON, e.g. "not-found". */
static inline const char *base_err_id(enum base_code code)
{
    switch (code) {
#define BASE_ERR_CASE(name, exit_status, id)                                                       \
    case BASE_##name:                                                                              \
        return id;
        BASE_ERR_CODES(BASE_ERR_CASE)
#undef BASE_ERR_CASE
    }
    return "failed";
}

#if defined(__GNUC__)
#define BASE_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define BASE_PRINTF(fmt, first)
#endif

/* Records code and message unless an error is recorded already; returns -code in either case. */
BASE_PRINTF(3, 4)
static inline int base_err_set(struct base_err *e, enum base_code code, const char *fmt, ...)
{
    if (e && e->code == BASE_OK) {
        va_list ap;
        e->code = code;
        va_start(ap, fmt);
        (void)vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
        va_end(ap);
    }
    return -(int)code;
}

/* As base_err_set, and appends the text of errno value `sys`. */
BASE_PRINTF(4, 5)
static inline int base_err_sys(struct base_err *e, enum base_code code, int sys, const char *fmt,
                               ...)
{
    if (e && e->code == BASE_OK) {
        va_list ap;
        size_t n;
        e->code = code;
        e->sys = sys;
        va_start(ap, fmt);
        (void)vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
        va_end(ap);
        n = strlen(e->msg);
        (void)snprintf(e->msg + n, sizeof(e->msg) - n, ": %s", strerror(sys));
    }
    return -(int)code;
}

/* Adds "what to type next" to a recorded error; the first hint wins.  Returns -code of the error. */
BASE_PRINTF(2, 3)
static inline int base_err_hint(struct base_err *e, const char *fmt, ...)
{
    if (e && e->code != BASE_OK && e->hint[0] == '\0') {
        va_list ap;
        va_start(ap, fmt);
        (void)vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
        va_end(ap);
    }
    return e ? -(int)e->code : -(int)BASE_FAILED;
}

/* Prepends context to `where`: wrap("bond0") then wrap("plan.json") gives "plan.json: bond0".  Returns -code. */
BASE_PRINTF(2, 3)
static inline int base_err_wrap(struct base_err *e, const char *fmt, ...)
{
    if (e && e->code != BASE_OK) {
        char old[sizeof(e->where)];
        va_list ap;
        size_t n;
        memcpy(old, e->where, sizeof(old));
        va_start(ap, fmt);
        (void)vsnprintf(e->where, sizeof(e->where), fmt, ap);
        va_end(ap);
        n = strlen(e->where);
        if (old[0] != '\0')
            (void)snprintf(e->where + n, sizeof(e->where) - n, ": %.*s", (int)sizeof(old) - 1, old);
    }
    return e ? -(int)e->code : -(int)BASE_FAILED;
}

#ifdef __cplusplus
}
#endif

#endif
