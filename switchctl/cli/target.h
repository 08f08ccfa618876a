/* SPDX-License-Identifier: MIT */
/* target.h - from the command line (-s, --user, --password-file, inventory) to an open switch. */
#ifndef SW_CLI_TARGET_H
#define SW_CLI_TARGET_H

#include "cli.h"
#include "steps.h"
#include "sw/device.h"

extern const struct cli_opt target_opts[]; /* this program's global options */

/* Opens the switch named by -s.  Errors: BASE_USAGE without -s, BASE_REFUSED for an inventory that others can read. */
int target_open(struct cli *cli, struct sw_device **ret);
/* A write to a model that nobody has proven on hardware yet needs a yes. */
int target_may_write(struct cli *cli, const struct sw_state *st);

#endif
