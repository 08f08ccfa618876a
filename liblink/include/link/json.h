/* SPDX-License-Identifier: MIT */
/* json.h - link_state as the JSON document "link-state". */
#ifndef LINK_JSON_H
#define LINK_JSON_H

#include "link/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes {"schema":1,"kind":"link-state","interfaces":[...]} into a new string.
 * only: names to keep (with n_only 0 = all).  Read-only facts are included; unknown = null.
 * *ret is owned by the caller (free).  Errors: BASE_NO_MEMORY. */
LINK_API int link_state_json(const struct link_state *st, const char *const *only, size_t n_only,
                             char **ret, struct base_err *err);

#ifdef __cplusplus
}
#endif

#endif
