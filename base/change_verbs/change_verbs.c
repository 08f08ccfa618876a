/* SPDX-License-Identifier: MIT */
/* change_verbs.c - see change_verbs.h. */
#include "change_verbs.h"
#include "steps.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES 1024

int change_verb_confirm(struct cli *cli)
{
    struct steps s = STEPS_NONE;
    int rc = change_confirm(cli->argc ? cli->argv[0] : NULL, &cli->err);
    steps_add(&s, "the change is kept");
    return steps_print(cli, &s, false, rc);
}

/* A change that was cut off is taken back as any other change begins. */
static int take_back_cut_off(struct cli *cli, const struct change_opts *o)
{
    struct change *c;
    int rc = change_begin(o, &c, &cli->err);
    return rc ? rc : change_commit(c, 0, &cli->err);
}

static size_t count_open(struct cli *cli, const char *id, int *ret_rc)
{
    struct change_entry *e = calloc(MAX_ENTRIES, sizeof(*e));
    size_t n = 0, hits = 0;
    *ret_rc = e ? change_list(e, MAX_ENTRIES, &n, &cli->err)
                : base_err_set(&cli->err, BASE_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++)
        hits += !strcmp(e[i].status, "open") && (!id || !strcmp(id, e[i].id));
    free(e);
    return hits;
}

int change_verb_rollback(struct cli *cli, const struct change_opts *o)
{
    const char *id = cli->argc ? cli->argv[0] : NULL;
    struct steps s = STEPS_NONE;
    size_t open;
    int rc = change_cancel(id, &cli->err);
    if (rc && cli->err.code == BASE_NOT_FOUND) {
        struct base_err none = cli->err;
        cli->err = (struct base_err){ 0 };
        open = count_open(cli, id, &rc);
        if (!rc && open)
            rc = take_back_cut_off(cli, o);
        else if (!rc && id) {
            cli->err = none;
            rc = -(int)none.code;
        }
        if (!rc && open)
            steps_add(&s, "the change that was cut off was taken back");
        return steps_print(cli, &s, false, rc);
    }
    steps_add(&s, "the change was taken back");
    return steps_print(cli, &s, false, rc);
}

static void list_json(struct base_buf *out, const struct change_entry *e, size_t n)
{
    struct base_json j = base_json_init(out);
    base_json_doc(&j, "journal");
    base_json_arr(&j, "entries");
    for (size_t i = 0; i < n; i++) {
        base_json_obj(&j, NULL);
        base_json_str(&j, "id", e[i].id);
        base_json_str(&j, "status", e[i].status);
        base_json_str(&j, "program", e[i].program);
        base_json_str(&j, "what", e[i].what);
        base_json_str(&j, "started", e[i].started);
        base_json_bool(&j, "this_boot", e[i].same_boot);
        base_json_end(&j);
    }
    base_json_end(&j);
    base_json_end(&j);
}

int change_verb_journal(struct cli *cli)
{
    struct change_entry *e = calloc(MAX_ENTRIES, sizeof(*e));
    struct base_buf out = { 0 };
    size_t n = 0;
    int rc = e ? change_list(e, MAX_ENTRIES, &n, &cli->err)
               : base_err_set(&cli->err, BASE_NO_MEMORY, "out of memory");
    if (!rc && cli->json) {
        list_json(&out, e, n);
    } else if (!rc && n == 0) {
        base_buf_str(&out, "no changes recorded here\n");
    } else if (!rc) {
        base_buf_printf(&out, "%-30s %-8s %s\n", "ID", "STATUS", "WHAT");
        for (size_t i = 0; i < n; i++)
            base_buf_printf(&out, "%-30s %-8s %s %s\n", e[i].id, e[i].status, e[i].program,
                            e[i].what);
    }
    free(e);
    return rc ? rc : cli_print(cli, &out);
}
