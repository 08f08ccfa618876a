/* SPDX-License-Identifier: MIT */
/* journal.h (internal) - one change as a record on disk and in memory. */
#ifndef CHANGE_JOURNAL_H
#define CHANGE_JOURNAL_H

#include "change.h"

#define JOURNAL_RECORDS 16

struct journal_record {
    char kind[32];
    char *data;
    size_t n;
};

struct journal {
    char id[CHANGE_ID], program[16], what[96], status[16], boot[40], started[32];
    unsigned long netns;
    size_t n;
    struct journal_record v[JOURNAL_RECORDS];
};

int journal_add(struct journal *j, const char *kind, const char *data, size_t n,
                struct base_err *err);
void journal_done(struct journal *j);
/* Writes CHANGE_DIR/ID.json, atomically and synced. */
int journal_write(const struct journal *j, struct base_err *err);
int journal_read(const char *path, struct journal *ret, struct base_err *err);
/* Paths of all entries, sorted (ids begin with the time). */
int journal_paths(char (*ret)[128], size_t cap, size_t *ret_n, struct base_err *err);
/* Undoes the records, last first; those without a handler are left.  here: on the same boot. */
int journal_undo(const struct journal *j, const struct change_opts *o, bool here,
                 struct base_err *err);

#endif
