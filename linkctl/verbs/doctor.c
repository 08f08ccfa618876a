/* SPDX-License-Identifier: MIT */
/* doctor.c - `linkctl doctor`: gathers facts, asks liblink's rules, says the cause and what to type. */
#include "listen.h"
#include "peer.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_in.h"
#include "os.h"

#define LISTEN_S 3

static int min_severity(struct cli *cli, enum link_severity *ret)
{
    static const char *const words[] = { "info", "warning", "error" };
    const char *text = cli_get(cli, "min-severity");
    *ret = LINK_WARNING;
    for (int i = 0; text && i < 3; i++)
        if (!strcmp(text, words[i])) {
            *ret = (enum link_severity)i;
            return 0;
        }
    return text ? cli_usage(cli, "--min-severity takes info, warning or error, not %s", text) : 0;
}

static int read_evidence(struct cli *cli, const char *path, struct link_facts *f)
{
    struct base_buf b = { 0 };
    struct json_doc *doc = NULL;
    const char *kind;
    int rc = os_read_file(path, (size_t)64 << 20, &b, &cli->err);
    if (!rc)
        rc = json_parse(b.p ? b.p : "", b.n, &doc, &cli->err);
    if (!rc) {
        kind = json_kind(doc);
        if (kind && !strcmp(kind, "switch-state"))
            rc = peer_from_json(b.p, b.n, f, &cli->err);
        else {
            rc = base_err_set(&cli->err, BASE_MALFORMED,
                              "evidence of kind %s is not understood yet", kind ? kind : "unknown");
            base_err_hint(&cli->err, "understood: the output of switchctl --json -s SWITCH show");
        }
    }
    json_free(doc);
    base_buf_done(&b);
    return rc ? base_err_wrap(&cli->err, "%s", path) : 0;
}

static int gather_peer(struct cli *cli, struct link_facts *f)
{
    const char *text;
    int rc = 0;
    for (unsigned i = 0; !rc && (text = cli_get_nth(cli, "evidence", i)); i++)
        rc = read_evidence(cli, text, f);
    for (unsigned i = 0; !rc && (text = cli_get_nth(cli, "switch", i)); i++) {
        cli_progress(cli, "asking the switch %s ...", text);
        rc = peer_from_switch(cli, text, f);
        if (f->peer.unreachable)
            cli_progress(cli, "the switch %s does not answer", text);
    }
    return rc;
}

static void wrap(struct base_buf *out, const char *first, const char *rest, const char *text)
{
    size_t width = 78 - strlen(rest), used = 0;
    base_buf_str(out, first);
    while (*text) {
        size_t n = strcspn(text, " ");
        if (used && used + 1 + n > width) {
            base_buf_printf(out, "\n%s", rest);
            used = 0;
        } else if (used) {
            base_buf_chr(out, ' ');
            used++;
        }
        base_buf_add(out, text, n);
        used += n;
        text += n + (text[n] == ' ');
    }
    base_buf_chr(out, '\n');
}

static void print_one(struct cli *cli, struct base_buf *out, const struct link_finding *x,
                      size_t number)
{
    static const char *const severities[] = { "note", "warning", "fault" };
    static const char *const confidences[] = { "possible", "likely", "certain" };
    static const enum cli_style styles[] = { CLI_CYAN, CLI_YELLOW, CLI_RED };
    char line[400];
    base_buf_printf(out, "\n%zu. %s%s%s  %s  (%s)\n", number,
                    cli_style(cli->color, styles[x->severity]), severities[x->severity],
                    cli_style(cli->color, CLI_PLAIN), x->id, confidences[x->confidence]);
    base_buf_str(out, cli_style(cli->color, CLI_BOLD));
    wrap(out, "   ", "   ", x->summary);
    base_buf_str(out, cli_style(cli->color, CLI_PLAIN));
    for (size_t i = 0; i < x->n_evidence; i++)
        wrap(out, "   - ", "     ", x->evidence[i]);
    for (size_t i = 0; i < x->n_rules_out; i++) {
        (void)snprintf(line, sizeof(line), "not %s", x->rules_out[i]);
        wrap(out, "   - ", "     ", line);
    }
    for (size_t i = 0; i < x->n_remedies; i++) {
        wrap(out, "   > ", "     ", x->remedy[i].text);
        if (x->remedy[i].command[0])
            base_buf_printf(out, "       %s%s%s\n", cli_style(cli->color, CLI_GREEN),
                            x->remedy[i].command, cli_style(cli->color, CLI_PLAIN));
    }
}

static int print_all(struct cli *cli, const struct link_facts *f, const struct link_findings *r,
                     enum link_severity least)
{
    static const char *const verdicts[] = { "no fault found", "faults found",
                                            "not broken, still negotiating", "cannot tell" };
    struct base_buf out = { 0 };
    char *json;
    int rc;
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i].severity >= least)
            cli->status = 3;
    if (cli->json) {
        rc = link_findings_json(r, &json, &cli->err);
        if (rc)
            return rc;
        base_buf_str(&out, json);
        free(json);
        return cli_print(cli, &out);
    }
    base_buf_printf(&out, "%s%s: %s%s\n", cli_style(cli->color, CLI_BOLD),
                    f->bond ? f->bond->name : "this host", verdicts[r->verdict],
                    cli_style(cli->color, CLI_PLAIN));
    if (r->n > 1 && r->v[0].confidence != LINK_CERTAIN)
        base_buf_printf(&out, "%zu candidates; more facts would decide\n", r->n);
    for (size_t i = 0; i < r->n; i++)
        print_one(cli, &out, &r->v[i], i + 1);
    for (size_t i = 0; i < r->n_skipped; i++)
        wrap(&out, "\n   ? ", "     ", r->skipped[i].needs);
    if (!f->bond)
        base_buf_str(&out, "no bond here: nothing to say about link aggregation\n");
    return cli_print(cli, &out);
}

/* The bond named, else the first one with a fault, else the first. */
static int choose(struct cli *cli, struct host *h, struct link_facts *f)
{
    const struct link_iface *d = NULL;
    int rc = cli->argc ? link_need(&h->st, cli->argv[0], &d, &cli->err) : 0;
    f->host = &h->st;
    if (rc)
        return rc;
    if (d && d->is_member)
        d = link_find_index(&h->st, d->master);
    for (size_t i = 0; i < h->st.n && !d; i++)
        if (h->st.v[i].is_bond)
            d = &h->st.v[i];
    f->bond = d && d->is_bond ? d : NULL;
    return 0;
}

static double listen_time(const struct link_facts *f, int64_t asked)
{
    bool lacp = f->bond && f->bond->bond.opts.num[LINK_BOND_MODE] == LINK_BOND_8023AD;
    return asked >= 0 ? (double)asked : lacp ? LISTEN_S : 0;
}

int verb_doctor(struct cli *cli)
{
    struct link_facts *f = calloc(1, sizeof(*f));
    struct link_findings *r = calloc(1, sizeof(*r));
    enum link_severity least = LINK_WARNING;
    struct host h = { 0 };
    int64_t asked = -1;
    int rc = f && r ? min_severity(cli, &least)
                    : base_err_set(&cli->err, BASE_NO_MEMORY, "out of memory");
    if (!rc && cli_get(cli, "listen"))
        rc = cli_number(cli, "--listen", cli_get(cli, "listen"), 0, 600, &asked);
    if (!rc)
        rc = host_open(cli, LINK_READ_ALL | LINK_READ_COUNTERS, &h);
    if (!rc)
        rc = choose(cli, &h, f);
    if (!rc && f->bond && listen_time(f, asked) > 0) {
        cli_progress(cli, "listening %.0f s on the members of %s ...", listen_time(f, asked),
                     f->bond->name);
        rc = listen_members(h.s, listen_time(f, asked), &h.st, f, &cli->err);
    }
    if (!rc)
        rc = gather_peer(cli, f);
    if (!rc && geteuid() != 0)
        cli_progress(cli, "not root: LACPDUs could not be listened to");
    if (!rc) {
        link_diagnose(f, r);
        rc = print_all(cli, f, r, least);
    }
    host_close(&h);
    free(f);
    free(r);
    return rc;
}
