/* SPDX-License-Identifier: MIT */
/* inventory.h - switches by name: url and login from a file, so that no command line needs them. */
#ifndef SW_CLI_INVENTORY_H
#define SW_CLI_INVENTORY_H

#include "cli.h"

struct inventory_entry { /* "" = not given */
    char url[160], user[64], dialect[64], password_file[256], password_env[64],
        password_command[256], password[256];
    int64_t pace_ms; /* 0 = not given */
};

/* Looks `name` up in --inventory FILE, else in the user's and the system's inventory.  A name that stands in none is a
 * URL or host.  Errors: BASE_REFUSED for secrets that others can read or commands that others can write, BASE_MALFORMED
 * naming the file. */
int inventory_find(struct cli *cli, const char *name, struct inventory_entry *ret);

#endif
