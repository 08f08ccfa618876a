/* SPDX-License-Identifier: MIT */
/* mac.h - MAC addresses as six bytes. */
#ifndef BASE_MAC_H
#define BASE_MAC_H

#include <stdbool.h>
#include <stdint.h>

#define BASE_MAC_TEXT 18 /* "xx:xx:xx:xx:xx:xx" and NUL */

struct base_mac {
    uint8_t b[6];
};

/* Lower-case, colons.  Returns `text`. */
const char *base_mac_format(struct base_mac m, char text[static BASE_MAC_TEXT]);
/* Accepts colons or dashes, either case; the whole string must match.  False leaves *ret alone. */
bool base_mac_parse(const char *s, struct base_mac *ret);
bool base_mac_is_zero(struct base_mac m);
bool base_mac_equal(struct base_mac a, struct base_mac b);

#endif
