/* SPDX-License-Identifier: MIT */
/* bytes.h - bounded reading and writing of wire bytes.
 *
 * A reader is sticky: read everything, then test `bad` once.  Values come out in host order; wire order exists only in
 * the bytes themselves.  Nothing here allocates. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_rd {
    const uint8_t *p;
    size_t left;
    bool bad;
};

struct base_wr {
    uint8_t *p;
    size_t left;
    bool bad;
};

static inline struct base_rd base_rd_init(const void *p, size_t n)
{
    return (struct base_rd){ .p = p, .left = n, .bad = false };
}

static inline struct base_wr base_wr_init(void *p, size_t n)
{
    return (struct base_wr){ .p = p, .left = n, .bad = false };
}

uint8_t base_rd_u8(struct base_rd *r); /* 0 and bad when short; so for all of these */
uint16_t base_rd_be16(struct base_rd *r);
uint32_t base_rd_be32(struct base_rd *r);
void base_rd_bytes(struct base_rd *r, void *out, size_t n); /* zeroes `out` when short */
void base_rd_skip(struct base_rd *r, size_t n);

void base_wr_u8(struct base_wr *w, uint8_t v);
void base_wr_be16(struct base_wr *w, uint16_t v);
void base_wr_be32(struct base_wr *w, uint32_t v);
void base_wr_bytes(struct base_wr *w, const void *in, size_t n);
void base_wr_zero(struct base_wr *w, size_t n);

/* The Internet checksum (RFC 1071) over `n` bytes, added to the running sum `seed`; finish with ~. */
uint32_t base_inet_sum(const void *p, size_t n, uint32_t seed);
uint16_t base_inet_fold(uint32_t sum); /* the complement, in host order, ready for base_wr_be16 */

#endif
