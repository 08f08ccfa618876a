/* SPDX-License-Identifier: MIT */
/* steps.h - what a changing verb did or would do, printed as text or as the documents "plan" and "result". */
#ifndef BASE_CLI_STEPS_H
#define BASE_CLI_STEPS_H

#include "cli.h"

struct steps {
    struct base_buf text; /* one step a line */
    size_t n;
    bool verified; /* all was read back */
    double gap_ms; /* longest interruption measured; negative = not measured */
};

#define STEPS_NONE                                                                                 \
    {                                                                                              \
        .gap_ms = -1                                                                               \
    }

void steps_add(struct steps *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints "nothing to do", the plan (dry run) or the result, and frees the steps.  rc: the verb's result so far; when it
 * is an error nothing is printed and it is returned. */
int steps_print(struct cli *cli, struct steps *s, bool dry_run, int rc);

#endif
