/* SPDX-License-Identifier: MIT */
/* mac.c - see mac.h.  Pure. */
#include "base/mac.h"

#include <string.h>

const char *base_mac_format(struct base_mac m, char text[static BASE_MAC_TEXT])
{
    static const char hex[] = "0123456789abcdef";
    for (int i = 0; i < 6; i++) {
        text[3 * i] = hex[m.b[i] >> 4];
        text[3 * i + 1] = hex[m.b[i] & 15];
        text[3 * i + 2] = i < 5 ? ':' : '\0';
    }
    return text;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool base_mac_parse(const char *s, struct base_mac *ret)
{
    struct base_mac m;
    for (int i = 0; i < 6; i++) {
        int hi = hex_digit(s[0]), lo = hi < 0 ? -1 : hex_digit(s[1]);
        if (lo < 0)
            return false;
        m.b[i] = (uint8_t)(hi << 4 | lo);
        if (i < 5 ? s[2] != ':' && s[2] != '-' : s[2] != '\0')
            return false;
        s += 3;
    }
    *ret = m;
    return true;
}

bool base_mac_is_zero(struct base_mac m)
{
    return base_mac_equal(m, (struct base_mac){ { 0 } });
}

bool base_mac_equal(struct base_mac a, struct base_mac b)
{
    return memcmp(a.b, b.b, sizeof(a.b)) == 0;
}
