/* SPDX-License-Identifier: MIT */
/* snapshot.h - all that a bond's rebuild would lose, recorded before, put back after.
 *
 * The kernel changes a bond's mode only while it is down and empty.  Going down costs routes, static IPv6 addresses and
 * permanent neighbours; being empty costs the MAC address, join order and per-member options.  A snapshot keeps all of
 * it as the kernel's own messages (bond, members in join order, devices on top, addresses, nexthops, routes, permanent
 * neighbours, rules), so nothing is lost in translation; it travels as JSON in the journal.
 * Source: drivers/net/bonding/bond_main.c, net/ipv4/fib_frontend.c, net/ipv6/addrconf.c, net/core/neighbour.c. */
#ifndef LINK_SNAPSHOT_H
#define LINK_SNAPSHOT_H

#include "link/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct link_snapshot;

/* Records bond `name` and what depends on it.  Errors: BASE_NOT_FOUND, BASE_USAGE (not a bond). */
LINK_API int link_snapshot_take(struct link_session *s, const char *name,
                                struct link_snapshot **ret, struct base_err *err);
LINK_API void link_snapshot_free(struct link_snapshot *snap); /* NULL is fine */
/* JSON text of it, owned by the caller (free), and back.  Errors of parse: BASE_MALFORMED. */
LINK_API int link_snapshot_json(const struct link_snapshot *snap, char **ret, struct base_err *err);
LINK_API int link_snapshot_parse(const char *text, size_t n, struct link_snapshot **ret,
                                 struct base_err *err);
/* The recorded bond, and its members in join order. */
LINK_API const struct link_iface *link_snapshot_bond(const struct link_snapshot *snap);
LINK_API size_t link_snapshot_members(const struct link_snapshot *snap,
                                      const struct link_iface *const **ret);

struct link_rebuild {
    const struct link_bond_opts
        *want;            /* options that shall differ from the snapshot's; NULL = as it was */
    const char *only_leg; /* leave every other member down; NULL = each as it was */
    bool needed;          /* out: something was changed */
};

/* Makes the bond what the snapshot (and `want`) say: releases, sets down, sets options, joins in order, same MAC, up,
 * puts back addresses, routes, neighbours and rules, announces, and verifies each by reading again.
 * Idempotent: what is right already is left alone, so it is both the change and its undo.
 * Errors: BASE_FAILED naming what could not be made or is missing after; the kernel's words. */
LINK_API int link_bond_rebuild(struct link_session *s, const struct link_snapshot *snap,
                               struct link_rebuild *how, struct base_err *err);

#ifdef __cplusplus
}
#endif

#endif
