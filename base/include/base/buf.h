/* SPDX-License-Identifier: MIT */
/* buf.h - a growing byte buffer with a cap.
 *
 * Sticky like base_rd: append everything, test `bad` once (out of memory or over `max`).  Always NUL-terminated when
 * p is not NULL.  Zeroed = empty with the default cap. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#define BASE_BUF_MAX ((size_t)64 << 20) /* cap when `max` is 0 */

struct base_buf {
    char *p;
    size_t n;   /* bytes used, without the NUL */
    size_t cap; /* bytes allocated */
    size_t max; /* most bytes it may hold; 0 = BASE_BUF_MAX */
    bool bad;
};

void base_buf_add(struct base_buf *b, const void *p, size_t n);
void base_buf_str(struct base_buf *b, const char *s);
void base_buf_chr(struct base_buf *b, char c);
void base_buf_printf(struct base_buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void base_buf_vprintf(struct base_buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
void base_buf_clear(struct base_buf *b); /* keeps the memory */
void base_buf_done(struct base_buf *b);  /* frees; b is zeroed but for `max` */
char *base_buf_take(struct base_buf *b); /* the text, owned by the caller (free); NULL when bad */

#endif
