/* SPDX-License-Identifier: MIT */
/* write.c - verbs that change a switch: lag set, lag del, jumbo set, save.
 *
 * A change is not cut in two: from its first request on, Ctrl-C and its like wait until it is read back, and then take
 * it back.  After kill -9 nobody does (align forks a keeper for that). */
#define _GNU_SOURCE
#include "target.h"
#include "verbs.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct work {
    struct sw_device *d;
    struct sw_state st;
    struct steps done;
};

static int begin(struct cli *cli, struct work *w)
{
    int rc;
    *w = (struct work){ .done = STEPS_NONE };
    rc = target_open(cli, &w->d);
    if (!rc)
        rc = sw_read(w->d, &w->st, &cli->err);
    return rc;
}

/* Refuses what this firmware cannot be asked for, before any question. */
static int can(struct cli *cli, const struct sw_state *st, unsigned bit, const char *what)
{
    if (st->can & bit)
        return 0;
    base_err_set(&cli->err, BASE_UNSUPPORTED, "%s with firmware %s: %s is not supported here",
                 st->model, st->firmware, what);
    return base_err_hint(&cli->err, "what can be written where: switchctl dialects");
}

static void stop_signals(sigset_t *ret)
{
    (void)sigemptyset(ret);
    (void)sigaddset(ret, SIGINT);
    (void)sigaddset(ret, SIGTERM);
    (void)sigaddset(ret, SIGHUP);
}

/* The last thing before the first write: may it be, and nothing interrupts it from here on. */
static int may_write(struct cli *cli, const struct work *w)
{
    sigset_t stop;
    int rc = target_may_write(cli, &w->st);
    stop_signals(&stop);
    if (!rc)
        (void)sigprocmask(SIG_BLOCK, &stop, NULL);
    return rc;
}

/* The change is done.  Did somebody want to stop it meanwhile? */
static int unless_stopped(struct cli *cli, struct work *w)
{
    sigset_t stop, waiting;
    struct base_err why = { 0 };
    bool changed, stopped = false;
    stop_signals(&stop);
    (void)sigpending(&waiting);
    for (int i = 1; i < NSIG; i++)
        stopped |= sigismember(&stop, i) == 1 && sigismember(&waiting, i) == 1;
    if (!stopped)
        return 0;
    if (sw_restore(w->d, &w->st, &changed, &why)) {
        base_err_set(&cli->err, BASE_FAILED, "stopped, and it could not be taken back: %s",
                     why.msg);
        return base_err_hint(&cli->err, "look at it now: switchctl -s %s show",
                             cli_get(cli, "switch"));
    }
    base_err_set(&cli->err, BASE_ROLLED_BACK, "stopped: the switch is as it was before");
    return base_err_hint(&cli->err, "see it: switchctl -s %s show", cli_get(cli, "switch"));
}

static int end(struct cli *cli, struct work *w, int rc, bool dry)
{
    sw_close(w->d);
    w->done.verified = !dry && w->done.n > 0;
    if (!rc && !dry && w->done.n && !cli->json)
        cli_progress(
            cli,
            "not saved: a power cycle brings the old setting back; keep it: switchctl -s %s save",
            cli_get(cli, "switch"));
    return steps_print(cli, &w->done, dry, rc);
}

int verb_lag_set(struct cli *cli)
{
    const char *mode = cli_get(cli, "mode"), *ports = cli_get(cli, "ports");
    bool dry = cli_has(cli, "dry-run"), changed = false;
    struct sw_lag want = { 0 };
    const struct sw_lag *now;
    struct work w = { 0 };
    int64_t group;
    int rc = cli_number(cli, "the group", cli->argv[0], 1, SW_LAGS, &group);
    if (!rc && (!mode || !ports))
        rc = cli_usage(cli, "--mode and --ports are both needed");
    if (!rc)
        rc = sw_lag_mode_parse(mode, &want.mode, &cli->err);
    if (!rc)
        rc = sw_ports_parse(ports, &want.ports, &cli->err);
    want.group = (unsigned)group;
    if (!rc)
        rc = begin(cli, &w);
    if (!rc)
        rc = sw_lag_check(&w.st, &want, &cli->err);
    now = rc ? NULL : sw_find_lag(&w.st, want.group);
    if (!rc && !(now && sw_lag_same(now, &want))) {
        char text[128];
        sw_ports_format(want.ports, text, sizeof(text));
        steps_add(&w.done, "group %u: %s, ports %s", want.group, sw_lag_mode_name(want.mode), text);
        if (!dry && !(rc = may_write(cli, &w)) &&
            !(rc = sw_lag_set(w.d, &want, &changed, &cli->err)))
            rc = unless_stopped(cli, &w);
    }
    return end(cli, &w, rc, dry);
}

int verb_lag_del(struct cli *cli)
{
    bool dry = cli_has(cli, "dry-run"), changed = false;
    struct work w = { 0 };
    int64_t group;
    int rc = cli_number(cli, "the group", cli->argv[0], 1, SW_LAGS, &group);
    if (!rc)
        rc = begin(cli, &w);
    if (!rc)
        rc = can(cli, &w.st, SW_CAN_LAG, "writing groups");
    if (!rc && group > w.st.max_groups) {
        base_err_set(&cli->err, BASE_IMPOSSIBLE, "no group %d: this switch has groups 1 to %u",
                     (int)group, w.st.max_groups);
        rc = base_err_hint(&cli->err, "groups in use: switchctl -s %s lag show",
                           cli_get(cli, "switch"));
    }
    if (!rc && sw_find_lag(&w.st, (unsigned)group)) {
        steps_add(&w.done, "group %d removed", (int)group);
        if (!dry && !(rc = may_write(cli, &w)) &&
            !(rc = sw_lag_del(w.d, (unsigned)group, &changed, &cli->err)))
            rc = unless_stopped(cli, &w);
    }
    return end(cli, &w, rc, dry);
}

static int wanted_frame(struct cli *cli, const struct sw_state *st, uint32_t *ret)
{
    const char *mtu = cli_get(cli, "mtu"), *frame = cli_get(cli, "frame"),
               *word = cli->argc ? cli->argv[0] : NULL;
    int64_t v;
    int rc;
    if ((mtu != NULL) + (frame != NULL) + (word != NULL) != 1)
        return cli_usage(cli, "say one of --mtu N, --frame N, on, off");
    if (mtu || (word && !strcmp(word, "on"))) {
        rc = mtu ? cli_number(cli, "--mtu", mtu, 68, 65535, &v) : (v = 9000, 0);
        return rc ? rc : sw_frame_for_mtu(st, (uint32_t)v, ret, &cli->err);
    }
    if (word && !strcmp(word, "off"))
        return sw_frame_for_mtu(st, 1500, ret, &cli->err);
    if (word)
        return cli_usage(cli, "'%s' is neither on nor off", word);
    rc = cli_number(cli, "--frame", frame, 64, 65535, &v);
    if (rc)
        return rc;
    *ret = (uint32_t)v;
    for (size_t i = 0; i < st->frame.n_choices; i++)
        if (st->frame.choices[i] == v)
            return 0;
    base_err_set(&cli->err, BASE_IMPOSSIBLE, "%s has no frame size %d", st->model, (int)v);
    return base_err_hint(&cli->err, "choices: switchctl -s %s jumbo show", cli_get(cli, "switch"));
}

int verb_jumbo_set(struct cli *cli)
{
    bool dry = cli_has(cli, "dry-run"), changed = false;
    struct work w = { 0 };
    uint32_t bytes = 0;
    int rc = begin(cli, &w);
    if (!rc)
        rc = can(cli, &w.st, SW_CAN_FRAME, "setting the frame size");
    if (!rc)
        rc = wanted_frame(cli, &w.st, &bytes);
    if (!rc && bytes != w.st.frame.bytes) {
        struct sw_frame f = w.st.frame;
        f.bytes = bytes;
        steps_add(&w.done, "largest frame %u -> %u bytes: carries IP MTU %u with one VLAN tag",
                  w.st.frame.bytes, bytes, sw_mtu_of_frame(&f));
        if (!dry && !(rc = may_write(cli, &w)) &&
            !(rc = sw_frame_set(w.d, bytes, &changed, &cli->err)))
            rc = unless_stopped(cli, &w);
    }
    return end(cli, &w, rc, dry);
}

int verb_save(struct cli *cli)
{
    bool dry = cli_has(cli, "dry-run");
    struct work w = { 0 };
    int rc = begin(cli, &w);
    if (!rc)
        rc = can(cli, &w.st, SW_CAN_SAVE, "saving");
    if (!rc && !dry && !(rc = may_write(cli, &w))) /* flash half written is worse than an old one */
        rc = sw_save(w.d, &cli->err);
    sw_close(w.d);
    if (!rc)
        steps_add(&w.done, "running setting saved: it survives a power cycle");
    return steps_print(cli, &w.done, dry, rc);
}
