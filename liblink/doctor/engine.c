/* SPDX-License-Identifier: MIT */
/* engine.c - running the rules, and the words they share.  Pure. */
#include "rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct link_rule *const rules[] = { &rule_no_partner, &rule_not_converged,
                                                 &rule_mtu_uneven, &rule_mtu_switch };

struct link_finding *finding(struct link_findings *out, const char *id, enum link_severity severity,
                             enum link_confidence confidence, const char *subject, const char *fmt,
                             ...)
{
    struct link_finding *f = &out->v[out->n < LINK_FINDINGS ? out->n++ : LINK_FINDINGS - 1];
    va_list ap;
    *f = (struct link_finding){ .id = id, .severity = severity, .confidence = confidence };
    (void)snprintf(f->subject, sizeof(f->subject), "%s", subject);
    va_start(ap, fmt);
    (void)vsnprintf(f->summary, sizeof(f->summary), fmt, ap);
    va_end(ap);
    return f;
}

void evidence(struct link_finding *f, const char *fmt, ...)
{
    va_list ap;
    if (f->n_evidence == LINK_EVIDENCE)
        return;
    va_start(ap, fmt);
    (void)vsnprintf(f->evidence[f->n_evidence++], LINK_TEXT, fmt, ap);
    va_end(ap);
}

void rules_out(struct link_finding *f, const char *fmt, ...)
{
    va_list ap;
    if (f->n_rules_out == LINK_EVIDENCE)
        return;
    va_start(ap, fmt);
    (void)vsnprintf(f->rules_out[f->n_rules_out++], LINK_TEXT, fmt, ap);
    va_end(ap);
}

void remedy(struct link_finding *f, const char *command, const char *fmt, ...)
{
    struct link_remedy *r = &f->remedy[f->n_remedies];
    va_list ap;
    if (f->n_remedies == LINK_REMEDIES)
        return;
    f->n_remedies++;
    (void)snprintf(r->command, sizeof(r->command), "%s", command ? command : "");
    va_start(ap, fmt);
    (void)vsnprintf(r->text, sizeof(r->text), fmt, ap);
    va_end(ap);
}

void skipped(struct link_findings *out, const char *id, const char *fmt, ...)
{
    struct link_skipped *s =
        &out->skipped[out->n_skipped < LINK_FINDINGS ? out->n_skipped++ : LINK_FINDINGS - 1];
    va_list ap;
    s->id = id;
    va_start(ap, fmt);
    (void)vsnprintf(s->needs, sizeof(s->needs), fmt, ap);
    va_end(ap);
}

size_t members_of(const struct link_facts *f, const struct link_iface **m, size_t cap)
{
    size_t n = f->bond ? link_members(f->host, f->bond->ifindex, m, cap) : 0;
    return n < cap ? n : cap;
}

bool is_lacp(const struct link_facts *f)
{
    return f->bond && f->bond->bond.opts.num[LINK_BOND_MODE] == LINK_BOND_8023AD;
}

bool zero_mac(const uint8_t mac[6])
{
    static const uint8_t zero[6];
    return !memcmp(mac, zero, 6);
}

static bool has(const struct link_findings *r, const char *id)
{
    for (size_t i = 0; i < r->n; i++)
        if (!strcmp(r->v[i].id, id))
            return true;
    return false;
}

static enum link_verdict verdict(const struct link_facts *f, const struct link_findings *r)
{
    if (has(r, "lag.not-converged-yet"))
        return LINK_NOT_YET;
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i].severity != LINK_INFO)
            return LINK_FAULTS;
    if (!f->bond || (r->n_skipped && f->peer.unreachable))
        return LINK_CANNOT_TELL;
    return LINK_OK;
}

void link_diagnose(const struct link_facts *f, struct link_findings *ret)
{
    memset(ret, 0, sizeof(*ret));
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        rules[i]->check(f, ret);
    ret->verdict = verdict(f, ret);
}
