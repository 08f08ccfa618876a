/* SPDX-License-Identifier: MIT */
/* clock.c - the one place that reads the clock or sleeps. */
#include "os.h"

#include <errno.h>
#include <time.h>

base_time os_now(void)
{
    struct timespec ts;
    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (base_time){ (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec };
}

void os_sleep_until(base_time when)
{
    const struct timespec ts = { .tv_sec = when.ns / 1000000000, .tv_nsec = when.ns % 1000000000 };
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

void os_sleep(base_dur span)
{
    os_sleep_until(base_after(os_now(), span));
}
