/* SPDX-License-Identifier: MIT */
/* cli.h - the command line all programs share: one const table of verbs gives dispatch, help and usage errors.
 *
 *   prog [global options] noun verb [args]
 *
 * Global options may stand anywhere before "--".  Data goes to stdout, everything else to stderr.  A handler returns 0
 * or -BASE_<code> with `cli->err` set; cli_main prints the error (text, or one JSON document) and gives the exit
 * status.  A handler that has printed its own answer and wants a status without a message sets cli->status. */
#ifndef BASE_CLI_H
#define BASE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json.h"
#include "linkbase/err.h"

#define CLI_MAX_ARGS 256

struct cli;

struct cli_opt {
    const char *name; /* without dashes */
    const char *arg;  /* metavariable; NULL = a flag */
    const char *help; /* one line */
    char letter;      /* short form, 0 = none */
};

struct cli_verb {
    const char *name;    /* "bond add"; up to three words */
    const char *args;    /* "NAME DEV...", for usage */
    const char *help;    /* one line */
    const char *example; /* one or more lines, each a command */
    int (*run)(struct cli *cli);
    const struct cli_opt *opts; /* ends with {0}; NULL = none */
    const struct cli_opt *more; /* a second list (e.g. generated from an attribute table) */
    unsigned min_args, max_args;
};

struct cli_prog {
    const char *name, *about;
    const struct cli_verb *verbs; /* ends with {0} */
    const struct cli_opt *opts;   /* globals of this program beyond the common ones; NULL = none */
    const char *epilog;           /* after the list of verbs; NULL = none */
    const char *home_verb;        /* what the program does without a verb; NULL = print help */
};

enum cli_color { CLI_AUTO, CLI_ALWAYS, CLI_NEVER };

struct cli {
    const struct cli_prog *prog;
    const struct cli_verb *verb;
    bool json, quiet, yes, color, color_err; /* color: stdout may be coloured; color_err: stderr */
    unsigned verbose;
    const char *netns;
    int argc; /* positional arguments of the verb */
    const char *argv[CLI_MAX_ARGS];
    struct {
        const struct cli_opt *opt;
        const char *value; /* "" for a flag */
    } set[CLI_MAX_ARGS];
    unsigned n_set;
    struct base_err err;
    int status; /* exit status when the handler returned 0 */
};

int cli_main(const struct cli_prog *prog, int argc, char **argv);

/* Value of an option given, "" for a flag, NULL when absent; the last one wins. */
const char *cli_get(const struct cli *cli, const char *name);
/* The i-th value of a repeatable option, NULL past the end. */
const char *cli_get_nth(const struct cli *cli, const char *name, unsigned i);
bool cli_has(const struct cli *cli, const char *name);
/* A whole decimal number in min..max.  Errors: BASE_USAGE naming `what` and the range. */
int cli_number(struct cli *cli, const char *what, const char *text, int64_t min, int64_t max,
               int64_t *ret);
int cli_usage(struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Asks on the terminal.  0 = yes; --yes answers; no terminal or "no" = BASE_REFUSED with the hint to use --yes. */
int cli_confirm(struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints a finished text or JSON buffer on stdout (a newline is added when missing) and frees it. */
int cli_print(struct cli *cli, struct base_buf *b);
/* A line of progress on stderr unless --quiet. */
void cli_progress(struct cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The nearest of `words` (NULL-terminated) to a mistyped one, NULL when none is near. */
const char *cli_nearest(const char *word, const char *const words[]);

/* Colour escapes, "" when colour is off for that stream. */
enum cli_style { CLI_BOLD, CLI_DIM, CLI_RED, CLI_GREEN, CLI_YELLOW, CLI_CYAN, CLI_PLAIN };
const char *cli_style(bool on, enum cli_style s);

#endif
