/* SPDX-License-Identifier: MIT */
/* change.c - a change of this host under lock, journal and keeper; `linkctl confirm|rollback|journal`. */
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/undo.h"

static int undo_bond(void *ctx, const char *data, size_t n, struct base_err *err)
{
    (void)ctx;
    return link_undo_bond(data, n, err);
}

static int undo_mtu(void *ctx, const char *data, size_t n, struct base_err *err)
{
    (void)ctx;
    return link_undo_mtu(data, n, err);
}

static int undo_ports(void *ctx, const char *data, size_t n, struct base_err *err)
{
    (void)ctx;
    return link_undo_ports(data, n, err);
}

static int undo_absent(void *ctx, const char *data, size_t n, struct base_err *err)
{
    (void)ctx;
    return link_undo_absent(data, n, err);
}

static const struct change_handler handlers[] = {
    { "bond", undo_bond, false },
    { "mtu", undo_mtu, false },
    { "absent", undo_absent, false },
    { "ports", undo_ports, false },
    { 0 },
};

static void say(void *ctx, const char *line)
{
    cli_progress(ctx, "linkctl: %s", line);
}

int host_open_to_change(struct cli *cli, unsigned what, struct host *ret)
{
    const struct change_opts o = { .program = "linkctl", .what = "", .handlers = handlers, .ctx = cli, .say = say };
    int rc = cli_has(cli, "dry-run") ? 0 : change_recover(&o, &cli->err);
    *ret = (struct host){ 0 };
    return rc ? rc : host_open(cli, what, ret);
}

int host_change_begin(struct cli *cli, struct host *h, const char *what, struct change **ret)
{
    const struct change_opts o = { .program = "linkctl", .what = what, .handlers = handlers, .ctx = cli, .say = say };
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
            cli_progress(cli, "taken back in %lld s unless you type: linkctl confirm %s", (long long)seconds, id);
        return 0;
    }
    if (change_rollback(c, &undo)) {
        base_err_hint(&why, "see: linkctl journal");
        cli->err = (struct base_err){ 0 };
        base_err_set(&cli->err, BASE_FAILED, "%.180s; and taking it back failed: %.160s", why.msg, undo.msg);
        return base_err_hint(&cli->err, "the keeper goes on trying; see: linkctl journal");
    }
    cli->err = (struct base_err){ .code = BASE_ROLLED_BACK, .sys = why.sys };
    (void)snprintf(cli->err.where, sizeof(cli->err.where), "%s", why.where);
    (void)snprintf(cli->err.msg, sizeof(cli->err.msg), "%.330s; all is as it was before", why.msg);
    (void)snprintf(cli->err.hint, sizeof(cli->err.hint), "%s", why.hint);
    return -(int)BASE_ROLLED_BACK;
}

int verb_confirm(struct cli *cli)
{
    int rc = change_confirm(cli->argc ? cli->argv[0] : NULL, &cli->err);
    struct steps s = { 0 };
    if (rc)
        return rc;
    steps_add(&s, "the change is kept");
    return steps_print(cli, &s, false, true);
}

int verb_rollback(struct cli *cli)
{
    int rc = change_cancel(cli->argc ? cli->argv[0] : NULL, &cli->err);
    struct steps s = { 0 };
    struct host h = { 0 };
    struct change *c;
    if (rc && cli->err.code == BASE_NOT_FOUND) {
        /* Nobody waits: a change that was cut off is taken back as any change begins. */
        struct base_err none = cli->err;
        cli->err = (struct base_err){ 0 };
        rc = host_open(cli, LINK_READ_LINKS, &h);
        if (!rc)
            rc = host_change_begin(cli, &h, "rollback", &c);
        if (!rc)
            rc = change_commit(c, 0, &cli->err);
        host_close(&h);
        if (rc)
            return rc;
        if (cli->argc)
            cli->err = none;
        return cli->argc ? -(int)none.code : steps_print(cli, &s, false, true);
    }
    if (rc)
        return rc;
    steps_add(&s, "the change was taken back");
    return steps_print(cli, &s, false, true);
}

int verb_journal(struct cli *cli)
{
    struct change_entry *e = calloc(1024, sizeof(*e));
    struct base_buf out = { 0 };
    struct base_json j = base_json_init(&out);
    size_t n = 0;
    int rc = e ? change_list(e, 1024, &n, &cli->err) : base_err_set(&cli->err, BASE_NO_MEMORY, "out of memory");
    if (cli->json) {
        base_json_doc(&j, "journal");
        base_json_arr(&j, "entries");
    } else {
        base_buf_printf(&out, n ? "%-30s %-8s %s\n" : "no changes recorded here\n", "ID", "STATUS", "WHAT");
    }
    for (size_t i = 0; i < n && !rc; i++) {
        if (cli->json) {
            base_json_obj(&j, NULL);
            base_json_str(&j, "id", e[i].id);
            base_json_str(&j, "status", e[i].status);
            base_json_str(&j, "program", e[i].program);
            base_json_str(&j, "what", e[i].what);
            base_json_str(&j, "started", e[i].started);
            base_json_bool(&j, "this_boot", e[i].same_boot);
            base_json_end(&j);
        } else {
            base_buf_printf(&out, "%-30s %-8s %s %s\n", e[i].id, e[i].status, e[i].program, e[i].what);
        }
    }
    if (cli->json) {
        base_json_end(&j);
        base_json_end(&j);
    }
    free(e);
    if (rc) {
        base_buf_done(&out);
        return rc;
    }
    return cli_print(cli, &out);
}
