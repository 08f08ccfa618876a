/* SPDX-License-Identifier: MIT */
/* mtu_probe.c - the exact MTU edge of a path, by ICMP echo with DF, many sizes per round.
 *
 * IP_PMTUDISC_PROBE sets DF and ignores the kernel's path MTU cache, so old news cannot hide the truth.  A size counts
 * as lost only after several tries, while the smallest size keeps answering: loss is told from size. */
#define _GNU_SOURCE
#include "link/mtu.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/errqueue.h>

#include "base/bytes.h"
#include "os.h"

#define FAN       16
#define ICMP_HEAD 8

struct probe {
    int fd;
    bool v6;
    uint16_t id, seq;
    unsigned wait_ms, count;
    const struct link_probe_opts *o;
    struct link_probe_result *r;
    uint8_t packet[65536];
};

static unsigned ip_head(const struct probe *p)
{
    return p->v6 ? 40 : 20;
}

static int socket_error(struct base_err *err, const char *what)
{
    int rc =
        base_err_sys(err, errno == EPERM || errno == EACCES ? BASE_NOT_PERMITTED : BASE_UNREACHABLE,
                     errno, "%s", what);
    if (errno == EPERM)
        base_err_hint(err, "run it as root, or give it CAP_NET_RAW");
    return rc;
}

static int open_probe(struct probe *p, struct base_err *err)
{
    int on = 1, how = p->v6 ? IPV6_PMTUDISC_PROBE : IP_PMTUDISC_PROBE;
    p->fd = socket(p->v6 ? AF_INET6 : AF_INET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
                   p->v6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP);
    if (p->fd < 0)
        return socket_error(err, "cannot open a raw socket");
    if (p->o->dev &&
        setsockopt(p->fd, SOL_SOCKET, SO_BINDTODEVICE, p->o->dev, (socklen_t)strlen(p->o->dev) + 1))
        return socket_error(err, "cannot send through that device");
    if (p->v6) {
        (void)setsockopt(p->fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &how, sizeof(how));
        (void)setsockopt(p->fd, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof(on));
    } else {
        (void)setsockopt(p->fd, IPPROTO_IP, IP_MTU_DISCOVER, &how, sizeof(how));
        (void)setsockopt(p->fd, IPPROTO_IP, IP_RECVERR, &on, sizeof(on));
    }
    on = 4 << 20;
    (void)setsockopt(p->fd, SOL_SOCKET, SO_SNDBUF, &on, sizeof(on));
    (void)setsockopt(p->fd, SOL_SOCKET, SO_RCVBUF, &on, sizeof(on));
    if (connect(p->fd, p->o->peer, p->o->peer_len))
        return socket_error(err, "no route to the peer");
    return 0;
}

/* MTU of the device that the route goes through. */
static uint32_t outgoing_mtu(const struct probe *p)
{
    struct sockaddr_storage self;
    socklen_t len = sizeof(self);
    struct link_session *s = NULL;
    struct link_state st;
    uint32_t mtu = 0;
    struct ifreq ifr = { 0 };
    if (p->o->dev) {
        (void)snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", p->o->dev);
        return ioctl(p->fd, SIOCGIFMTU, &ifr) == 0 ? (uint32_t)ifr.ifr_mtu : 0;
    }
    (void)getsockname(p->fd, (struct sockaddr *)&self, &len);
    if (link_session_open(&s, NULL))
        return 0;
    if (link_read_state(s, LINK_READ_LINKS, &st, NULL) == 0) {
        int ifindex = link_route_device(s, p->o->peer);
        const struct link_iface *d = ifindex > 0 ? link_find_index(&st, ifindex) : NULL;
        mtu = d ? d->mtu : 0;
        link_state_done(&st);
    }
    link_session_close(s);
    return mtu;
}

/* Sends an echo request that makes an IP packet of `size` bytes.  0, or the errno. */
static int send_size(struct probe *p, uint32_t size, uint16_t seq)
{
    size_t n = size - ip_head(p);
    struct base_wr w = base_wr_init(p->packet, n);
    base_wr_u8(&w, p->v6 ? 128 : 8);
    base_wr_u8(&w, 0);
    base_wr_be16(&w, 0);
    base_wr_be16(&w, p->id);
    base_wr_be16(&w, seq);
    memset(p->packet + ICMP_HEAD, 0xa5, n - ICMP_HEAD);
    if (!p->v6) {
        uint16_t check = base_inet_fold(base_inet_sum(p->packet, n, 0));
        p->packet[2] = (uint8_t)(check >> 8);
        p->packet[3] = (uint8_t)check;
    }
    p->r->sent++;
    return send(p->fd, p->packet, n, 0) < 0 ? errno : 0;
}

/* What a router (or this host) said about a probe that was too big. */
static void read_errors(struct probe *p)
{
    for (int i = 0; i < 64; i++) {
        char control[512], data[64];
        struct iovec iov = { data, sizeof(data) };
        struct msghdr mh = { .msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof(control) };
        if (recvmsg(p->fd, &mh, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
            return;
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&mh); c; c = CMSG_NXTHDR(&mh, c)) {
            struct sock_extended_err e;
            memcpy(&e, CMSG_DATA(c), sizeof(e));
            if (e.ee_errno != EMSGSIZE || e.ee_origin == SO_EE_ORIGIN_LOCAL)
                continue;
            p->r->told_mtu = e.ee_info;
            (void)getnameinfo(SO_EE_OFFENDER((struct sock_extended_err *)(void *)CMSG_DATA(c)),
                              p->v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in),
                              p->r->told_by, sizeof(p->r->told_by), NULL, 0, NI_NUMERICHOST);
        }
    }
}

/* Marks sizes whose answer came back whole. */
static void read_answers(struct probe *p, const uint32_t *size, uint16_t first, size_t n, bool *ok)
{
    uint8_t in[65536];
    for (;;) {
        ssize_t k = recv(p->fd, in, sizeof(in), MSG_DONTWAIT);
        struct base_rd r;
        uint8_t type;
        uint16_t id, seq;
        size_t head = 0;
        if (k < 0 && errno != EAGAIN && errno != EINTR) {
            read_errors(p);
            continue;
        }
        if (k < 0)
            return;
        if (!p->v6)
            head = (size_t)(in[0] & 15) * 4;
        if ((size_t)k < head + ICMP_HEAD)
            continue;
        r = base_rd_init(in + head, (size_t)k - head);
        type = base_rd_u8(&r);
        base_rd_skip(&r, 3);
        id = base_rd_be16(&r);
        seq = base_rd_be16(&r);
        if (type != (p->v6 ? 129 : 0) || id != p->id)
            continue;
        seq = (uint16_t)(seq - first);
        if (seq < n && (size_t)k + (p->v6 ? 40 : 0) == size[seq] && !ok[seq]) {
            ok[seq] = true;
            p->r->received++;
        }
    }
}

/* Tries `n` sizes side by side, each up to `count` times; true in ok[] = passed. */
static void try_sizes(struct probe *p, const uint32_t *size, size_t n, bool *ok)
{
    bool too_big[FAN] = { false };
    memset(ok, 0, n * sizeof(*ok));
    for (unsigned t = 0; t < p->count; t++) {
        uint16_t first = p->seq;
        base_time start = os_now(), deadline = base_after(start, base_ms(p->wait_ms));
        size_t open = 0;
        p->seq = (uint16_t)(p->seq + n);
        for (size_t i = 0; i < n; i++)
            if (!ok[i] && !too_big[i]) {
                int sys = send_size(p, size[i], (uint16_t)(first + i));
                if (sys == EMSGSIZE)
                    too_big[i] = true;
            }
        for (;;) {
            struct pollfd pf = { .fd = p->fd, .events = POLLIN };
            int64_t left;
            read_answers(p, size, first, n, ok);
            read_errors(p);
            open = 0;
            for (size_t i = 0; i < n; i++)
                open += !ok[i] && !too_big[i];
            if (ok[0] && p->r->rtt_ms == 0)
                p->r->rtt_ms = (double)base_since(os_now(), start).ns / 1e6;
            left = base_to_ms(base_since(deadline, os_now()));
            if (!open || left <= 0)
                break;
            (void)poll(&pf, 1, (int)left + 1);
        }
        if (!open)
            return;
    }
}

/* Narrows (lo passes, hi does not) to neighbours, FAN sizes at a time. */
static void narrow(struct probe *p, uint32_t lo, uint32_t hi)
{
    while (hi - lo > 1) {
        uint32_t size[FAN];
        bool ok[FAN];
        size_t n = 0;
        for (uint32_t k = 1; k < FAN && n < FAN; k++) {
            uint32_t v = lo + (uint32_t)((uint64_t)(hi - lo) * k / FAN);
            if (v > lo && v < hi && (n == 0 || size[n - 1] != v))
                size[n++] = v;
        }
        try_sizes(p, size, n, ok);
        for (size_t i = 0; i < n; i++) {
            if (ok[i])
                lo = size[i];
            else {
                hi = size[i];
                break;
            }
        }
    }
    p->r->mtu = lo;
}

static void run(struct probe *p, uint32_t max)
{
    uint32_t small = p->v6 ? 1280 : 576, size[FAN];
    bool ok[FAN];
    size_t n = 0;
    if (max < small)
        small = max < 68 ? 68 : max;
    size[n++] = small;
    if (max > 1500 && small < 1500)
        size[n++] = 1500;
    if (max > small)
        size[n++] = max;
    try_sizes(p, size, n, ok);
    p->r->tried_max = max;
    p->r->reached = ok[0];
    if (!ok[0])
        return;
    for (size_t i = 1; i < n; i++)
        if (!ok[i]) {
            narrow(p, size[i - 1], size[i]);
            return;
        }
    p->r->mtu = max;
}

int link_mtu_probe(const struct link_probe_opts *o, struct link_probe_result *ret,
                   struct base_err *err)
{
    struct probe *p = calloc(1, sizeof(*p));
    uint32_t max;
    int rc;
    if (!p)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    *ret = (struct link_probe_result){ 0 };
    *p = (struct probe){ .fd = -1, .o = o, .r = ret };
    p->v6 = o->peer->sa_family == AF_INET6;
    p->id = (uint16_t)getpid();
    p->count = o->count ? o->count : 3;
    p->wait_ms = o->wait_ms ? o->wait_ms : 400;
    rc = open_probe(p, err);
    if (!rc) {
        ret->dev_mtu = outgoing_mtu(p);
        max = ret->dev_mtu ? ret->dev_mtu : 1500;
        if (o->max && o->max < max)
            max = o->max;
        if (max > 65535)
            max = 65535;
        run(p, max);
    }
    if (p->fd >= 0)
        close(p->fd);
    free(p);
    return rc;
}
