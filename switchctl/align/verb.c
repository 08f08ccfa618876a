/* SPDX-License-Identifier: MIT */
/* verb.c - `switchctl align`. */
#include "align.h"
#include "change_verbs.h"
#include "target.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct voice {
    struct cli *cli;
    struct steps done;
};

static void say(void *arg, const char *line)
{
    struct voice *v = arg;
    cli_progress(v->cli, "%s%s%s", cli_style(v->cli->color_err, CLI_CYAN), line,
                 cli_style(v->cli->color_err, CLI_PLAIN));
    steps_add(&v->done, "%s", line);
}

static int may_write(void *arg, const struct sw_state *st, struct base_err *err)
{
    struct voice *v = arg;
    int rc = target_may_write(v->cli, st);
    if (rc && err)
        *err = v->cli->err;
    return rc;
}

static int options(struct cli *cli, struct align *a)
{
    const char *bond = cli_get(cli, "bond"), *mode = cli_get(cli, "mode"), *text;
    int64_t v = 0;
    int rc = 0;
    if (!bond)
        return cli_usage(cli, "which bond? --bond is missing");
    rc = link_name_check(bond, &cli->err);
    if (!rc && mode && strcmp(mode, "lacp") != 0 && strcmp(mode, "static") != 0 &&
        strcmp(mode, "auto") != 0) {
        rc = cli_usage(cli, "unknown mode %s for align: lacp", mode);
    } else if (!rc && mode && strcmp(mode, "lacp") != 0) {
        rc = base_err_set(&cli->err, BASE_UNSUPPORTED, "align --mode %s does not exist yet", mode);
        base_err_hint(&cli->err, "--mode lacp does");
    }
    if (!rc && (text = cli_get(cli, "ports")))
        rc = sw_ports_parse(text, &a->ports, &cli->err);
    if (!rc && (text = cli_get(cli, "group"))) {
        rc = cli_number(cli, "--group", text, 1, SW_LAGS, &v);
        a->group = (unsigned)v;
    }
    if (!rc && (text = cli_get(cli, "confirm-within"))) {
        rc = cli_number(cli, "--confirm-within", text, 1, 86400, &v);
        a->confirm_within = (unsigned)v;
    }
    (void)snprintf(a->bond, sizeof(a->bond), "%s", bond);
    a->dry_run = cli_has(cli, "dry-run");
    a->save = !cli_has(cli, "no-save");
    return rc;
}

int verb_align(struct cli *cli)
{
    struct voice voice = { .cli = cli, .done = STEPS_NONE };
    struct align *a = calloc(1, sizeof(*a));
    int rc;
    if (!a)
        return base_err_set(&cli->err, BASE_NO_MEMORY, "out of memory");
    a->say = say;
    a->say_arg = &voice;
    a->may_write = may_write;
    rc = options(cli, a);
    if (!rc)
        rc = target_open(cli, &a->dev);
    if (!rc)
        rc = align_run(a, &cli->err);
    if (!rc && !a->changed) {
        base_buf_done(&voice.done.text);
        voice.done.n = 0;
    }
    voice.done.gap_ms = a->gap_ms;
    voice.done.verified = a->verified;
    sw_close(a->dev);
    rc = steps_print(cli, &voice.done, a->dry_run, rc);
    free(a);
    return rc;
}

int verb_rollback(struct cli *cli)
{
    struct voice voice = { .cli = cli, .done = STEPS_NONE };
    struct align *a = calloc(1, sizeof(*a));
    const struct change_opts o = {
        .program = "switchctl", .what = "rollback", .handlers = align_handlers, .ctx = a
    };
    int rc = a ? 0 : base_err_set(&cli->err, BASE_NO_MEMORY, "out of memory");
    if (!rc) {
        a->say = say;
        a->say_arg = &voice;
    }
    if (!rc &&
        cli_has(cli,
                "switch")) /* only a change that was cut off needs it, to put the switch back */
        rc = target_open(cli, &a->dev);
    if (!rc)
        rc = change_verb_rollback(cli, &o);
    base_buf_done(&voice.done.text);
    if (a)
        sw_close(a->dev);
    free(a);
    return rc;
}
