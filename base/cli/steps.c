/* SPDX-License-Identifier: MIT */
/* steps.c - see steps.h. */
#include "steps.h"

#include <string.h>

void steps_add(struct steps *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    base_buf_vprintf(&s->text, fmt, ap);
    va_end(ap);
    base_buf_chr(&s->text, '\n');
    s->n++;
}

static void print_json(struct base_buf *out, const struct steps *s, bool dry_run)
{
    struct base_json j = base_json_init(out);
    const char *p = s->text.p ? s->text.p : "";
    base_json_doc(&j, dry_run ? "plan" : "result");
    base_json_bool(&j, "changed", s->n > 0);
    base_json_arr(&j, "steps");
    while (*p) {
        size_t n = strcspn(p, "\n");
        base_json_strf(&j, NULL, "%.*s", (int)n, p);
        p += n + (p[n] == '\n');
    }
    base_json_end(&j);
    if (!dry_run) {
        base_json_bool(&j, "verified", s->verified);
        if (s->gap_ms >= 0)
            base_json_num(&j, "gap_ms", s->gap_ms);
        else
            base_json_null(&j, "gap_ms");
    }
    base_json_end(&j);
}

static void print_text(struct base_buf *out, const struct steps *s, bool dry_run)
{
    const char *p = s->text.p ? s->text.p : "";
    if (s->n == 0) {
        base_buf_str(out, "nothing to do\n");
        return;
    }
    base_buf_str(out, dry_run ? "would do (nothing was changed):\n" : "done:\n");
    while (*p) {
        size_t n = strcspn(p, "\n");
        base_buf_printf(out, "  %.*s\n", (int)n, p);
        p += n + (p[n] == '\n');
    }
    if (!dry_run && s->verified)
        base_buf_str(out, "verified by reading back\n");
    if (!dry_run && s->gap_ms >= 0)
        base_buf_printf(out, "longest gap seen: %.0f ms\n", s->gap_ms);
}

int steps_print(struct cli *cli, struct steps *s, bool dry_run, int rc)
{
    struct base_buf out = { 0 };
    if (!rc && cli->json)
        print_json(&out, s, dry_run);
    else if (!rc)
        print_text(&out, s, dry_run);
    base_buf_done(&s->text);
    return rc ? rc : cli_print(cli, &out);
}
