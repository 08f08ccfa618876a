/* SPDX-License-Identifier: MIT */
/* transport.c - the one file that touches a netlink socket (libnl-3's). */
#define _GNU_SOURCE
#include "transport.h"
#include "request.h"

#include <errno.h>
#include <linux/netlink.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#ifndef NETLINK_GET_STRICT_CHK
#define NETLINK_GET_STRICT_CHK 12
#endif

struct real {
    struct nl_transport base;
    struct nl_sock *sock;
};

static struct real *real_of(struct nl_transport *t)
{
    return (struct real *)t;
}

static int real_send(struct nl_transport *t, const void *msg, size_t n)
{
    struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
    ssize_t k;
    do
        k = sendto(nl_socket_get_fd(real_of(t)->sock), msg, n, 0, (struct sockaddr *)&kernel,
                   sizeof(kernel));
    while (k < 0 && errno == EINTR);
    return k < 0 ? -errno : 0;
}

static ssize_t real_recv(struct nl_transport *t, void *buf, size_t n, int ms)
{
    int fd = nl_socket_get_fd(real_of(t)->sock);
    struct sockaddr_nl from = { 0 };
    struct iovec iov = { .iov_base = buf, .iov_len = n };
    struct msghdr mh = {
        .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1
    };
    for (;;) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        ssize_t k = recvmsg(fd, &mh, MSG_DONTWAIT);
        if (k >= 0 && (mh.msg_flags & MSG_TRUNC))
            return -EMSGSIZE;
        if (k >= 0 && from.nl_pid == 0)
            return k;
        if (k >= 0) /* not from the kernel: ignore */
            continue;
        if (errno != EAGAIN && errno != EINTR)
            return -errno;
        k = poll(&p, 1, ms);
        if (k == 0)
            return -ETIMEDOUT;
        if (k < 0 && errno != EINTR)
            return -errno;
    }
}

static void real_close(struct nl_transport *t)
{
    nl_socket_free(real_of(t)->sock);
    free(t);
}

int nl_transport_open(int protocol, uint32_t groups, struct nl_transport **ret,
                      struct base_err *err)
{
    struct real *r = calloc(1, sizeof(*r));
    int rc, one = 1;
    if (r)
        r->sock = nl_socket_alloc();
    if (!r || !r->sock) {
        free(r);
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    }
    r->base = (struct nl_transport){ .send = real_send, .recv = real_recv, .close = real_close };
    nl_join_groups(r->sock, (int)groups);
    rc = nl_connect(r->sock, protocol);
    if (rc < 0) {
        rc = base_err_set(err, BASE_FAILED, "cannot open a netlink socket: %s", nl_geterror(rc));
        real_close(&r->base);
        return rc;
    }
    /* Best effort: an old kernel lacks some of these, and then messages are merely less helpful. */
    (void)setsockopt(nl_socket_get_fd(r->sock), SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
    (void)setsockopt(nl_socket_get_fd(r->sock), SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
    (void)setsockopt(nl_socket_get_fd(r->sock), SOL_NETLINK, NETLINK_GET_STRICT_CHK, &one,
                     sizeof(one));
    (void)nl_socket_set_buffer_size(r->sock, groups ? 8 << 20 : 1 << 20, 0);
    *ret = &r->base;
    return 0;
}

int nl_transport_fd(const struct nl_transport *t)
{
    return t->close == real_close ? nl_socket_get_fd(((const struct real *)t)->sock) : -1;
}

int nl_channel_open(int protocol, struct nl_channel *ret, struct base_err *err)
{
    int rc;
    *ret = (struct nl_channel){ .buf = malloc(NL_RECV_SIZE) };
    if (!ret->buf)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    rc = nl_transport_open(protocol, 0, &ret->t, err);
    if (rc)
        nl_channel_close(ret);
    return rc;
}
