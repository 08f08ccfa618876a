/* SPDX-License-Identifier: MIT */
/* json.h - streaming JSON writer into a base_buf.
 *
 * Every value takes a key: NULL inside an array and for the document itself.  Strings are escaped; bytes that are not
 * UTF-8 become U+FFFD, so that a hostile page or interface name cannot break a reader.  Nesting is checked: an
 * end too many, a key in an array or none in an object, or a second document makes the buffer bad. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "linkbase/err.h"

#define BASE_JSON_DEPTH 24

struct base_json {
    struct base_buf *out;
    unsigned depth;
    bool comma;
    char open[BASE_JSON_DEPTH];
};

static inline struct base_json base_json_init(struct base_buf *out)
{
    return (struct base_json){ .out = out };
}

void base_json_obj(struct base_json *j, const char *key);
void base_json_arr(struct base_json *j, const char *key);
void base_json_end(struct base_json *j); /* closes the innermost object or array */
void base_json_str(struct base_json *j, const char *key, const char *s); /* NULL = null */
void base_json_strf(struct base_json *j, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void base_json_int(struct base_json *j, const char *key, int64_t v);
void base_json_uint(struct base_json *j, const char *key, uint64_t v);
void base_json_num(struct base_json *j, const char *key, double v); /* three decimals */
void base_json_bool(struct base_json *j, const char *key, bool v);
void base_json_null(struct base_json *j, const char *key);
void base_json_raw(struct base_json *j, const char *key, const char *json); /* trusted JSON text */

/* Opens a document {"schema":1,"kind":kind ...; close it with base_json_end. */
void base_json_doc(struct base_json *j, const char *kind);
/* Writes a whole document of kind "error". */
void base_json_err(struct base_json *j, const struct base_err *err);

#endif
