/* SPDX-License-Identifier: MIT */
/* test_cli.c - the command line that all programs share: a table of lines with exit status, output and suggestion. */
#define _GNU_SOURCE
#include "unit.h"

#include <unistd.h>

#include "cli.h"

/* Prints what it was given, so that a row can say what arrived. */
static int echo(struct cli *cli)
{
    struct base_buf b = { 0 };
    base_buf_printf(&b, "%s", cli->verb->name);
    for (int i = 0; i < cli->argc; i++)
        base_buf_printf(&b, " [%s]", cli->argv[i]);
    for (unsigned i = 0; i < cli->n_set; i++)
        base_buf_printf(&b, " %s=%s", cli->set[i].opt->name, cli->set[i].value);
    return cli_print(cli, &b);
}

static int no_answer(struct cli *cli)
{
    base_err_set(&cli->err, BASE_UNREACHABLE, "no answer");
    return base_err_wrap(&cli->err, "sw1");
}

static int silent(struct cli *cli)
{
    (void)cli;
    return -BASE_FAILED;
}

static int differs(struct cli *cli)
{
    cli->status = 3;
    return 0;
}

static int ask(struct cli *cli)
{
    return cli_confirm(cli, "Really?");
}

static int number(struct cli *cli)
{
    struct base_buf b = { 0 };
    int64_t v;
    int rc = cli_number(cli, "the size", cli->argv[0], -5, 100, &v);
    if (rc)
        return rc;
    base_buf_printf(&b, "%lld", (long long)v);
    return cli_print(cli, &b);
}

static const struct cli_opt set_opts[] = { { "mode", "MODE", "the mode", 'm' },
                                           { "force", NULL, "do it", 'f' },
                                           { 0 } };
static const struct cli_opt prog_opts[] = { { "switch", "NAME", "the switch", 's' }, { 0 } };
static const struct cli_verb verbs[] = {
    { "show", "[DEV]", "show it", "prog show", echo, NULL, NULL, 0, 1 },
    { "bond set", "NAME", "set it", "prog bond set b0", echo, set_opts, NULL, 1, 1 },
    { "bond del", "NAME", "delete it", "prog bond del b0", echo, NULL, NULL, 1, 1 },
    { "fail", "", "fails", "prog fail", no_answer, NULL, NULL, 0, 0 },
    { "silent", "", "fails", "prog silent", silent, NULL, NULL, 0, 0 },
    { "diff", "", "differs", "prog diff", differs, NULL, NULL, 0, 0 },
    { "ask", "", "asks", "prog ask", ask, NULL, NULL, 0, 0 },
    { "number", "N", "a number", "prog number 1", number, NULL, NULL, 1, 1 },
    { 0 },
};
static const struct cli_prog prog = {
    .name = "prog", .about = "a test", .verbs = verbs, .opts = prog_opts
};

/* Runs one line with stdout and stderr in files; stdin is no terminal. */
static int run_line(const char *line, char out[static 4096], char err[static 4096])
{
    char *copy = strdup(line), *argv[40] = { (char *)(uintptr_t) "prog" }, *save = NULL;
    FILE *f[2] = { tmpfile(), tmpfile() };
    int argc = 1, status, was[2];
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    for (int i = 0; i < 2; i++) {
        fflush(i ? stderr : stdout);
        was[i] = dup(i + 1);
        dup2(fileno(f[i]), i + 1);
    }
    status = cli_main(&prog, argc, argv);
    for (int i = 0; i < 2; i++) {
        char *to = i ? err : out;
        fflush(i ? stderr : stdout);
        dup2(was[i], i + 1);
        close(was[i]);
        rewind(f[i]);
        to[fread(to, 1, 4095, f[i])] = '\0';
        fclose(f[i]);
    }
    free(copy);
    return status;
}

static const struct {
    const char *line;
    int status;
    const char *out; /* whole stdout; NULL = not looked at */
    const char *err; /* found in stderr; "" = stderr is empty */
} rows[] = {
    { "show", 0, "show\n", "" },
    { "show eth0", 0, "show [eth0]\n", "" },
    { "-s x show", 0, "show switch=x\n", "" },
    { "-sx show", 0, "show switch=x\n", "" },
    { "--switch=x show eth0", 0, "show [eth0] switch=x\n", "" },
    { "show eth0 --switch x", 0, "show [eth0] switch=x\n", "" },
    { "bond --switch x set b0 -fm lacp", 0, "bond set [b0] switch=x force= mode=lacp\n", "" },
    { "bond set b0 --mode=", 0, "bond set [b0] mode=\n", "" },
    { "bond set -- -b0", 0, "bond set [-b0]\n", "" },
    { "show -", 0, "show [-]\n", "" },
    { "-q -v -v --color never show", 0, "show quiet= verbose= verbose= color=never\n", "" },
    { "show eth0 eth1", 2, "", "unexpected argument eth1" },
    { "bond set", 2, "", "something is missing after 'bond set'" },
    { "bond set b0 --mode", 2, "", "--mode needs a value: MODE" },
    { "bond set b0 -m", 2, "", "-m needs a value: MODE" },
    { "bond set b0 --force=yes", 2, "", "--force takes no value" },
    { "bond set b0 --moed lacp", 2, "", "did you mean --mode?" },
    { "bond set b0 --jsno", 2, "", "did you mean --json?" },
    { "bond set b0 --swich x", 2, "", "did you mean --switch?" },
    { "bond set b0 --frobnicate", 2, "", "see: prog bond set --help" },
    { "show -x", 2, "", "unknown option -x" },
    { "show --mode lacp", 2, "", "unknown option --mode" },
    { "shwo", 2, "", "did you mean: prog show" },
    { "bond ste b0", 2, "", "did you mean: prog bond set" },
    { "bnod set b0", 2, "", "did you mean: prog bond set" },
    { "xyzzy", 2, "", "see: prog --help" },
    { "bond", 2, "", "'bond' needs a verb" },
    { "sho", 2, "", "did you mean: prog show" },
    { "show --color=blue", 2, "", "--color takes auto, always or never, not blue" },
    { "fail", 6, "", "prog: sw1: no answer" },
    { "--json fail", 6,
      "{\"schema\":1,\"kind\":\"error\",\"error\":{\"id\":\"unreachable\",\"where\":\"sw1\","
      "\"message\":\"no answer\",\"hint\":\"\"}}\n",
      "no answer" },
    { "fail -j", 6,
      "{\"schema\":1,\"kind\":\"error\",\"error\":{\"id\":\"unreachable\",\"where\":\"sw1\","
      "\"message\":\"no answer\",\"hint\":\"\"}}\n",
      "no answer" },
    { "fail --bogus --json", 2,
      "{\"schema\":1,\"kind\":\"error\",\"error\":{\"id\":\"usage\",\"where\":\"\",\"message\":"
      "\"unknown option --bogus\",\"hint\":\"see: prog fail --help\"}}\n",
      NULL },
    { "fail --bogus -- --json", 2, "", NULL },
    { "silent", 1, "", "no reason recorded" },
    { "diff", 3, "", "" },
    { "ask", 8, "", "say so in advance with --yes" },
    { "ask --yes", 0, "", "" },
    { "-y ask", 0, "", "" },
    { "number 100", 0, "100\n", "" },
    { "number -- -5", 0, "-5\n", "" },
    { "number 101", 2, "", "the size must be a whole number from -5 to 100, not '101'" },
    { "number 1x", 2, "", "not '1x'" },
    { "number 99999999999999999999", 2, "", "whole number" },
    { "--netns nosuchnamespace show", 2, "", "nosuchnamespace" },
    { "show --help", 0, NULL, "" },
    { "--help", 0, NULL, "" },
    { "bond --help", 0, NULL, "" },
    { "--version", 0, NULL, "" },
    { "", 0, NULL, "" },
};

static void command_lines(void **state)
{
    (void)state;
    if (!freopen("/dev/null", "r", stdin))
        fail_msg("no /dev/null");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char out[4096], err[4096];
        int status = run_line(rows[i].line, out, err);
        bool good =
            status == rows[i].status && (!rows[i].out || !strcmp(out, rows[i].out)) &&
            (!rows[i].err || (rows[i].err[0] ? strstr(err, rows[i].err) != NULL : err[0] == '\0'));
        const char *hint = strstr(err, "did you mean");
        if (hint && strstr(hint + 1, "did you mean"))
            good = false; /* one suggestion only */
        if (!good)
            fail_msg("prog %s\nexit %d, not %d\nstdout: %s\nstderr: %s", rows[i].line, status,
                     rows[i].status, out, err);
    }
}

static void help_names_everything(void **state)
{
    char out[4096], err[4096];
    (void)state;
    assert_int_equal(run_line("--help", out, err), 0);
    for (const struct cli_verb *v = verbs; v->name; v++)
        assert_non_null(strstr(out, v->name));
    assert_non_null(strstr(out, "--switch NAME"));
    assert_int_equal(run_line("bond set --help", out, err), 0);
    assert_non_null(strstr(out, "-m, --mode MODE"));
    assert_non_null(strstr(out, "prog bond set b0"));
    assert_int_equal(run_line("bond --help", out, err), 0);
    assert_non_null(strstr(out, "bond del NAME"));
    assert_null(strstr(out, "diff"));
}

static void nearest_words(void **state)
{
    static const char *const words[] = { "ports", "port", "mode", "xmit-hash-policy", NULL };
    char endless[200];
    (void)state;
    memset(endless, 'x', sizeof(endless) - 1);
    endless[sizeof(endless) - 1] = '\0';
    assert_string_equal(cli_nearest("prots", words), "ports");
    assert_string_equal(cli_nearest("port", words), "port");
    assert_string_equal(cli_nearest("xmit_hash_policy", words), "xmit-hash-policy");
    assert_null(cli_nearest("zzz", words));
    assert_null(cli_nearest("", words));
    assert_null(cli_nearest(endless, words));
}

static void too_many_words(void **state)
{
    struct base_buf line = { 0 };
    char *argv[CLI_MAX_ARGS + 10];
    int argc = 0;
    FILE *f = freopen("/dev/null", "w", stderr);
    (void)state;
    assert_non_null(f);
    argv[argc++] = (char *)(uintptr_t) "prog";
    while (argc < CLI_MAX_ARGS + 10)
        argv[argc++] = (char *)(uintptr_t) "show";
    assert_int_equal(cli_main(&prog, argc, argv), 2);
    for (int i = 1; i < argc; i++)
        argv[i] = (char *)(uintptr_t) "-q";
    assert_int_equal(cli_main(&prog, argc, argv), 2);
    base_buf_done(&line);
}

UNIT_TESTS(T(command_lines), T(help_names_everything), T(nearest_words), T(too_many_words))
