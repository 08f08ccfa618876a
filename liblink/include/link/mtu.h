/* SPDX-License-Identifier: MIT */
/* mtu.h - the MTU of a whole stack, planned before anything is written; and the edge of a path, probed. */
#ifndef LINK_MTU_H
#define LINK_MTU_H

#include <sys/socket.h>

#include "link/session.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LINK_MTU_STEPS 256

struct link_mtu_step { /* set `ifindex` from `from` to `to` L3 bytes */
    int ifindex;
    char name[LINK_NAME_SIZE];
    uint32_t from, to;
    bool
        by_kernel; /* the bond does it for its members: no request of ours, but verified and undone */
};

struct link_mtu_plan {
    size_t n;
    struct link_mtu_step step[LINK_MTU_STEPS];
};

/* Plans DEV's MTU.  whole_stack: everything below that must carry it and everything on top (VLANs, bridges) too;
 * otherwise DEV alone (a bond still takes its members along).  Raising goes bottom up, lowering top down.  Empty plan =
 * nothing to do.  Pure: nothing is written.
 * Errors: BASE_NOT_FOUND; BASE_IMPOSSIBLE naming the device and its maximum or minimum, or a parent that is smaller. */
LINK_API int link_mtu_plan(const struct link_state *st, const char *dev, uint32_t mtu,
                           bool whole_stack, struct link_mtu_plan *ret, struct base_err *err);
/* Performs the plan and reads every device back.  When a step fails, all are put back in reverse order:
 * BASE_ROLLED_BACK with the reason. */
LINK_API int link_mtu_apply(struct link_session *s, const struct link_mtu_plan *plan,
                            struct base_err *err);
/* Puts back what is not as the plan found it; idempotent. */
LINK_API int link_mtu_undo(struct link_session *s, const struct link_mtu_plan *plan,
                           struct base_err *err);

struct link_probe_opts {
    const struct sockaddr *peer; /* AF_INET or AF_INET6 */
    socklen_t peer_len;
    const char *dev;  /* send through this device; NULL = as routed */
    uint32_t max;     /* largest MTU to try; 0 = the outgoing device's own */
    unsigned count;   /* tries per size before it counts as lost; 0 = 3 */
    unsigned wait_ms; /* for an answer; 0 = 400 */
};

struct link_probe_result {
    bool reached;     /* the peer answered at all */
    uint32_t mtu;     /* largest IP packet (L3 bytes) that came back whole */
    uint32_t dev_mtu; /* of the outgoing device; 0 = unknown */
    uint32_t
        tried_max; /* the largest tried: mtu == tried_max means that no edge was found below it */
    uint32_t
        told_mtu; /* what a router on the way said (ICMP fragmentation needed / packet too big); 0 = nobody */
    char told_by[64]; /* its address */
    unsigned sent, received;
    double rtt_ms; /* smallest seen */
};

/* Finds the exact edge with ICMP echo requests that may not be fragmented; several sizes at a time.  Never sends above
 * the outgoing device's own MTU.  Not reached is an answer (ret->reached false), not an error.
 * Errors: BASE_NOT_PERMITTED (raw socket), BASE_UNREACHABLE (no route). */
LINK_API int link_mtu_probe(const struct link_probe_opts *o, struct link_probe_result *ret,
                            struct base_err *err);

#ifdef __cplusplus
}
#endif

#endif
