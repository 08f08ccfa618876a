/* SPDX-License-Identifier: MIT */
/* help.h - internal to base/cli. */
#ifndef BASE_CLI_HELP_H
#define BASE_CLI_HELP_H

#include "cli.h"

extern const struct cli_opt cli_globals[];

int help_print(struct cli *cli, int n, char *const words[]);
bool help_is_noun(const struct cli_prog *prog, const char *word);

#endif
