/* SPDX-License-Identifier: MIT */
/* change_verbs.h - `confirm`, `rollback` and `journal`, the same in every program that makes changes. */
#ifndef BASE_CHANGE_VERBS_H
#define BASE_CHANGE_VERBS_H

#include "change.h"
#include "cli.h"

int change_verb_confirm(struct cli *cli);
/* o: the program's handlers, for changes that were cut off. */
int change_verb_rollback(struct cli *cli, const struct change_opts *o);
int change_verb_journal(struct cli *cli);

#endif
