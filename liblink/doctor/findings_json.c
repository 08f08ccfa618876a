/* SPDX-License-Identifier: MIT */
/* findings_json.c - findings as the document "findings". */
#include "link/doctor.h"

#include "base/json.h"

static void texts(struct base_json *j, const char *key, const char (*v)[LINK_TEXT], size_t n)
{
    base_json_arr(j, key);
    for (size_t i = 0; i < n; i++)
        base_json_str(j, NULL, v[i]);
    base_json_end(j);
}

int link_findings_json(const struct link_findings *f, char **ret, struct base_err *err)
{
    static const char *const severities[] = { "info", "warning", "error" };
    static const char *const confidences[] = { "possible", "likely", "certain" };
    static const char *const verdicts[] = { "ok", "faults", "not-yet", "cannot-tell" };
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    base_json_doc(&j, "findings");
    base_json_arr(&j, "findings");
    for (size_t i = 0; i < f->n; i++) {
        const struct link_finding *x = &f->v[i];
        base_json_obj(&j, NULL);
        base_json_str(&j, "id", x->id);
        base_json_str(&j, "severity", severities[x->severity]);
        base_json_str(&j, "subject", x->subject);
        base_json_str(&j, "summary", x->summary);
        base_json_str(&j, "confidence", confidences[x->confidence]);
        texts(&j, "evidence", x->evidence, x->n_evidence);
        texts(&j, "rules_out", x->rules_out, x->n_rules_out);
        base_json_arr(&j, "remedy");
        for (size_t k = 0; k < x->n_remedies; k++) {
            base_json_obj(&j, NULL);
            base_json_str(&j, "text", x->remedy[k].text);
            base_json_str(&j, "command", x->remedy[k].command[0] ? x->remedy[k].command : NULL);
            base_json_end(&j);
        }
        base_json_end(&j);
        base_json_end(&j);
    }
    base_json_end(&j);
    base_json_arr(&j, "skipped");
    for (size_t i = 0; i < f->n_skipped; i++) {
        base_json_obj(&j, NULL);
        base_json_str(&j, "id", f->skipped[i].id);
        base_json_arr(&j, "needs");
        base_json_str(&j, NULL, f->skipped[i].needs);
        base_json_end(&j);
        base_json_end(&j);
    }
    base_json_end(&j);
    base_json_str(&j, "verdict", verdicts[f->verdict]);
    base_json_end(&j);
    *ret = base_buf_take(&b);
    return *ret ? 0 : base_err_set(err, BASE_NO_MEMORY, "out of memory");
}
