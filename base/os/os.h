/* SPDX-License-Identifier: MIT */
/* os.h - the few things a program asks the operating system for: the clock, a lock, files, a child process.
 *
 * An edge: pure rooms do not include it. */
#ifndef BASE_OS_H
#define BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/time.h"
#include "linkbase/err.h"

base_time os_now(void);              /* CLOCK_MONOTONIC */
void os_sleep_until(base_time when); /* returns early only on a signal */
void os_sleep(base_dur span);

/* Reads a whole file ("-" = standard input), at most `max` bytes. */
int os_read_file(const char *path, size_t max, struct base_buf *ret, struct base_err *err);
/* Writes a whole file, mode 0600, by rename, fsynced: after a crash it is the old or the new one. */
int os_write_file(const char *path, const void *p, size_t n, struct base_err *err);
/* mkdir -p with mode 0700 for what is missing. */
int os_make_dir(const char *path, struct base_err *err);

/* Runs argv[0] (searched in PATH) with no standard input, waits at most `limit`, collects its output.
 * ret_status: exit status, 128 + signal, or 124 when it was killed at the limit. */
int os_run(const char *const argv[], base_dur limit, struct base_buf *out, struct base_buf *errout,
           int *ret_status, struct base_err *err);

struct os_lock {
    int fd;
};

/* Takes the lock file at `path` without waiting and writes `who` into it.
 * Errors: BASE_LOCKED, naming the holder and its process id. */
int os_lock_take(const char *path, const char *who, struct os_lock *ret, struct base_err *err);
void os_lock_drop(
    struct os_lock *lock); /* also done by process end; children that inherited it keep it */

/* Enters a named network namespace (/run/netns/NAME, or a path).  Errors: BASE_NOT_FOUND. */
int os_enter_netns(const char *name, struct base_err *err);
/* An id of the current network namespace that is unique while it exists (the inode of /proc/self/ns/net). */
unsigned long os_netns_id(void);
/* The kernel's boot id, 36 characters; "" when it cannot be read. */
void os_boot_id(char text[static 40]);

#endif
