/* SPDX-License-Identifier: MIT */
/* bytes.c - see bytes.h.  Pure. */
#include "base/bytes.h"

#include <string.h>

static const uint8_t *take(struct base_rd *r, size_t n)
{
    const uint8_t *p = r->p;
    if (r->bad || r->left < n) {
        r->bad = true;
        return NULL;
    }
    r->p += n;
    r->left -= n;
    return p;
}

uint8_t base_rd_u8(struct base_rd *r)
{
    const uint8_t *p = take(r, 1);
    return p ? p[0] : 0;
}

uint16_t base_rd_be16(struct base_rd *r)
{
    const uint8_t *p = take(r, 2);
    return p ? (uint16_t)((unsigned)p[0] << 8 | p[1]) : 0;
}

uint32_t base_rd_be32(struct base_rd *r)
{
    const uint8_t *p = take(r, 4);
    return p ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3] : 0;
}

void base_rd_bytes(struct base_rd *r, void *out, size_t n)
{
    const uint8_t *p = take(r, n);
    if (p)
        memcpy(out, p, n);
    else
        memset(out, 0, n);
}

void base_rd_skip(struct base_rd *r, size_t n)
{
    (void)take(r, n);
}

static uint8_t *room(struct base_wr *w, size_t n)
{
    uint8_t *p = w->p;
    if (w->bad || w->left < n) {
        w->bad = true;
        return NULL;
    }
    w->p += n;
    w->left -= n;
    return p;
}

void base_wr_u8(struct base_wr *w, uint8_t v)
{
    base_wr_bytes(w, &v, 1);
}

void base_wr_be16(struct base_wr *w, uint16_t v)
{
    const uint8_t b[2] = { (uint8_t)(v >> 8), (uint8_t)v };
    base_wr_bytes(w, b, sizeof(b));
}

void base_wr_be32(struct base_wr *w, uint32_t v)
{
    const uint8_t b[4] = { (uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v };
    base_wr_bytes(w, b, sizeof(b));
}

void base_wr_bytes(struct base_wr *w, const void *in, size_t n)
{
    uint8_t *p = room(w, n);
    if (p)
        memcpy(p, in, n);
}

void base_wr_zero(struct base_wr *w, size_t n)
{
    uint8_t *p = room(w, n);
    if (p)
        memset(p, 0, n);
}

uint32_t base_inet_sum(const void *p, size_t n, uint32_t seed)
{
    const uint8_t *b = p;
    uint64_t sum = seed;
    size_t i;
    for (i = 0; i + 1 < n; i += 2)
        sum += (uint32_t)(b[i] << 8 | b[i + 1]);
    if (i < n)
        sum += (uint32_t)(b[i] << 8);
    while (sum >> 32)
        sum = (sum & 0xffffffff) + (sum >> 32);
    return (uint32_t)sum;
}

uint16_t base_inet_fold(uint32_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}
