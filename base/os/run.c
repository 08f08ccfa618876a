/* SPDX-License-Identifier: MIT */
/* run.c - one bounded child process with its output collected. */
#define _GNU_SOURCE
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int spawn(const char *const argv[], int out, int errout, pid_t *ret_pid)
{
    posix_spawn_file_actions_t fa;
    int rc;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&fa, out, 1);
    posix_spawn_file_actions_adddup2(&fa, errout, 2);
    rc = posix_spawnp(ret_pid, argv[0], &fa, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    return rc;
}

/* Reads both pipes until both close; false when the deadline passed first. */
static bool collect(struct pollfd p[2], struct base_buf *to[2], base_time deadline)
{
    char chunk[8192];
    while (p[0].fd >= 0 || p[1].fd >= 0) {
        int64_t left = base_to_ms(base_since(deadline, os_now()));
        if (left <= 0)
            return false;
        if (poll(p, 2, (int)(left < 1000000 ? left + 1 : 1000000)) < 0)
            continue;
        for (int i = 0; i < 2; i++) {
            ssize_t n;
            if (p[i].fd < 0 || !p[i].revents)
                continue;
            n = read(p[i].fd, chunk, sizeof(chunk));
            if (n > 0 && to[i])
                base_buf_add(to[i], chunk, (size_t)n);
            if (n <= 0)
                p[i].fd = -1;
        }
    }
    return true;
}

int os_run(const char *const argv[], base_dur limit, struct base_buf *out, struct base_buf *errout,
           int *ret_status, struct base_err *err)
{
    base_time deadline = base_after(os_now(), limit);
    struct base_buf *to[2] = { out, errout };
    int a[2], b[2], rc, status = 0;
    bool in_time;
    pid_t pid;
    if (pipe2(a, O_CLOEXEC))
        return base_err_sys(err, BASE_FAILED, errno, "cannot make a pipe");
    if (pipe2(b, O_CLOEXEC)) {
        rc = base_err_sys(err, BASE_FAILED, errno, "cannot make a pipe");
        close(a[0]);
        close(a[1]);
        return rc;
    }
    rc = spawn(argv, a[1], b[1], &pid);
    close(a[1]);
    close(b[1]);
    if (rc == 0) {
        struct pollfd p[2] = { { .fd = a[0], .events = POLLIN }, { .fd = b[0], .events = POLLIN } };
        in_time = collect(p, to, deadline);
        if (!in_time)
            (void)kill(pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        *ret_status = !in_time            ? 124
                      : WIFEXITED(status) ? WEXITSTATUS(status)
                                          : 128 + WTERMSIG(status);
    }
    close(a[0]);
    close(b[0]);
    if (rc)
        return base_err_sys(err, rc == ENOENT ? BASE_NOT_FOUND : BASE_FAILED, rc, "cannot run %s",
                            argv[0]);
    return 0;
}
