/* SPDX-License-Identifier: MIT */
/* rule.h (internal) - what a rule is, and how it speaks. */
#ifndef DOCTOR_RULE_H
#define DOCTOR_RULE_H

#include "link/doctor.h"

struct link_rule {
    const char *id;
    void (*check)(const struct link_facts *f, struct link_findings *out);
};

extern const struct link_rule rule_no_partner, rule_not_converged, rule_mtu_switch, rule_mtu_uneven;

struct link_finding *finding(struct link_findings *out, const char *id, enum link_severity severity,
                             enum link_confidence confidence, const char *subject, const char *fmt,
                             ...) __attribute__((format(printf, 6, 7)));
void evidence(struct link_finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rules_out(struct link_finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void remedy(struct link_finding *f, const char *command, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void skipped(struct link_findings *out, const char *id, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Members of the bond looked at, in join order. */
size_t members_of(const struct link_facts *f, const struct link_iface **m, size_t cap);
bool is_lacp(const struct link_facts *f);
bool zero_mac(const uint8_t mac[6]);

#endif
