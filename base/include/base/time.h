/* SPDX-License-Identifier: MIT */
/* time.h - points in time and spans, in nanoseconds, as types of their own.
 *
 * base_time counts CLOCK_MONOTONIC; only base/os reads the clock (base_now). */
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t ns;
} base_time;

typedef struct {
    int64_t ns;
} base_dur;

#define BASE_NEVER ((base_time){ INT64_MAX })

static inline base_dur base_ms(int64_t ms)
{
    return (base_dur){ ms * 1000000 };
}

static inline base_dur base_sec(int64_t s)
{
    return (base_dur){ s * 1000000000 };
}

static inline base_time base_after(base_time t, base_dur d)
{
    return (base_time){ t.ns + d.ns };
}

static inline base_dur base_since(base_time later, base_time earlier)
{
    return (base_dur){ later.ns - earlier.ns };
}

static inline int64_t base_to_ms(base_dur d)
{
    return d.ns / 1000000;
}

static inline bool base_reached(base_time now, base_time deadline)
{
    return now.ns >= deadline.ns;
}

#endif
