/* SPDX-License-Identifier: MIT */
/* cli.c - parsing, dispatch and the end of every program; see cli.h. */
#define _GNU_SOURCE
#include "cli.h"
#include "help.h"
#include "os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef LINKCTL_VERSION
#define LINKCTL_VERSION "0"
#endif

const struct cli_opt cli_globals[] = {
    { "json", NULL, "one JSON document on standard output", 'j' },
    { "color", "WHEN", "auto, always or never (NO_COLOR is honoured)", 0 },
    { "quiet", NULL, "no progress", 'q' },
    { "verbose", NULL, "say more", 'v' },
    { "netns", "NAME", "work in this network namespace", 'n' },
    { "yes", NULL, "answer every question with yes", 'y' },
    { "help", NULL, "this help; also after a noun or verb", 'h' },
    { "version", NULL, "print the version", 0 },
    { 0 },
};

static const struct cli_opt *find(const struct cli_opt *list, const char *name, size_t n,
                                  char letter)
{
    for (; list && list->name; list++) {
        if (letter ? list->letter == letter
                   : strlen(list->name) == n && !strncmp(list->name, name, n))
            return list;
    }
    return NULL;
}

static const struct cli_opt *find_any(const struct cli *cli, const char *name, size_t n,
                                      char letter)
{
    const struct cli_opt *o = find(cli_globals, name, n, letter);
    if (!o)
        o = find(cli->prog->opts, name, n, letter);
    if (!o && cli->verb)
        o = find(cli->verb->opts, name, n, letter);
    if (!o && cli->verb)
        o = find(cli->verb->more, name, n, letter);
    return o;
}

/* Words of the verb's name that the command line spells at `words`; 0 = another verb. */
static int words_of(const char *name, int n, char *const words[])
{
    int used = 0;
    while (*name) {
        size_t len = strcspn(name, " ");
        if (used == n || strlen(words[used]) != len || strncmp(words[used], name, len) != 0)
            return 0;
        name += len + strspn(name + len, " ");
        used++;
    }
    return used;
}

/* Longest verb that the words begin with. */
static const struct cli_verb *match_verb(const struct cli_prog *prog, int n, char *const words[],
                                         int *ret_used)
{
    const struct cli_verb *best = NULL;
    *ret_used = 0;
    for (const struct cli_verb *v = prog->verbs; v->name; v++) {
        int used = words_of(v->name, n, words);
        if (used > *ret_used) {
            best = v;
            *ret_used = used;
        }
    }
    return best;
}

/* First pass: the words that are no options, to find the verb, whose options the second pass knows. */
static int gather_words(const struct cli *cli, int argc, char **argv, char *words[4])
{
    int n = 0;
    for (int i = 1; i < argc && n < 4; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "--"))
            break;
        if (a[0] == '-' && a[1]) {
            bool is_long = a[1] == '-';
            size_t len = is_long ? strcspn(a + 2, "=") : 0;
            const struct cli_opt *o =
                find_any(cli, is_long ? a + 2 : NULL, len, is_long ? '\0' : a[1]);
            if (o && o->arg && (is_long ? a[2 + len] != '=' : a[2] == '\0'))
                i++;
        } else {
            words[n++] = argv[i];
        }
    }
    return n;
}

static int add_set(struct cli *cli, const struct cli_opt *o, const char *value)
{
    if (cli->n_set == CLI_MAX_ARGS)
        return cli_usage(cli, "too many options");
    cli->set[cli->n_set].opt = o;
    cli->set[cli->n_set++].value = value;
    return 0;
}

static int unknown_option(struct cli *cli, const char *text)
{
    const char *names[CLI_MAX_ARGS + 1];
    const struct cli_opt *lists[] = { cli_globals, cli->prog->opts,
                                      cli->verb ? cli->verb->opts : NULL,
                                      cli->verb ? cli->verb->more : NULL };
    unsigned n = 0;
    const char *near;
    int rc;
    for (unsigned l = 0; l < 4; l++)
        for (const struct cli_opt *o = lists[l]; o && o->name && n < CLI_MAX_ARGS; o++)
            names[n++] = o->name;
    names[n] = NULL;
    near = text[0] == '-' && text[1] == '-' ? cli_nearest(text + 2, names) : NULL;
    rc = base_err_set(&cli->err, BASE_USAGE, "unknown option %s", text);
    if (near)
        base_err_hint(&cli->err, "did you mean --%s?", near);
    else
        base_err_hint(&cli->err, "see: %s %s%s--help", cli->prog->name,
                      cli->verb ? cli->verb->name : "", cli->verb ? " " : "");
    return rc;
}

static int long_option(struct cli *cli, int argc, char **argv, int *i)
{
    const char *a = argv[*i] + 2, *eq = strchr(a, '=');
    const struct cli_opt *o = find_any(cli, a, eq ? (size_t)(eq - a) : strlen(a), '\0');
    if (!o)
        return unknown_option(cli, argv[*i]);
    if (!o->arg) {
        if (eq)
            return cli_usage(cli, "--%s takes no value", o->name);
        return add_set(cli, o, "");
    }
    if (eq)
        return add_set(cli, o, eq + 1);
    if (*i + 1 == argc)
        return cli_usage(cli, "--%s needs a value: %s", o->name, o->arg);
    return add_set(cli, o, argv[++*i]);
}

static int short_options(struct cli *cli, int argc, char **argv, int *i)
{
    for (const char *a = argv[*i] + 1; *a; a++) {
        const struct cli_opt *o = find_any(cli, NULL, 0, *a);
        int rc;
        if (!o)
            return unknown_option(cli, argv[*i]);
        if (!o->arg) {
            rc = add_set(cli, o, "");
        } else if (a[1]) {
            return add_set(cli, o, a + 1);
        } else if (*i + 1 == argc) {
            return cli_usage(cli, "-%c needs a value: %s", *a, o->arg);
        } else {
            return add_set(cli, o, argv[++*i]);
        }
        if (rc)
            return rc;
    }
    return 0;
}

static int parse(struct cli *cli, int argc, char **argv, int verb_words)
{
    bool only_args = false;
    for (int i = 1; i < argc; i++) {
        char *a = argv[i];
        int rc = 0;
        if (!only_args && !strcmp(a, "--"))
            only_args = true;
        else if (!only_args && a[0] == '-' && a[1] == '-')
            rc = long_option(cli, argc, argv, &i);
        else if (!only_args && a[0] == '-' && a[1])
            rc = short_options(cli, argc, argv, &i);
        else if (verb_words > 0)
            verb_words--;
        else if (cli->argc == CLI_MAX_ARGS)
            rc = cli_usage(cli, "too many arguments");
        else
            cli->argv[cli->argc++] = a;
        if (rc)
            return rc;
    }
    return 0;
}

static int apply_globals(struct cli *cli)
{
    const char *color = cli_get(cli, "color");
    bool plain = getenv("NO_COLOR") && getenv("NO_COLOR")[0];
    cli->json = cli_has(cli, "json");
    cli->quiet = cli_has(cli, "quiet");
    cli->yes = cli_has(cli, "yes");
    cli->netns = cli_get(cli, "netns");
    for (unsigned i = 0; i < cli->n_set; i++)
        cli->verbose += !strcmp(cli->set[i].opt->name, "verbose");
    if (color && strcmp(color, "auto") && strcmp(color, "always") && strcmp(color, "never"))
        return cli_usage(cli, "--color takes auto, always or never, not %s", color);
    cli->color = color && !strcmp(color, "always");
    cli->color_err = cli->color;
    if (!color || !strcmp(color, "auto")) {
        cli->color = !plain && isatty(STDOUT_FILENO);
        cli->color_err = !plain && isatty(STDERR_FILENO);
    }
    return 0;
}

static int no_verb(struct cli *cli, int n, char *const words[])
{
    const char *names[CLI_MAX_ARGS + 1];
    char typed[128] = "";
    unsigned k = 0;
    const char *near;
    int rc;
    for (const struct cli_verb *v = cli->prog->verbs; v->name && k < CLI_MAX_ARGS; v++)
        names[k++] = v->name;
    names[k] = NULL;
    (void)snprintf(typed, sizeof(typed), "%s%s%s", words[0], n > 1 ? " " : "",
                   n > 1 ? words[1] : "");
    near = cli_nearest(typed, names);
    if (!near)
        near = cli_nearest(words[0], names);
    rc = base_err_set(&cli->err, BASE_USAGE, "unknown command %s", words[0]);
    if (near)
        base_err_hint(&cli->err, "did you mean: %s %s", cli->prog->name, near);
    else
        base_err_hint(&cli->err, "see: %s --help", cli->prog->name);
    return rc;
}

static int check_args(struct cli *cli)
{
    const struct cli_verb *v = cli->verb;
    if ((unsigned)cli->argc < v->min_args)
        return cli_usage(cli, "something is missing after '%s'", v->name);
    if ((unsigned)cli->argc > v->max_args)
        return cli_usage(cli, "unexpected argument %s", cli->argv[v->max_args]);
    return 0;
}

/* Is --json asked for anywhere?  Parsing may have ended before it. */
static bool wants_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--json") || !strcmp(argv[i], "-j"))
            return true;
    return false;
}

/* Runs what the command line asks for.  Help and version are answers, not errors. */
static int dispatch(struct cli *cli, int argc, char **argv)
{
    char *words[4];
    int n = gather_words(cli, argc, argv, words), used = 0, rc;
    cli->verb = n ? match_verb(cli->prog, n, words, &used) : NULL;
    if (!n && cli->prog->home_verb) {
        char *home = (char *)(uintptr_t)cli->prog->home_verb;
        int none;
        cli->verb = match_verb(cli->prog, 1, &home, &none);
    }
    rc = parse(cli, argc, argv, used);
    if (rc == 0)
        rc = apply_globals(cli);
    else
        cli->json = cli_has(cli, "json") || wants_json(argc, argv);
    if (cli_has(cli, "version") && !cli->verb) {
        printf("%s %s\n", cli->prog->name, LINKCTL_VERSION);
        return 0;
    }
    if (cli_has(cli, "help") || (rc == 0 && (!n && !cli->verb)))
        return help_print(cli, n, words);
    if (rc)
        return rc;
    if (!cli->verb)
        return help_is_noun(cli->prog, words[0]) && n == 1
                   ? cli_usage(cli, "'%s' needs a verb", words[0])
                   : no_verb(cli, n, words);
    rc = check_args(cli);
    if (rc == 0 && cli->netns)
        rc = os_enter_netns(cli->netns, &cli->err);
    return rc ? rc : cli->verb->run(cli);
}

static void report(struct cli *cli)
{
    const struct base_err *e = &cli->err;
    if (cli->json) {
        struct base_buf b = { 0 };
        struct base_json j = base_json_init(&b);
        base_json_err(&j, e);
        (void)cli_print(cli, &b);
    }
    fprintf(stderr, "%s%s:%s %s%s%s\n", cli_style(cli->color_err, CLI_RED), cli->prog->name,
            cli_style(cli->color_err, CLI_PLAIN), e->where, e->where[0] ? ": " : "", e->msg);
    if (e->hint[0])
        fprintf(stderr, "  %s\n", e->hint);
}

int cli_main(const struct cli_prog *prog, int argc, char **argv)
{
    struct cli *cli = calloc(1, sizeof(*cli));
    int rc, status;
    if (!cli)
        return 1;
    cli->prog = prog;
    rc = dispatch(cli, argc, argv);
    if (rc && cli->err.code == BASE_OK)
        base_err_set(&cli->err, (enum base_code) - rc, "failed (no reason recorded)");
    if (rc)
        report(cli);
    status = rc ? base_err_exit(cli->err.code) : cli->status;
    if (fflush(stdout) && !status) {
        fprintf(stderr, "%s: cannot write to standard output: %s\n", prog->name, strerror(errno));
        status = 1;
    }
    free(cli);
    return status;
}
