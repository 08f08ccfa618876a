/* SPDX-License-Identifier: MIT */
/* transport.h - the seam between netlink requests and a socket: one real transport, and scripted ones in tests. */
#ifndef NL_TRANSPORT_H
#define NL_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "linkbase/err.h"

struct nl_transport {
    /* Sends one message whole.  0 or a negative errno. */
    int (*send)(struct nl_transport *t, const void *msg, size_t n);
    /* Waits at most `ms` for one datagram, at most `n` bytes.  Its length, or a negative errno
     * (-ETIMEDOUT; -ENOBUFS when the kernel dropped some; -EMSGSIZE when it did not fit). */
    ssize_t (*recv)(struct nl_transport *t, void *buf, size_t n, int ms);
    void (*close)(struct nl_transport *t);
};

/* protocol: NETLINK_ROUTE or NETLINK_GENERIC.  groups: RTMGRP bits to join, 0 = none. */
int nl_transport_open(int protocol, uint32_t groups, struct nl_transport **ret,
                      struct base_err *err);
/* Its descriptor for poll(); -1 for a scripted transport. */
int nl_transport_fd(const struct nl_transport *t);

#endif
