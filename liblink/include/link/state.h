/* SPDX-License-Identifier: MIT */
/* state.h - what this host's network looks like, as plain values.
 *
 * A link_state is one dump of the kernel: interfaces in ifindex order, each with what its kind adds.  Unknown numbers
 * are 0 or LINK_UNKNOWN and become null in JSON.  MTUs are L3 bytes, speeds Mb/s. */
#ifndef LINK_STATE_H
#define LINK_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/api.h"
#include "link/bond_opts.h"
#include "linkbase/err.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LINK_NAME_SIZE 16 /* IFNAMSIZ: 15 characters and NUL */
#define LINK_UNKNOWN   (-1)

/* LACP port state bits (802.1AX-2014 6.4.2.3). */
enum link_lacp_bit {
    LINK_LACP_ACTIVITY = 0x01,
    LINK_LACP_TIMEOUT = 0x02,
    LINK_LACP_AGGREGATION = 0x04,
    LINK_LACP_SYNCHRONIZATION = 0x08,
    LINK_LACP_COLLECTING = 0x10,
    LINK_LACP_DISTRIBUTING = 0x20,
    LINK_LACP_DEFAULTED = 0x40,
    LINK_LACP_EXPIRED = 0x80
};

enum link_duplex { LINK_DUPLEX_UNKNOWN, LINK_DUPLEX_HALF, LINK_DUPLEX_FULL };

struct link_lacp {
    unsigned aggregator_id, ports, actor_key, partner_key;
    uint8_t partner_mac[6];
};

struct link_bond {
    struct link_bond_opts opts;
    bool has_lacp; /* 802.3ad and the kernel said which aggregator is active */
    struct link_lacp lacp;
};

struct link_member { /* IFLA_BOND_SLAVE_* */
    bool active;     /* state "active", else "backup" */
    bool mii_up;
    uint32_t link_failures;
    uint8_t perm_mac[6];
    unsigned queue_id;
    int32_t prio;
    int position;      /* in join order from 0; LINK_UNKNOWN when not told */
    int aggregator_id; /* LINK_UNKNOWN outside 802.3ad */
    int actor_state, partner_state;
    int actor_port_prio; /* LINK_UNKNOWN before kernel 6.18 */
    int actor_churn,
        partner_churn; /* 0 churn, 1 monitoring, 2 none; LINK_UNKNOWN before kernel 7.0 */
};

struct link_vlan {
    unsigned id, protocol; /* protocol: ethertype, 0x8100 or 0x88a8 */
};

struct link_bridge {
    int stp, vlan_filtering; /* LINK_UNKNOWN when not told */
};

struct link_counters { /* from the dump when asked for (LINK_WITH_COUNTERS) */
    bool known;
    uint64_t rx_packets, tx_packets, rx_bytes, tx_bytes, rx_dropped, rx_errors, tx_errors,
        tx_dropped, rx_nohandler;
};

struct link_iface {
    int ifindex;
    char name[LINK_NAME_SIZE];
    char kind[16];        /* "bond", "vlan", "veth" ...; "" = a physical or unknown device */
    char driver[32];      /* "" = unknown */
    char member_kind[16]; /* kind of the master: "bond", "bridge", "team"; "" = none */
    unsigned type;        /* ARPHRD_* */
    uint32_t flags;       /* IFF_* */
    uint32_t mtu, min_mtu, max_mtu; /* max 0 = the driver states none */
    uint8_t mac[6], perm_mac[6];
    bool has_perm_mac;
    int carrier;    /* 1, 0, or LINK_UNKNOWN */
    unsigned oper;  /* RFC 2863 number as in IFLA_OPERSTATE */
    int speed_mbps; /* LINK_UNKNOWN */
    enum link_duplex duplex;
    int master;      /* ifindex, 0 = none */
    int lower;       /* ifindex of the device below (VLAN parent, veth peer), 0 = none */
    int lower_netns; /* id when `lower` lives in another namespace, LINK_UNKNOWN = here */
    bool is_bond, is_member, is_vlan, is_bridge;
    struct link_bond bond;
    struct link_member member;
    struct link_vlan vlan;
    struct link_bridge bridge;
    struct link_counters counters;
};

struct link_state {
    struct link_iface *v;
    size_t n, cap;
};

LINK_API void link_state_done(struct link_state *st);
/* Borrowed; NULL when there is none. */
LINK_API const struct link_iface *link_find(const struct link_state *st, const char *name);
LINK_API const struct link_iface *link_find_index(const struct link_state *st, int ifindex);
/* Members of a master in join order as far as the kernel tells (ifindex order otherwise).
 * Returns the number of members; at most `cap` are written. */
LINK_API size_t link_members(const struct link_state *st, int master, const struct link_iface **ret,
                             size_t cap);
/* Words for `oper`: "up", "down", "dormant" ... */
LINK_API const char *link_oper_name(unsigned oper);
/* As link_find, with an error that suggests the nearest name.  Errors: BASE_NOT_FOUND. */
LINK_API int link_need(const struct link_state *st, const char *name, const struct link_iface **ret,
                       struct base_err *err);
/* A name that the kernel would take: 1-15 bytes, no '/', no blank, not "." or "..".  Errors: BASE_USAGE. */
LINK_API int link_name_check(const char *name, struct base_err *err);

#ifdef __cplusplus
}
#endif

#endif
