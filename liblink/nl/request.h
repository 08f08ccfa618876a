/* SPDX-License-Identifier: MIT */
/* request.h - building netlink requests and hearing the answer: acknowledgement, or a dump without holes.
 *
 * Knows the message frame only, no object.  Attribute payloads are in host order as the kernel wants them; the few
 * big-endian ones (addresses) are bytes. */
#ifndef NL_REQUEST_H
#define NL_REQUEST_H

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linkbase/err.h"
#include "transport.h"

#define NL_MSG_MAX   8192
#define NL_RECV_SIZE ((size_t)1 << 17) /* the kernel fills at most 32 KiB of it at a time */

struct nl_msg_buf {
    _Alignas(8) uint8_t b[NL_MSG_MAX];
    size_t n;
    bool bad; /* did not fit */
};

/* Starts a message; `fixed` is the family header (struct ifinfomsg ...), `len` bytes. */
void nl_begin(struct nl_msg_buf *m, uint16_t type, uint16_t flags, const void *fixed, size_t len);
void nl_put(struct nl_msg_buf *m, uint16_t attr, const void *p, size_t n);
void nl_put_u8(struct nl_msg_buf *m, uint16_t attr, uint8_t v);
void nl_put_u16(struct nl_msg_buf *m, uint16_t attr, uint16_t v);
void nl_put_u32(struct nl_msg_buf *m, uint16_t attr, uint32_t v);
void nl_put_str(struct nl_msg_buf *m, uint16_t attr, const char *s);
size_t nl_nest(struct nl_msg_buf *m, uint16_t attr); /* returns a mark for nl_nest_end */
void nl_nest_end(struct nl_msg_buf *m, size_t mark);

/* One attribute of a message, bounds already checked. */
struct nl_attr_view {
    uint16_t type; /* without the nested and byte-order flags */
    const uint8_t *p;
    size_t n;
};
/* Walks attributes in [p, p+n).  False at the end; sets *bad when what is left is no attribute. */
bool nl_next_attr(const uint8_t **p, size_t *n, struct nl_attr_view *ret, bool *bad);
uint8_t nl_u8(struct nl_attr_view a); /* 0 when too short; so for all */
uint16_t nl_u16(struct nl_attr_view a);
uint32_t nl_u32(struct nl_attr_view a);
uint64_t nl_u64(struct nl_attr_view a);
void nl_text(struct nl_attr_view a, char *to, size_t size); /* always terminated */

/* One object of a dump.  A non-zero return ends the dump with that value. */
typedef int (*nl_object_fn)(void *arg, const struct nlmsghdr *h, struct base_err *err);

struct nl_channel {
    struct nl_transport *t;
    uint32_t seq;
    uint8_t *buf; /* receive buffer */
};

int nl_channel_open(int protocol, struct nl_channel *ret, struct base_err *err);
void nl_channel_close(struct nl_channel *c);

/* Sends and waits for the acknowledgement.  The kernel's extended-ack text is part of the error message.
 * Errors: BASE_NOT_PERMITTED (not root), BASE_UNSUPPORTED (EOPNOTSUPP), BASE_NOT_FOUND (ENODEV), else BASE_FAILED;
 * err->sys is the errno. */
int nl_ack(struct nl_channel *c, struct nl_msg_buf *m, struct base_err *err);
/* Sends and hands the one answering object to `fn`. */
int nl_get(struct nl_channel *c, struct nl_msg_buf *m, nl_object_fn fn, void *arg,
           struct base_err *err);
/* Dumps.  When the kernel says that the dump was interrupted, or dropped parts of it, `restart` is called (to forget
 * what came so far) and the dump is asked for again, at most 10 times. */
int nl_dump_all(struct nl_channel *c, struct nl_msg_buf *m, nl_object_fn fn,
                void (*restart)(void *arg), void *arg, struct base_err *err);

#endif
