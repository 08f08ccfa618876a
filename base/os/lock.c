/* SPDX-License-Identifier: MIT */
/* lock.c - one lock file: a second run says who holds it. */
#define _GNU_SOURCE
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int os_lock_take(const char *path, const char *who, struct os_lock *ret, struct base_err *err)
{
    char holder[256] = "";
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return base_err_sys(err, errno == EACCES ? BASE_NOT_PERMITTED : BASE_FAILED, errno,
                            "cannot open the lock %s", path);
    if (flock(fd, LOCK_EX | LOCK_NB)) {
        ssize_t n = read(fd, holder, sizeof(holder) - 1);
        int rc, sys = errno;
        close(fd);
        if (n < 0 && sys != EWOULDBLOCK)
            return base_err_sys(err, BASE_FAILED, sys, "cannot lock %s", path);
        holder[n > 0 ? n : 0] = '\0';
        holder[strcspn(holder, "\n")] = '\0';
        rc = base_err_set(err, BASE_LOCKED, "another change is under way here: %s",
                          holder[0] ? holder : "unknown holder");
        base_err_hint(err, "wait for it to end, or confirm or roll it back: linkctl journal");
        return rc;
    }
    if (ftruncate(fd, 0) == 0)
        (void)dprintf(fd, "%s (process %d)\n", who, (int)getpid());
    ret->fd = fd;
    return 0;
}

void os_lock_drop(struct os_lock *lock)
{
    if (lock->fd > 0)
        close(lock->fd);
    lock->fd = -1;
}
