/* SPDX-License-Identifier: MIT */
/* host.c - what linkctl's verbs share: opening the host, and telling what was done. */
#include "verbs.h"

#include <stdio.h>
#include <string.h>

int host_open(struct cli *cli, unsigned what, struct host *ret)
{
    int rc;
    *ret = (struct host){ 0 };
    rc = link_session_open(&ret->s, &cli->err);
    if (!rc)
        rc = link_read_state(ret->s, what, &ret->st, &cli->err);
    if (rc)
        host_close(ret);
    return rc;
}

int host_refresh(struct cli *cli, unsigned what, struct host *h)
{
    link_state_done(&h->st);
    return link_read_state(h->s, what, &h->st, &cli->err);
}

void host_close(struct host *h)
{
    link_state_done(&h->st);
    link_session_close(h->s);
    h->s = NULL;
}

void steps_add(struct steps *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    base_buf_vprintf(&s->text, fmt, ap);
    va_end(ap);
    base_buf_chr(&s->text, '\n');
    s->n++;
}

static void steps_json(struct base_json *j, const struct steps *s)
{
    const char *p = s->text.p ? s->text.p : "";
    base_json_arr(j, "steps");
    while (*p) {
        size_t n = strcspn(p, "\n");
        base_json_strf(j, NULL, "%.*s", (int)n, p);
        p += n + (p[n] == '\n');
    }
    base_json_end(j);
}

int steps_print(struct cli *cli, struct steps *s, bool dry_run, bool verified)
{
    struct base_buf out = { 0 };
    if (cli->json) {
        struct base_json j = base_json_init(&out);
        base_json_doc(&j, dry_run ? "plan" : "result");
        base_json_bool(&j, "changed", s->n > 0);
        steps_json(&j, s);
        if (!dry_run) {
            base_json_bool(&j, "verified", verified);
            base_json_null(&j, "gap_ms");
        }
        base_json_end(&j);
    } else if (s->n == 0) {
        base_buf_str(&out, "nothing to do\n");
    } else {
        const char *p = s->text.p;
        if (dry_run)
            base_buf_str(&out, "would do (nothing was changed):\n");
        while (*p) {
            size_t n = strcspn(p, "\n");
            base_buf_printf(&out, "  %s%.*s\n", dry_run ? "" : "done: ", (int)n, p);
            p += n + (p[n] == '\n');
        }
        if (!dry_run && verified)
            base_buf_str(&out, "verified by reading back\n");
    }
    base_buf_done(&s->text);
    return cli_print(cli, &out);
}
