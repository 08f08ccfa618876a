/* SPDX-License-Identifier: MIT */
/* keeper.c - see keeper.h.
 *
 * Own session (Ctrl-C and hang-up of the terminal pass it by), memory locked (the root may be on NFS over the very
 * bond), the network namespace held by being in it.  Parent and keeper speak over a socketpair: the end of the line
 * without a word means that the parent died. */
#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os.h"

#define ANSWER_MS 5000

struct head {
    char word; /* 'r' record, 'c', 'd', 'w' */
    char kind[32];
    unsigned seconds;
    size_t n;
};

static int send_all(int fd, const void *data, size_t n)
{
    const char *p = data;
    while (n) {
        ssize_t k = send(fd, p, n, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return -1;
        p += k;
        n -= (size_t)k;
    }
    return 0;
}

static int recv_all(int fd, void *data, size_t n)
{
    char *p = data;
    while (n) {
        ssize_t k = recv(fd, p, n, 0);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return -1;
        p += k;
        n -= (size_t)k;
    }
    return 0;
}

static void socket_name(const char *id, struct sockaddr_un *ret)
{
    *ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
    (void)snprintf(ret->sun_path, sizeof(ret->sun_path), "%s/%s.sock", CHANGE_RUN, id);
}

static void set_status(struct journal *j, const char *status)
{
    (void)snprintf(j->status, sizeof(j->status), "%s", status);
    (void)journal_write(j, NULL);
}

static void undo(struct journal *j, const struct change_opts *o)
{
    /* The switch may be rebooting, a leg may still be settling: try for a while. */
    for (int i = 0; i < 5; i++) {
        struct base_err err = { 0 };
        if (journal_undo(j, o, true, &err) == 0) {
            set_status(j, "undone");
            return;
        }
        os_sleep(base_ms(1000));
    }
    set_status(j, "open"); /* the next run tries again */
}

/* Waits for a word on the confirmation socket until the deadline. */
static void await_confirmation(struct journal *j, const struct change_opts *o, unsigned seconds)
{
    struct sockaddr_un name;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), peer;
    base_time deadline = base_after(os_now(), base_sec(seconds));
    char word = 0;
    socket_name(j->id, &name);
    (void)unlink(name.sun_path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&name, sizeof(name)) || listen(fd, 4)) {
        undo(j, o);
        return;
    }
    set_status(j, "waiting");
    while (word != 'y' && word != 'n') {
        int64_t left = base_to_ms(base_since(deadline, os_now()));
        struct pollfd p = { .fd = fd, .events = POLLIN };
        word = 0;
        if (left <= 0)
            break;
        if (poll(&p, 1, (int)(left < 60000 ? left + 1 : 60000)) <= 0)
            continue;
        peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        if (peer < 0 || recv_all(peer, &word, 1)) {
            close(peer);
            continue;
        }
        if (word == 'y')
            set_status(j, "done");
        else
            undo(j, o);
        (void)send_all(peer, "k", 1);
        close(peer);
    }
    if (!word)
        undo(j, o);
    (void)unlink(name.sun_path);
}

static void keeper_main(struct journal *j, const struct change_opts *o, int fd)
{
    struct head h;
    char k = 'k';
    (void)mlockall(MCL_CURRENT | MCL_FUTURE);
    (void)send_all(fd, &k, 1);
    for (;;) {
        char *data;
        bool bad;
        if (recv_all(fd, &h, sizeof(h))) {
            undo(j, o); /* the parent died */
            return;
        }
        if (h.word != 'r')
            break;
        data = malloc(h.n + 1);
        bad = !data || recv_all(fd, data, h.n);
        if (!bad) {
            h.kind[sizeof(h.kind) - 1] = '\0';
            bad = journal_add(j, h.kind, data, h.n, NULL) != 0;
        }
        free(data);
        if (bad || send_all(fd, &k, 1)) {
            undo(j, o);
            return;
        }
    }
    if (h.word == 'w') {
        set_status(j, "waiting");
        (void)send_all(fd, &k, 1);
        close(fd);
        await_confirmation(j, o, h.seconds);
    } else {
        set_status(j, h.word == 'c' ? "done" : "undone");
        (void)send_all(fd, &k, 1);
    }
}

static void close_others(int keep1, int keep2)
{
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        (void)dup2(null, 0);
        (void)dup2(null, 1);
        (void)dup2(null, 2);
        if (null > 2)
            close(null);
    }
    for (int fd = 3; fd < 1024; fd++)
        if (fd != keep1 && fd != keep2)
            close(fd);
}

static int await_ready(int fd, pid_t child, struct base_err *err)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    char k;
    if (poll(&p, 1, ANSWER_MS) > 0 && recv_all(fd, &k, 1) == 0)
        return 0;
    (void)kill(child, SIGKILL);
    return base_err_set(err, BASE_FAILED, "the keeper did not start: nothing was changed");
}

int keeper_start(const struct journal *j, const struct change_opts *o, int lock_fd, int *ret_fd,
                 pid_t *ret_pid, struct base_err *err)
{
    int pair[2];
    pid_t child;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return base_err_sys(err, BASE_FAILED, errno, "cannot start the keeper");
    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        struct journal own = *j;
        (void)setsid();
        if (chdir("/"))
            _exit(1);
        close_others(pair[1], lock_fd);
        keeper_main(&own, o, pair[1]);
        _exit(0);
    }
    close(pair[1]);
    if (child < 0) {
        close(pair[0]);
        return base_err_sys(err, BASE_FAILED, errno, "cannot start the keeper");
    }
    if (await_ready(pair[0], child, err)) {
        close(pair[0]);
        return -(int)BASE_FAILED;
    }
    *ret_fd = pair[0];
    *ret_pid = child;
    return 0;
}

static int await_answer(int fd, struct base_err *err)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    char k;
    if (poll(&p, 1, ANSWER_MS) > 0 && recv_all(fd, &k, 1) == 0)
        return 0;
    return base_err_set(err, BASE_FAILED, "the keeper does not answer");
}

int keeper_record(int fd, const char *kind, const char *data, size_t n, struct base_err *err)
{
    struct head h = { .word = 'r', .n = n };
    (void)snprintf(h.kind, sizeof(h.kind), "%s", kind);
    if (send_all(fd, &h, sizeof(h)) || send_all(fd, data, n))
        return base_err_set(err, BASE_FAILED, "the keeper is gone");
    return await_answer(fd, err);
}

int keeper_tell(int fd, char word, unsigned seconds, struct base_err *err)
{
    struct head h = { .word = word, .seconds = seconds };
    if (send_all(fd, &h, sizeof(h)))
        return base_err_set(err, BASE_FAILED, "the keeper is gone");
    return await_answer(fd, err);
}

int keeper_ask(const char *id, char word, struct base_err *err)
{
    struct sockaddr_un name;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), rc = 0;
    struct pollfd p = { .fd = fd, .events = POLLIN };
    char k;
    socket_name(id, &name);
    if (fd < 0 || connect(fd, (struct sockaddr *)&name, sizeof(name)) || send_all(fd, &word, 1))
        rc = base_err_set(err, BASE_NOT_FOUND, "change %s does not wait for a confirmation", id);
    else if (poll(&p, 1, 60000) <= 0 || recv_all(fd, &k, 1))
        rc = base_err_set(err, BASE_FAILED, "the keeper of %s does not answer", id);
    if (fd >= 0)
        close(fd);
    return rc;
}
