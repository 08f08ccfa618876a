/* SPDX-License-Identifier: MIT */
/* file.c - whole files, safely: bounded reads, atomic writes. */
#define _GNU_SOURCE
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int os_read_file(const char *path, size_t max, struct base_buf *ret, struct base_err *err)
{
    bool from_stdin = strcmp(path, "-") == 0;
    int fd = from_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    int rc = 0;
    char chunk[16384];
    if (fd < 0)
        return base_err_sys(err, errno == ENOENT ? BASE_NOT_FOUND : BASE_FAILED, errno,
                            "cannot open %s", path);
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof(chunk));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            rc = base_err_sys(err, BASE_FAILED, errno, "cannot read %s", path);
        if (n <= 0)
            break;
        if (ret->n + (size_t)n > max) {
            rc = base_err_set(err, BASE_MALFORMED, "%s is larger than %zu bytes", path, max);
            break;
        }
        base_buf_add(ret, chunk, (size_t)n);
    }
    if (!from_stdin)
        close(fd);
    if (!rc && ret->bad)
        rc = base_err_set(err, BASE_NO_MEMORY, "out of memory");
    return rc;
}

static int write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t k = write(fd, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0)
            return -1;
        p += k;
        n -= (size_t)k;
    }
    return fsync(fd);
}

static void sync_parent(const char *path)
{
    char dir[4096];
    const char *slash = strrchr(path, '/');
    int n = slash ? (int)(slash - path) : 1, fd;
    (void)snprintf(dir, sizeof(dir), "%.*s", n ? n : 1, slash ? path : ".");
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

int os_write_file(const char *path, const void *p, size_t n, struct base_err *err)
{
    char tmp[4096];
    int fd, rc = 0;
    if (snprintf(tmp, sizeof(tmp), "%s.new", path) >= (int)sizeof(tmp))
        return base_err_set(err, BASE_USAGE, "path too long: %s", path);
    fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return base_err_sys(err, BASE_FAILED, errno, "cannot write %s", tmp);
    if (write_all(fd, p, n))
        rc = base_err_sys(err, BASE_FAILED, errno, "cannot write %s", tmp);
    if (close(fd) && !rc)
        rc = base_err_sys(err, BASE_FAILED, errno, "cannot write %s", tmp);
    if (!rc && rename(tmp, path))
        rc = base_err_sys(err, BASE_FAILED, errno, "cannot rename %s to %s", tmp, path);
    if (rc)
        (void)unlink(tmp);
    else
        sync_parent(path);
    return rc;
}

int os_make_dir(const char *path, struct base_err *err)
{
    char part[4096];
    if (snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part))
        return base_err_set(err, BASE_USAGE, "path too long: %s", path);
    for (char *p = part + 1;; p++) {
        char was = *p;
        if (was != '/' && was != '\0')
            continue;
        *p = '\0';
        if (mkdir(part, 0700) && errno != EEXIST)
            return base_err_sys(err, BASE_FAILED, errno, "cannot make directory %s", part);
        *p = was;
        if (was == '\0')
            return 0;
    }
}
