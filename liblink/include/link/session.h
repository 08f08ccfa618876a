/* SPDX-License-Identifier: MIT */
/* session.h - a connection to this host's kernel, in the network namespace that the caller is in when it opens one. */
#ifndef LINK_SESSION_H
#define LINK_SESSION_H

#include "link/state.h"

#ifdef __cplusplus
extern "C" {
#endif

struct link_session;

LINK_API int link_session_open(struct link_session **ret, struct base_err *err);
LINK_API void link_session_close(struct link_session *s); /* NULL is fine */

enum link_read {
    LINK_READ_LINKS = 0,
    LINK_READ_COUNTERS = 1, /* packet counters */
    LINK_READ_SPEED = 2,    /* speed, duplex and driver, over ethtool netlink */
    LINK_READ_ORDER = 4,    /* join order of bond members (/proc/net/bonding) */
    LINK_READ_ALL = 6       /* speed and order */
};

/* One dump of all interfaces, without holes (an interrupted dump is asked for again).  *ret is filled anew; free it
 * with link_state_done.  `what`: bits of enum link_read.  What the kernel cannot tell stays unknown, without error. */
LINK_API int link_read_state(struct link_session *s, unsigned what, struct link_state *ret,
                             struct base_err *err);

/* Changes, each acknowledged by the kernel.  Errors carry the kernel's own words; BASE_NOT_PERMITTED without
 * CAP_NET_ADMIN. */
LINK_API int link_set_admin(struct link_session *s, int ifindex, bool up, struct base_err *err);
LINK_API int link_set_mtu(struct link_session *s, int ifindex, uint32_t mtu, struct base_err *err);
LINK_API int link_set_mac(struct link_session *s, int ifindex, const uint8_t mac[6],
                          struct base_err *err);
LINK_API int link_set_master(struct link_session *s, int ifindex, int master, struct base_err *err);
LINK_API int link_delete(struct link_session *s, int ifindex, struct base_err *err);
/* RTM_NEWLINK with IFLA_BOND_* options: makes a bond, or changes one. */
LINK_API int link_bond_create(struct link_session *s, const char *name,
                              const struct link_bond_opts *o, struct base_err *err);
LINK_API int link_bond_change(struct link_session *s, int ifindex, const struct link_bond_opts *o,
                              struct base_err *err);
/* Per-member options; LINK_UNKNOWN (queue) or INT32_MIN (prio) = leave alone. */
LINK_API int link_member_change(struct link_session *s, int ifindex, int queue_id, int32_t prio,
                                int actor_port_prio, struct base_err *err);

struct sockaddr;
/* ifindex of the device that the kernel routes `to` (AF_INET or AF_INET6) through; 0 = no route. */
LINK_API int link_route_device(struct link_session *s, const struct sockaddr *to);

#ifdef __cplusplus
}
#endif

#endif
