/* SPDX-License-Identifier: MIT */
/* doctor.h - facts in, findings out; no input or output in here.
 *
 * A fact is known or not: a rule whose facts are missing is skipped and says what to collect, which is never "fine".
 * The switch comes as neutral values (struct link_peer), so that this library needs to know no switch. */
#ifndef LINK_DOCTOR_H
#define LINK_DOCTOR_H

#include "link/state.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LINK_FINDINGS 32
#define LINK_EVIDENCE 6
#define LINK_REMEDIES 4
#define LINK_TEXT     200

enum link_severity { LINK_INFO, LINK_WARNING, LINK_ERROR };
enum link_confidence { LINK_POSSIBLE, LINK_LIKELY, LINK_CERTAIN };
enum link_verdict { LINK_OK, LINK_FAULTS, LINK_NOT_YET, LINK_CANNOT_TELL };

enum link_peer_mode { LINK_PEER_UNKNOWN, LINK_PEER_NONE, LINK_PEER_STATIC, LINK_PEER_LACP };

struct link_peer { /* the switch's side of one bond */
    bool known;
    char name[64]; /* for texts: "SKS3200M-4GPY2XF at 192.0.2.10" */
    char url[160]; /* for commands; may be empty */
    enum link_peer_mode
        mode; /* of the group that the bond's ports are in; NONE = plain ports; UNKNOWN = not located */
    bool any_static, any_lacp; /* groups of that kind on the switch at all */
    unsigned group, n_ports, n_up;
    uint32_t mtu;          /* largest IP MTU that fits one VLAN tag; 0 = unknown */
    uint32_t mtu_untagged; /* without a tag */
    uint32_t frame_bytes;
    bool unreachable; /* it was named, and did not answer */
};

struct link_wire_view { /* LACPDUs heard on one member while listening */
    int ifindex;
    bool listened;
    unsigned lacpdus;
    uint64_t rx_nohandler_rise; /* during the same time */
    bool counters_known;
};

struct link_facts {
    const struct link_state *host;
    const struct link_iface *bond; /* the one looked at; NULL = no bond */
    struct link_peer peer;
    size_t n_wire;
    struct link_wire_view wire[64];
    double listened_s;
    bool changing; /* LACP state differed between the beginning and the end of listening */
};

struct link_remedy {
    char text[LINK_TEXT], command[LINK_TEXT];
};

struct link_finding {
    const char *id; /* "lag.no-partner" */
    enum link_severity severity;
    enum link_confidence confidence;
    char subject[64], summary[LINK_TEXT];
    size_t n_evidence, n_rules_out, n_remedies;
    char evidence[LINK_EVIDENCE][LINK_TEXT];
    char rules_out[LINK_EVIDENCE][LINK_TEXT];
    struct link_remedy remedy[LINK_REMEDIES];
};

struct link_skipped {
    const char *id;
    char needs[LINK_TEXT];
};

struct link_findings {
    enum link_verdict verdict;
    size_t n, n_skipped;
    struct link_finding v[LINK_FINDINGS];
    struct link_skipped skipped[LINK_FINDINGS];
};

/* Runs every rule.  Findings come cause first, then by severity. */
LINK_API void link_diagnose(const struct link_facts *f, struct link_findings *ret);
/* The document "findings", owned by the caller (free). */
LINK_API int link_findings_json(const struct link_findings *f, char **ret, struct base_err *err);

#ifdef __cplusplus
}
#endif

#endif
