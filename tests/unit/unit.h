/* SPDX-License-Identifier: MIT */
/* unit.h - what every unit test includes: cmocka, a seeded generator, and inputs that are cut off and flipped. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linkbase/err.h"

/* The seed is printed; UNIT_SEED=N runs the same again. */
static inline uint64_t unit_seed(void)
{
    const char *given = getenv("UNIT_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : 20260101;
    printf("UNIT_SEED=%llu\n", (unsigned long long)seed);
    return seed * 2 + 1;
}

/* xorshift64* */
static inline uint64_t unit_random(uint64_t *s)
{
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * 2685821657736338717u;
}

/* Calls fn with copies of `p` that are exactly as large as they claim, so that a byte read behind them is found: every
 * length, then one bit flipped (every bit up to `flips`, else `flips` of them by chance). */
static inline void unit_mangle(const void *p, size_t n, size_t flips,
                               void (*fn)(const uint8_t *p, size_t n, bool cut))
{
    uint64_t seed = unit_seed();
    uint8_t *copy;
    for (size_t k = 0; k < n; k++) {
        copy = malloc(k ? k : 1);
        assert_non_null(copy);
        memcpy(copy, p, k);
        fn(copy, k, true);
        free(copy);
    }
    for (size_t i = 0; i < (n * 8 < flips ? n * 8 : flips); i++) {
        size_t bit = n * 8 <= flips ? i : unit_random(&seed) % (n * 8);
        copy = malloc(n);
        assert_non_null(copy);
        memcpy(copy, p, n);
        copy[bit / 8] = (uint8_t)(copy[bit / 8] ^ 1u << bit % 8);
        fn(copy, n, false);
        free(copy);
    }
}

#define UNIT_TESTS(...)                                                                            \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = { __VA_ARGS__ };                                         \
        return cmocka_run_group_tests(tests, NULL, NULL);                                          \
    }
#define T(f) cmocka_unit_test(f)

#endif
