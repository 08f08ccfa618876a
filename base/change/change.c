/* SPDX-License-Identifier: MIT */
/* change.c - see change.h. */
#define _GNU_SOURCE
#include "change.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "journal.h"
#include "keeper.h"
#include "os.h"

#define MAX_ENTRIES  1024
#define KEEP_ENTRIES 100 /* finished entries older than the last hundred are removed */

struct change {
    struct change_opts o;
    struct journal j;
    struct os_lock lock;
    int keeper;
    pid_t keeper_pid;
    sigset_t held, before;
};

const char *change_id(const struct change *c)
{
    return c->j.id;
}

static bool is_open(const struct journal *j)
{
    return !strcmp(j->status, "open") || !strcmp(j->status, "waiting");
}

static int recover_one(const char *path, const struct change_opts *o, struct base_err *err)
{
    struct journal j;
    char boot[40];
    bool here;
    int rc = journal_read(path, &j, NULL);
    if (rc) /* unreadable: leave it for a person, it cannot be acted on */
        return 0;
    os_boot_id(boot);
    here = !strcmp(boot, j.boot);
    if (is_open(&j) && (!here || j.netns == os_netns_id())) {
        char line[256];
        rc = journal_undo(&j, o, here, err);
        if (!rc) {
            (void)snprintf(j.status, sizeof(j.status), "undone");
            rc = journal_write(&j, err);
        }
        (void)snprintf(line, sizeof(line), "an earlier change (%s %s, begun %s) was cut off; %s",
                       j.program, j.what, j.started,
                       rc ? "taking it back failed" : "it has been taken back");
        if (o->say)
            o->say(o->ctx, line);
        if (rc)
            base_err_wrap(err, "earlier change %s (%s)", j.id, j.what);
    }
    journal_done(&j);
    return rc;
}

static int recover(const struct change_opts *o, struct base_err *err)
{
    char(*path)[128] = calloc(MAX_ENTRIES, sizeof(*path));
    size_t n = 0;
    int rc = path ? journal_paths(path, MAX_ENTRIES, &n, err)
                  : base_err_set(err, BASE_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !rc; i++)
        rc = recover_one(path[i], o, err);
    for (size_t i = 0; !rc && i + KEEP_ENTRIES < n; i++) {
        struct journal j;
        if (journal_read(path[i], &j, NULL) == 0) {
            if (!is_open(&j))
                (void)unlink(path[i]);
            journal_done(&j);
        }
    }
    free(path);
    return rc;
}

static void name_it(struct journal *j, const struct change_opts *o)
{
    struct timespec ts;
    struct tm tm;
    char stamp[24];
    (void)clock_gettime(CLOCK_REALTIME, &ts);
    (void)gmtime_r(&ts.tv_sec, &tm);
    (void)strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
    (void)snprintf(j->id, sizeof(j->id), "%s-%03ld-%d", stamp, ts.tv_nsec / 1000000,
                   (int)getpid() % 100000);
    (void)strftime(j->started, sizeof(j->started), "%Y-%m-%dT%H:%M:%SZ", &tm);
    (void)snprintf(j->program, sizeof(j->program), "%s", o->program);
    (void)snprintf(j->what, sizeof(j->what), "%s", o->what);
    (void)snprintf(j->status, sizeof(j->status), "open");
    os_boot_id(j->boot);
    j->netns = os_netns_id();
}

static int take_lock(struct change *c, struct base_err *err)
{
    char path[64], who[160];
    int rc;
    if (geteuid() != 0) {
        base_err_set(err, BASE_NOT_PERMITTED, "changing this host's network needs root");
        return base_err_hint(err, "run it again with sudo");
    }
    rc = os_make_dir(CHANGE_RUN, err);
    if (!rc)
        rc = os_make_dir(CHANGE_DIR, err);
    (void)snprintf(path, sizeof(path), "%s/lock-%lu", CHANGE_RUN, os_netns_id());
    (void)snprintf(who, sizeof(who), "%s %s", c->o.program, c->o.what);
    return rc ? rc : os_lock_take(path, who, &c->lock, err);
}

static void release(struct change *c)
{
    if (c->keeper > 0)
        close(c->keeper);
    journal_done(&c->j);
    os_lock_drop(&c->lock);
    (void)sigprocmask(SIG_SETMASK, &c->before, NULL);
    free(c);
}

/* Is there an entry that nobody finished?  Cheap, and no lock. */
static bool cut_off_here(void)
{
    struct change_entry *e = calloc(MAX_ENTRIES, sizeof(*e));
    size_t n = 0;
    bool found = false;
    if (e && change_list(e, MAX_ENTRIES, &n, NULL) == 0)
        for (size_t i = 0; i < n; i++)
            found = found || ((!strcmp(e[i].status, "open") || !strcmp(e[i].status, "waiting")) &&
                              (!e[i].same_boot || e[i].same_netns));
    free(e);
    return found;
}

int change_recover(const struct change_opts *o, struct base_err *err)
{
    struct change c = { .o = *o, .lock.fd = -1 };
    struct base_err why = { 0 };
    int rc;
    if (geteuid() != 0 || !cut_off_here())
        return 0;
    if (take_lock(&c, &why)) /* its keeper lives, or somebody is at work: they will see to it */
        return 0;
    rc = recover(o, err);
    os_lock_drop(&c.lock);
    return rc;
}

int change_begin(const struct change_opts *o, struct change **ret, struct base_err *err)
{
    struct change *c = calloc(1, sizeof(*c));
    int rc;
    if (!c)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    c->o = *o;
    c->lock.fd = c->keeper = -1;
    sigemptyset(&c->held);
    sigaddset(&c->held, SIGINT);
    sigaddset(&c->held, SIGTERM);
    sigaddset(&c->held, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &c->held, &c->before);
    rc = take_lock(c, err);
    if (!rc)
        rc = recover(o, err);
    if (!rc) {
        name_it(&c->j, o);
        rc = keeper_start(&c->j, &c->o, c->lock.fd, &c->keeper, &c->keeper_pid, err);
    }
    if (rc) {
        release(c);
        return rc;
    }
    *ret = c;
    return 0;
}

int change_record(struct change *c, const char *kind, const char *data, size_t n,
                  struct base_err *err)
{
    int rc = journal_add(&c->j, kind, data, n, err);
    if (!rc)
        rc = journal_write(&c->j, err);
    return rc ? rc : keeper_record(c->keeper, kind, data, n, err);
}

int change_check(struct change *c, struct base_err *err)
{
    const struct timespec now = { 0 };
    int sig = sigtimedwait(&c->held, NULL, &now);
    if (sig <= 0)
        return 0;
    return base_err_set(err, BASE_ROLLED_BACK, "stopped by a signal (%s)", sigabbrev_np(sig));
}

static void bury(struct change *c)
{
    while (waitpid(c->keeper_pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* A change that did nothing leaves no entry. */
static void forget(const struct change *c)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/%s.json", CHANGE_DIR, c->j.id);
    (void)unlink(path);
}

int change_commit(struct change *c, unsigned confirm_within, struct base_err *err)
{
    int rc;
    if (c->j.n == 0) { /* nothing was done: leave no trace */
        rc = keeper_tell(c->keeper, 'd', 0, NULL);
        bury(c);
        forget(c);
        release(c);
        return 0;
    }
    rc = keeper_tell(c->keeper, confirm_within ? 'w' : 'c', confirm_within, err);
    if (rc)
        return rc;
    if (!confirm_within)
        bury(c);
    release(c);
    return 0;
}

int change_rollback(struct change *c, struct base_err *err)
{
    int rc = journal_undo(&c->j, &c->o, true, err);
    if (rc == 0 && keeper_tell(c->keeper, 'd', 0, NULL) == 0) {
        bury(c);
        if (c->j.n == 0)
            forget(c);
    } else if (rc == 0) {
        (void)snprintf(c->j.status, sizeof(c->j.status), "undone");
        (void)journal_write(&c->j, NULL);
    }
    /* A failed undo: closing the line lets the keeper try again. */
    release(c);
    return rc;
}

static int find_waiting(const char *id, char found[CHANGE_ID], struct base_err *err)
{
    struct change_entry *e = calloc(MAX_ENTRIES, sizeof(*e));
    size_t n = 0, hits = 0;
    int rc = e ? change_list(e, MAX_ENTRIES, &n, err)
               : base_err_set(err, BASE_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && !rc; i++) {
        bool waits = !strcmp(e[i].status, "waiting");
        if (waits && (!id || !strcmp(id, e[i].id))) {
            (void)snprintf(found, CHANGE_ID, "%s", e[i].id);
            hits++;
        }
    }
    free(e);
    if (!rc && hits == 0)
        rc = base_err_set(err, BASE_NOT_FOUND, "no change waits here%s%s", id ? ": " : "",
                          id ? id : "");
    if (!rc && hits > 1)
        rc = base_err_set(err, BASE_USAGE, "more than one change waits: name one");
    if (rc)
        base_err_hint(err, "list them: linkctl journal");
    return rc;
}

int change_confirm(const char *id, struct base_err *err)
{
    char found[CHANGE_ID];
    int rc = find_waiting(id, found, err);
    return rc ? rc : keeper_ask(found, 'y', err);
}

int change_cancel(const char *id, struct base_err *err)
{
    char found[CHANGE_ID];
    int rc = find_waiting(id, found, err);
    return rc ? rc : keeper_ask(found, 'n', err);
}

int change_list(struct change_entry *ret, size_t cap, size_t *ret_n, struct base_err *err)
{
    char(*path)[128] = calloc(cap, sizeof(*path)), boot[40];
    size_t n = 0, k = 0;
    int rc = path ? journal_paths(path, cap, &n, err)
                  : base_err_set(err, BASE_NO_MEMORY, "out of memory");
    os_boot_id(boot);
    for (size_t i = 0; i < n && !rc; i++) {
        struct journal j;
        if (journal_read(path[i], &j, NULL))
            continue;
        struct change_entry *e = &ret[k++];
        memcpy(e->id, j.id, sizeof(e->id));
        memcpy(e->program, j.program, sizeof(e->program));
        memcpy(e->what, j.what, sizeof(e->what));
        memcpy(e->status, j.status, sizeof(e->status));
        memcpy(e->started, j.started, sizeof(e->started));
        e->same_boot = !strcmp(boot, j.boot);
        e->same_netns = j.netns == os_netns_id();
        e->records = j.n;
        journal_done(&j);
    }
    free(path);
    *ret_n = k;
    return rc;
}
