/* SPDX-License-Identifier: MIT */
/* netns.c - network namespaces and the identity of this boot. */
#define _GNU_SOURCE
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int os_enter_netns(const char *name, struct base_err *err)
{
    char path[512];
    int fd, rc = 0;
    (void)snprintf(path, sizeof(path), "%s%s", strchr(name, '/') ? "" : "/run/netns/", name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        rc = base_err_sys(err, errno == ENOENT ? BASE_NOT_FOUND : BASE_FAILED, errno,
                          "no network namespace %s", name);
        base_err_hint(err, "list them: ip netns");
        return rc;
    }
    if (setns(fd, CLONE_NEWNET))
        rc = base_err_sys(err, errno == EPERM ? BASE_NOT_PERMITTED : BASE_FAILED, errno,
                          "cannot enter network namespace %s", name);
    close(fd);
    return rc;
}

unsigned long os_netns_id(void)
{
    struct stat st;
    return stat("/proc/self/ns/net", &st) ? 0 : (unsigned long)st.st_ino;
}

void os_boot_id(char text[static 40])
{
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, 36);
    text[n == 36 ? 36 : 0] = '\0';
    if (fd >= 0)
        close(fd);
}
