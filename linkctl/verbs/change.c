/* SPDX-License-Identifier: MIT */
/* change.c - a change of this host under lock, journal and keeper; `linkctl confirm|rollback|journal`. */
#include "verbs.h"
#include "change_verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/undo.h"

static const struct change_handler handlers[] = {
    { "bond", link_undo_bond, false },
    { "mtu", link_undo_mtu, false },
    { "absent", link_undo_absent, false },
    { "ports", link_undo_ports, false },
    { 0 },
};

static void say(void *ctx, const char *line)
{
    cli_progress(ctx, "linkctl: %s", line);
}

int host_open_to_change(struct cli *cli, unsigned what, struct host *ret)
{
    const struct change_opts o = {
        .program = "linkctl", .what = "", .handlers = handlers, .ctx = cli, .say = say
    };
    int rc = cli_has(cli, "dry-run") ? 0 : change_recover(&o, &cli->err);
    *ret = (struct host){ 0 };
    return rc ? rc : host_open(cli, what, ret);
}

int host_change_begin(struct cli *cli, struct host *h, const char *what, struct change **ret)
{
    const struct change_opts o = {
        .program = "linkctl", .what = what, .handlers = handlers, .ctx = cli, .say = say
    };
    int rc = change_begin(&o, ret, &cli->err);
    if (rc)
        return rc;
    rc = host_refresh(cli, LINK_READ_ALL, h); /* what was read before the lock may be old */
    return rc ? host_change_end(cli, *ret, rc) : 0;
}

int host_change_end(struct cli *cli, struct change *c, int rc)
{
    struct base_err why = cli->err, undo = { 0 };
    int64_t seconds = 0;
    const char *text = cli_get(cli, "confirm-within");
    char id[CHANGE_ID];
    if (!rc)
        rc = change_check(c, &why);
    if (!rc && text)
        rc = cli_number(cli, "--confirm-within", text, 1, 86400, &seconds);
    (void)snprintf(id, sizeof(id), "%s", change_id(c));
    if (!rc && change_commit(c, (unsigned)seconds, &cli->err) == 0) {
        if (seconds)
            cli_progress(cli, "taken back in %lld s unless you type: linkctl confirm %s",
                         (long long)seconds, id);
        return 0;
    }
    if (change_rollback(c, &undo)) {
        base_err_hint(&why, "see: linkctl journal");
        cli->err = (struct base_err){ 0 };
        base_err_set(&cli->err, BASE_FAILED, "%.180s; and taking it back failed: %.160s", why.msg,
                     undo.msg);
        return base_err_hint(&cli->err, "the keeper goes on trying; see: linkctl journal");
    }
    cli->err = (struct base_err){ .code = BASE_ROLLED_BACK, .sys = why.sys };
    (void)snprintf(cli->err.where, sizeof(cli->err.where), "%s", why.where);
    (void)snprintf(cli->err.msg, sizeof(cli->err.msg), "%.330s; all is as it was before", why.msg);
    (void)snprintf(cli->err.hint, sizeof(cli->err.hint), "%s", why.hint);
    return -(int)BASE_ROLLED_BACK;
}

int verb_rollback(struct cli *cli)
{
    const struct change_opts o = {
        .program = "linkctl", .what = "rollback", .handlers = handlers, .ctx = cli, .say = say
    };
    return change_verb_rollback(cli, &o);
}
