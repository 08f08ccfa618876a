/* SPDX-License-Identifier: MIT */
/* change.h - one change that either happens whole or is taken back, whatever dies on the way.
 *
 *   change_begin    takes the lock, finishes what an earlier run left open, forks the keeper
 *   change_record   write-ahead: how to take the next step back (journal on disk, copy in the keeper's memory)
 *   change_commit   all is verified: the keeper lets go, now or when `change confirm` comes in time
 *   change_rollback takes everything back, last first
 *
 * The keeper is a child in a session of its own that holds everything it needs in locked memory: it undoes when this
 * process dies before the commit, or when no confirmation comes in time.  It does not survive its own kill -9 or a
 * reboot; then the journal lets the next change_begin undo.  This room knows no domain: what an undo record means is
 * up to the handlers that the program brings. */
#ifndef BASE_CHANGE_H
#define BASE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "linkbase/err.h"

#define CHANGE_DIR "/var/lib/linkctl"
#define CHANGE_RUN "/run/linkctl"
#define CHANGE_ID  40

/* Takes one recorded step back.  Must be idempotent: it may find the step not done, or taken back already. */
struct change_handler {
    const char *kind;
    int (*undo)(void *ctx, const char *data, size_t n, struct base_err *err);
    bool outlives_boot; /* true: on another device, still needed after this host rebooted */
};

struct change_opts {
    const char *program,
        *what; /* "switchctl", "align bond0"; for the lock holder's name and the journal */
    const struct change_handler *handlers;    /* ends with {0} */
    void *ctx;                                /* handed to the handlers */
    void (*say)(void *ctx, const char *line); /* tells of recovery; NULL = silent */
};

struct change;

/* Errors: BASE_LOCKED naming the holder, BASE_NOT_PERMITTED (not root), BASE_FAILED when an earlier change cannot be
 * taken back. */
int change_begin(const struct change_opts *o, struct change **ret, struct base_err *err);
/* Takes back what an earlier run left half done, if nobody is at it; change_begin does so as well.  For programs that look
 * whether there is anything to do first: half-done work must not look like done. */
int change_recover(const struct change_opts *o, struct base_err *err);
const char *change_id(const struct change *c);
/* Records how to undo the step that comes next.  When it fails nothing was recorded, and the step must not be done. */
int change_record(struct change *c, const char *kind, const char *data, size_t n,
                  struct base_err *err);
/* A signal to stop (Ctrl-C, SIGTERM, hang-up) has come: BASE_ROLLED_BACK, for the caller to roll back.  They are held
 * back from change_begin on, so that no step is cut in two. */
int change_check(struct change *c, struct base_err *err);
/* confirm_within: seconds until the keeper undoes unless confirmed; 0 = final at once.  Frees c when it succeeds. */
int change_commit(struct change *c, unsigned confirm_within, struct base_err *err);
/* Undoes all records, last first, closes the journal entry and frees c.  err: why the undo failed, if it did. */
int change_rollback(struct change *c, struct base_err *err);

/* Confirms the change that waits for it (id NULL = the only one).  Errors: BASE_NOT_FOUND. */
int change_confirm(const char *id, struct base_err *err);
/* Takes back the change that waits for confirmation, or one left open.  Errors: BASE_NOT_FOUND. */
int change_cancel(const char *id, struct base_err *err);

struct change_entry {
    char id[CHANGE_ID], program[16], what[96], status[16], started[32];
    bool same_boot, same_netns;
    size_t records;
};
/* Journal entries, oldest first, at most `cap`. */
int change_list(struct change_entry *ret, size_t cap, size_t *ret_n, struct base_err *err);

#endif
