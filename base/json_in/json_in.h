/* SPDX-License-Identifier: MIT */
/* json_in.h - reading JSON; the only place that knows cJSON.
 *
 * Nodes are borrowed from their document.  Every getter tells absent (`false` / NULL) from a wrong type, which is an
 * error that names the path.  Numbers are doubles: integers up to 53 bits. */
#ifndef BASE_JSON_IN_H
#define BASE_JSON_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linkbase/err.h"

struct json_doc;  /* owns the tree */
struct json_node; /* one value, borrowed */

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Parses `n` bytes.  `//` and C comments are allowed.  At most 64 MiB and 1000 levels.
 * Errors: BASE_MALFORMED with line and column in `where`. */
int json_parse(const char *text, size_t n, struct json_doc **ret, struct base_err *err);
void json_free(struct json_doc *doc);
const struct json_node *json_root(const struct json_doc *doc);

enum json_type json_type(const struct json_node *v);
const struct json_node *json_get(const struct json_node *obj, const char *key); /* NULL: absent */
const struct json_node *json_first(const struct json_node *container);          /* NULL: empty */
const struct json_node *json_next(const struct json_node *v);
const char *json_key(const struct json_node *v); /* key of an object's member, else NULL */

/* NULL or a default when absent, null or of another type. */
const char *json_str(const struct json_node *obj, const char *key);
bool json_flag(const struct json_node *obj, const char *key, bool otherwise);
bool json_num(const struct json_node *obj, const char *key,
              int64_t *ret);                      /* false: no integer there */
const char *json_text(const struct json_node *v); /* a string's text, else NULL */
bool json_int(const struct json_node *v, int64_t *ret);
bool json_bool(const struct json_node *v);

/* The "kind" of one of our documents, NULL when it has none. */
const char *json_kind(const struct json_doc *doc);

#endif
