/* SPDX-License-Identifier: MIT */
/* undo.h - liblink's undo records: what a keeper or a later run needs to put this host back.
 *
 * Four kinds, each idempotent: "ports" (devices shall have this master and admin state), "bond" (a snapshot: the bond shall be as recorded), "mtu" (devices shall have these
 * MTUs), "absent" (a bond made by the change shall not be there). */
#ifndef LINK_UNDO_H
#define LINK_UNDO_H

#include "link/mtu.h"
#include "link/snapshot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Record of the master and admin state of the named devices, owned by the caller (free). */
LINK_API int link_undo_ports_json(const struct link_state *st, const char *const *names, size_t n,
                                  char **ret, struct base_err *err);
/* Text of an undo record, owned by the caller (free).  For "bond" use link_snapshot_json. */
LINK_API int link_undo_mtu_json(const struct link_mtu_plan *plan, char **ret, struct base_err *err);

/* Takes one record back.  They open a session of their own: the caller may be a keeper.  `ctx` is not used; it makes them
 * fit a table of undo handlers. */
LINK_API int link_undo_bond(void *ctx, const char *data, size_t n, struct base_err *err);
LINK_API int link_undo_mtu(void *ctx, const char *data, size_t n, struct base_err *err);
LINK_API int link_undo_ports(void *ctx, const char *data, size_t n, struct base_err *err);
LINK_API int link_undo_absent(void *ctx, const char *data, size_t n,
                              struct base_err *err); /* data: the name */

#ifdef __cplusplus
}
#endif

#endif
