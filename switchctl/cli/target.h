/* SPDX-License-Identifier: MIT */
/* target.h - from the command line (-s, --user, --password-file, inventory) to an open switch. */
#ifndef SW_CLI_TARGET_H
#define SW_CLI_TARGET_H

#include "cli.h"
#include "sw/device.h"

extern const struct cli_opt target_opts[]; /* this program's global options */

/* Opens the switch named by -s.  Errors: BASE_USAGE without -s, BASE_REFUSED for an inventory that others can read. */
int target_open(struct cli *cli, struct sw_device **ret);
/* A write to a model that nobody has proven on hardware yet needs a yes. */
int target_may_write(struct cli *cli, const struct sw_state *st);

/* Steps of a changing verb as "plan" or "result"; gap_ms < 0 = null. */
struct done {
    struct base_buf text;
    size_t n;
    double gap_ms;
    bool verified;
};
void done_add(struct done *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int done_print(struct cli *cli, struct done *d, bool dry_run);

#endif
