/* SPDX-License-Identifier: MIT */
/* bond_opts.h - every option of the Linux bonding driver, as values (kernel 6.1's, and newer ones by number).
 *
 * One const table (liblink/model/bond_opts.c) gives each option its kernel attribute, names, range, modes and first
 * kernel; encoding, decoding, JSON, help and the pre-checks are all driven by it.
 * Source: include/uapi/linux/if_link.h, drivers/net/bonding/bond_options.c, Documentation/networking/bonding.rst. */
#ifndef LINK_BOND_OPTS_H
#define LINK_BOND_OPTS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "link/api.h"
#include "linkbase/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum link_bond_mode {
    LINK_BOND_BALANCE_RR,
    LINK_BOND_ACTIVE_BACKUP,
    LINK_BOND_BALANCE_XOR,
    LINK_BOND_BROADCAST,
    LINK_BOND_8023AD,
    LINK_BOND_BALANCE_TLB,
    LINK_BOND_BALANCE_ALB,
    LINK_BOND_MODES
};

enum link_bond_opt {
    LINK_BOND_MODE,
    LINK_BOND_ACTIVE_MEMBER, /* interface */
    LINK_BOND_MIIMON,
    LINK_BOND_UPDELAY,
    LINK_BOND_DOWNDELAY,
    LINK_BOND_USE_CARRIER,
    LINK_BOND_ARP_INTERVAL,
    LINK_BOND_ARP_IP_TARGET, /* list */
    LINK_BOND_ARP_VALIDATE,
    LINK_BOND_ARP_ALL_TARGETS,
    LINK_BOND_PRIMARY, /* interface */
    LINK_BOND_PRIMARY_RESELECT,
    LINK_BOND_FAIL_OVER_MAC,
    LINK_BOND_XMIT_HASH_POLICY,
    LINK_BOND_RESEND_IGMP,
    LINK_BOND_NUM_PEER_NOTIF,
    LINK_BOND_ALL_MEMBERS_ACTIVE,
    LINK_BOND_MIN_LINKS,
    LINK_BOND_LP_INTERVAL,
    LINK_BOND_PACKETS_PER_MEMBER,
    LINK_BOND_LACP_RATE,
    LINK_BOND_AD_SELECT,
    LINK_BOND_AD_ACTOR_SYS_PRIO,
    LINK_BOND_AD_USER_PORT_KEY,
    LINK_BOND_AD_ACTOR_SYSTEM, /* MAC */
    LINK_BOND_TLB_DYNAMIC_LB,
    LINK_BOND_PEER_NOTIF_DELAY,
    LINK_BOND_LACP_ACTIVE,
    LINK_BOND_MISSED_MAX,
    LINK_BOND_NS_IP6_TARGET,   /* list */
    LINK_BOND_COUPLED_CONTROL, /* since 6.9 */
    LINK_BOND_BROADCAST_NEIGH, /* since 6.17 */
    LINK_BOND_OPTS
};

#define LINK_BOND_TARGETS 16 /* BOND_MAX_ARP_TARGETS, BOND_MAX_NS_TARGETS */

/* A set of option values: what the kernel reports, or what a request asks for.  Only options whose bit is in
 * `present` count.  Scalars are in `num` (interfaces as ifindex, MACs as 48-bit numbers, times in ms, lp_interval in s). */
struct link_bond_opts {
    uint64_t present;
    uint64_t num[LINK_BOND_OPTS];
    unsigned n_arp_ip, n_ns_ip6;
    struct in_addr arp_ip[LINK_BOND_TARGETS];
    struct in6_addr ns_ip6[LINK_BOND_TARGETS];
};

enum link_value {
    LINK_NUMBER,
    LINK_NAMES, /* a word from a list */
    LINK_DEVICE,
    LINK_MAC,
    LINK_IP4S,
    LINK_IP6S
};

struct link_bond_opt_info {
    const char *name; /* command line: the kernel's name with dashes */
    const char *json; /* JSON key, unit in the name */
    const char *help;
    enum link_value type;
    const char *const *names; /* for LINK_NAMES, in kernel order, ends with NULL */
    uint64_t min, max;
    uint16_t attr;        /* IFLA_BOND_* */
    uint8_t width;        /* bytes on the wire: 1, 2, 4, or 6 */
    uint8_t modes;        /* bit per mode in which the kernel takes it */
    bool needs_down;      /* refused while the bond is up */
    bool needs_empty;     /* refused while it has members */
    uint8_t major, minor; /* first kernel; 0.0 = older than 4.19 */
};

static inline bool link_bond_has(const struct link_bond_opts *o, enum link_bond_opt opt)
{
    return (o->present >> opt & 1) != 0;
}

static inline void link_bond_put(struct link_bond_opts *o, enum link_bond_opt opt, uint64_t v)
{
    o->present |= (uint64_t)1 << opt;
    o->num[opt] = v;
}

/* Table row of an option; never NULL for opt < LINK_BOND_OPTS. */
LINK_API const struct link_bond_opt_info *link_bond_opt_info(enum link_bond_opt opt);
/* Name of a mode, "802.3ad"; NULL for an unknown number. */
LINK_API const char *link_bond_mode_name(uint64_t mode);
/* A kernel name, a number 0-6, "lacp" (802.3ad) or "static" (balance-xor).  Errors: BASE_USAGE listing the modes. */
LINK_API int link_bond_mode_parse(const char *text, uint64_t *ret, struct base_err *err);
/* Text of one value other than an interface ("layer3+4", "100", "192.0.2.1,192.0.2.2"). */
LINK_API void link_bond_opt_format(const struct link_bond_opts *o, enum link_bond_opt opt,
                                   char *text, size_t size);
/* Parses text into *o (words, numbers, MACs, comma lists).  Interfaces are not parsed here.
 * Errors: BASE_USAGE, naming the option and what it takes. */
LINK_API int link_bond_opt_parse(struct link_bond_opts *o, enum link_bond_opt opt, const char *text,
                                 struct base_err *err);
/* What the kernel would refuse, found before sending: options that the mode does not have, arp against miimon.
 * `mode` is the mode the bond will have.  Errors: BASE_USAGE, naming option and mode. */
LINK_API int link_bond_opts_check(const struct link_bond_opts *o, uint64_t mode,
                                  struct base_err *err);

#ifdef __cplusplus
}
#endif

#endif
