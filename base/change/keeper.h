/* SPDX-License-Identifier: MIT */
/* keeper.h (internal) - the child that takes a change back when its parent cannot. */
#ifndef CHANGE_KEEPER_H
#define CHANGE_KEEPER_H

#include <sys/types.h>

#include "journal.h"

/* Forks the keeper with a copy of `j`; *ret_fd is our end of its line.  The child keeps the lock `lock_fd` open. */
int keeper_start(const struct journal *j, const struct change_opts *o, int lock_fd, int *ret_fd,
                 pid_t *ret_pid, struct base_err *err);
/* Hands it one record and waits until it has it. */
int keeper_record(int fd, const char *kind, const char *data, size_t n, struct base_err *err);
/* 'c' = committed, let go; 'w' + seconds = wait for confirmation; 'd' = we undid it ourselves, let go. */
int keeper_tell(int fd, char word, unsigned seconds, struct base_err *err);
/* Asks a keeper that waits: 'y' confirm, 'n' undo now.  Its answer: 'k' = done. */
int keeper_ask(const char *id, char word, struct base_err *err);

#endif
