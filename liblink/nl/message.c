/* SPDX-License-Identifier: MIT */
/* message.c - netlink messages as bytes: writing with a bound, walking attributes without trust.  Pure. */
#include "request.h"

#include <string.h>

static void *grow(struct nl_msg_buf *m, size_t n)
{
    size_t padded = (n + 3) & ~(size_t)3;
    uint8_t *p = m->b + m->n;
    if (m->bad || sizeof(m->b) - m->n < padded) {
        m->bad = true;
        return NULL;
    }
    memset(p, 0, padded);
    m->n += padded;
    ((struct nlmsghdr *)(void *)m->b)->nlmsg_len = (uint32_t)m->n;
    return p;
}

void nl_begin(struct nl_msg_buf *m, uint16_t type, uint16_t flags, const void *fixed, size_t len)
{
    struct nlmsghdr *h = (struct nlmsghdr *)(void *)m->b;
    void *p;
    m->n = 0;
    m->bad = false;
    (void)grow(m, sizeof(*h));
    h->nlmsg_type = type;
    h->nlmsg_flags = flags;
    p = grow(m, len);
    if (p)
        memcpy(p, fixed, len);
}

void nl_put(struct nl_msg_buf *m, uint16_t attr, const void *data, size_t n)
{
    struct nlattr a = { .nla_len = (uint16_t)(sizeof(a) + n), .nla_type = attr };
    uint8_t *p = n > UINT16_MAX - sizeof(a) ? NULL : grow(m, sizeof(a) + n);
    if (!p) {
        m->bad = true;
        return;
    }
    memcpy(p, &a, sizeof(a));
    if (n)
        memcpy(p + sizeof(a), data, n);
}

void nl_put_u8(struct nl_msg_buf *m, uint16_t attr, uint8_t v)
{
    nl_put(m, attr, &v, sizeof(v));
}

void nl_put_u16(struct nl_msg_buf *m, uint16_t attr, uint16_t v)
{
    nl_put(m, attr, &v, sizeof(v));
}

void nl_put_u32(struct nl_msg_buf *m, uint16_t attr, uint32_t v)
{
    nl_put(m, attr, &v, sizeof(v));
}

void nl_put_str(struct nl_msg_buf *m, uint16_t attr, const char *s)
{
    nl_put(m, attr, s, strlen(s) + 1);
}

size_t nl_nest(struct nl_msg_buf *m, uint16_t attr)
{
    size_t mark = m->n;
    nl_put(m, attr | NLA_F_NESTED, NULL, 0);
    return mark;
}

void nl_nest_end(struct nl_msg_buf *m, size_t mark)
{
    uint16_t len = (uint16_t)(m->n - mark);
    if (!m->bad)
        memcpy(m->b + mark, &len, sizeof(len));
}

bool nl_next_attr(const uint8_t **p, size_t *n, struct nl_attr_view *ret, bool *bad)
{
    struct nlattr a;
    size_t step;
    if (*n == 0)
        return false;
    if (*n < sizeof(a)) {
        *bad = true;
        return false;
    }
    memcpy(&a, *p, sizeof(a));
    if (a.nla_len < sizeof(a) || a.nla_len > *n) {
        *bad = true;
        return false;
    }
    *ret = (struct nl_attr_view){
        .type = (uint16_t)(a.nla_type & 0x3fff), /* without NLA_F_NESTED, NLA_F_NET_BYTEORDER */
        .p = *p + sizeof(a),
        .n = a.nla_len - sizeof(a)
    };
    step = ((size_t)a.nla_len + 3) & ~(size_t)3;
    if (step > *n)
        step = *n;
    *p += step;
    *n -= step;
    return true;
}

uint8_t nl_u8(struct nl_attr_view a)
{
    return a.n >= 1 ? a.p[0] : 0;
}

uint16_t nl_u16(struct nl_attr_view a)
{
    uint16_t v = 0;
    if (a.n >= sizeof(v))
        memcpy(&v, a.p, sizeof(v));
    return v;
}

uint32_t nl_u32(struct nl_attr_view a)
{
    uint32_t v = 0;
    if (a.n >= sizeof(v))
        memcpy(&v, a.p, sizeof(v));
    return v;
}

uint64_t nl_u64(struct nl_attr_view a)
{
    uint64_t v = 0;
    if (a.n >= sizeof(v))
        memcpy(&v, a.p, sizeof(v));
    return v;
}

void nl_text(struct nl_attr_view a, char *to, size_t size)
{
    size_t n = a.n < size - 1 ? a.n : size - 1;
    memcpy(to, a.p, n);
    to[n] = '\0';
}
