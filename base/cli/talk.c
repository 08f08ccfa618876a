/* SPDX-License-Identifier: MIT */
/* talk.c - what a program says and asks: options read, numbers checked, questions, progress, colour. */
#define _GNU_SOURCE
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *cli_get_nth(const struct cli *cli, const char *name, unsigned i)
{
    for (unsigned k = 0; k < cli->n_set; k++)
        if (!strcmp(cli->set[k].opt->name, name) && i-- == 0)
            return cli->set[k].value;
    return NULL;
}

const char *cli_get(const struct cli *cli, const char *name)
{
    for (unsigned k = cli->n_set; k-- > 0;)
        if (!strcmp(cli->set[k].opt->name, name))
            return cli->set[k].value;
    return NULL;
}

bool cli_has(const struct cli *cli, const char *name)
{
    return cli_get(cli, name) != NULL;
}

int cli_number(struct cli *cli, const char *what, const char *text, int64_t min, int64_t max,
               int64_t *ret)
{
    char *end;
    long long v;
    errno = 0;
    v = strtoll(text, &end, 10);
    if (errno || end == text || *end || v < min || v > max)
        return cli_usage(cli, "%s must be a whole number from %lld to %lld, not '%s'", what,
                         (long long)min, (long long)max, text);
    *ret = v;
    return 0;
}

int cli_usage(struct cli *cli, const char *fmt, ...)
{
    char msg[sizeof(cli->err.msg)];
    va_list ap;
    int rc;
    va_start(ap, fmt);
    (void)vsnprintf(msg, sizeof(msg), fmt, ap);
    va_end(ap);
    rc = base_err_set(&cli->err, BASE_USAGE, "%s", msg);
    if (cli->verb)
        base_err_hint(&cli->err, "usage: %s %s %s   (more: %s %s --help)", cli->prog->name,
                      cli->verb->name, cli->verb->args ? cli->verb->args : "", cli->prog->name,
                      cli->verb->name);
    else
        base_err_hint(&cli->err, "see: %s --help", cli->prog->name);
    return rc;
}

int cli_confirm(struct cli *cli, const char *fmt, ...)
{
    char question[512], answer[16] = "";
    va_list ap;
    int rc;
    va_start(ap, fmt);
    (void)vsnprintf(question, sizeof(question), fmt, ap);
    va_end(ap);
    if (cli->yes)
        return 0;
    if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
        fprintf(stderr, "%s [y/N] ", question);
        if (fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y'))
            return 0;
        return base_err_set(&cli->err, BASE_REFUSED, "not confirmed: nothing was changed");
    }
    rc = base_err_set(&cli->err, BASE_REFUSED,
                      "this needs a yes, and there is no terminal to ask: %s", question);
    base_err_hint(&cli->err, "say so in advance with --yes");
    return rc;
}

int cli_print(struct cli *cli, struct base_buf *b)
{
    bool bad = b->bad;
    if (!bad && b->n) {
        (void)fwrite(b->p, 1, b->n, stdout);
        if (b->p[b->n - 1] != '\n')
            (void)fputc('\n', stdout);
    }
    base_buf_done(b);
    return bad ? base_err_set(&cli->err, BASE_NO_MEMORY, "the answer does not fit in memory") : 0;
}

void cli_progress(struct cli *cli, const char *fmt, ...)
{
    va_list ap;
    if (cli->quiet)
        return;
    va_start(ap, fmt);
    (void)vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}

/* Edit distance with transposition, capped at `cap`; words up to 63 characters. */
static unsigned distance(const char *a, const char *b, unsigned cap)
{
    unsigned row[3][64];
    size_t n = strlen(a), m = strlen(b);
    if (n > 63 || m > 63)
        return cap;
    for (unsigned j = 0; j <= m; j++)
        row[1][j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned *two = row[(i + 2) % 3], *up = row[i % 3], *cur = row[(i + 1) % 3];
        cur[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned best = up[j - 1] + (a[i - 1] != b[j - 1]);
            if (up[j] + 1 < best)
                best = up[j] + 1;
            if (cur[j - 1] + 1 < best)
                best = cur[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                two[j - 2] + 1 < best)
                best = two[j - 2] + 1;
            cur[j] = best;
        }
    }
    return row[(n + 1) % 3][m];
}

const char *cli_nearest(const char *word, const char *const words[])
{
    const char *best = NULL;
    unsigned least = 3;
    for (; *words; words++) {
        unsigned d = distance(word, *words, 99);
        if (d < least && d < strlen(*words)) {
            least = d;
            best = *words;
        }
    }
    return best;
}

const char *cli_style(bool on, enum cli_style s)
{
    static const char *const codes[] = {
        [CLI_BOLD] = "\033[1m",   [CLI_DIM] = "\033[2m",     [CLI_RED] = "\033[31m",
        [CLI_GREEN] = "\033[32m", [CLI_YELLOW] = "\033[33m", [CLI_CYAN] = "\033[36m",
        [CLI_PLAIN] = "\033[0m",
    };
    return on ? codes[s] : "";
}
