/* SPDX-License-Identifier: MIT */
/* buf.c - see buf.h. */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(struct base_buf *b, size_t more)
{
    size_t max = b->max ? b->max : BASE_BUF_MAX, cap = b->cap ? b->cap : 256;
    char *p;
    if (b->bad || more > max || b->n > max - more) {
        b->bad = true;
        return false;
    }
    if (b->n + more + 1 <= b->cap)
        return true;
    while (cap < b->n + more + 1)
        cap *= 2;
    p = realloc(b->p, cap);
    if (!p) {
        b->bad = true;
        return false;
    }
    b->p = p;
    b->cap = cap;
    return true;
}

void base_buf_add(struct base_buf *b, const void *p, size_t n)
{
    if (!grow(b, n))
        return;
    if (n)
        memcpy(b->p + b->n, p, n);
    b->n += n;
    b->p[b->n] = '\0';
}

void base_buf_str(struct base_buf *b, const char *s)
{
    base_buf_add(b, s, strlen(s));
}

void base_buf_chr(struct base_buf *b, char c)
{
    base_buf_add(b, &c, 1);
}

void base_buf_vprintf(struct base_buf *b, const char *fmt, va_list ap)
{
    va_list again;
    int n;
    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0)
        b->bad = true;
    else if (grow(b, (size_t)n)) {
        (void)vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
        b->n += (size_t)n;
    }
    va_end(again);
}

void base_buf_printf(struct base_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    base_buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void base_buf_clear(struct base_buf *b)
{
    b->n = 0;
    b->bad = false;
    if (b->p)
        b->p[0] = '\0';
}

void base_buf_done(struct base_buf *b)
{
    free(b->p);
    *b = (struct base_buf){ .max = b->max };
}

char *base_buf_take(struct base_buf *b)
{
    char *p;
    if (!b->bad)
        base_buf_add(b, "", 0); /* an empty buffer gives "", not NULL */
    p = b->bad ? NULL : b->p;
    if (p)
        b->p = NULL;
    base_buf_done(b);
    return p;
}
