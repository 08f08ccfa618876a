/* SPDX-License-Identifier: MIT */
/* live.c - see live.h. */
#define _GNU_SOURCE
#include "live.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os.h"

#define ANY_ETHERTYPE 3 /* ETH_P_ALL */

static int membership(int fd, int ifindex, uint16_t type, const uint8_t *mac)
{
    struct packet_mreq mr = { .mr_ifindex = ifindex, .mr_type = type };
    if (mac) {
        mr.mr_alen = 6;
        memcpy(mr.mr_address, mac, 6);
    }
    return setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &mr, sizeof(mr));
}

int wire_live_open(int ifindex, uint16_t ethertype, bool promiscuous, struct wire_live *ret,
                   struct base_err *err)
{
    struct sockaddr_ll ll = { .sll_family = AF_PACKET, .sll_ifindex = ifindex };
    int fd, rc = 0;
    ll.sll_protocol = htons(ethertype ? ethertype : ANY_ETHERTYPE);
    fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        rc = base_err_sys(err, errno == EPERM ? BASE_NOT_PERMITTED : BASE_FAILED, errno,
                          "cannot open a packet socket");
        base_err_hint(err, "run it as root, or give it CAP_NET_RAW");
        return rc;
    }
    if (bind(fd, (struct sockaddr *)&ll, sizeof(ll)) ||
        (promiscuous && membership(fd, ifindex, PACKET_MR_PROMISC, NULL))) {
        rc = base_err_sys(err, BASE_FAILED, errno, "cannot bind a packet socket to device %d",
                          ifindex);
        close(fd);
        return rc;
    }
    *ret = (struct wire_live){ .fd = fd, .ifindex = ifindex };
    return 0;
}

int wire_live_join(struct wire_live *w, const uint8_t mac[6], struct base_err *err)
{
    if (membership(w->fd, w->ifindex, PACKET_MR_MULTICAST, mac))
        return base_err_sys(err, BASE_FAILED, errno, "cannot join a multicast address");
    return 0;
}

void wire_live_close(struct wire_live *w)
{
    if (w->fd > 0)
        close(w->fd);
    w->fd = -1;
}

int wire_live_send(struct wire_live *w, const void *frame, size_t n)
{
    ssize_t k;
    do
        k = send(w->fd, frame, n, 0);
    while (k < 0 && errno == EINTR);
    return k < 0 ? -errno : 0;
}

size_t wire_live_recv(struct wire_live *w, void *frame, size_t size)
{
    for (int i = 0; i < 10000; i++) {
        struct sockaddr_ll from;
        socklen_t len = sizeof(from);
        ssize_t k = recvfrom(w->fd, frame, size, 0, (struct sockaddr *)&from, &len);
        if (k < 0 && (errno == EINTR || errno == ENETDOWN))
            continue;
        if (k <= 0)
            return 0;
        if (from.sll_pkttype != PACKET_OUTGOING)
            return (size_t)k;
    }
    return 0;
}

bool wire_live_wait(struct wire_live *const w[], size_t n, base_time deadline)
{
    struct pollfd p[64];
    for (;;) {
        int64_t ms = base_to_ms(base_since(deadline, os_now())) + 1;
        size_t k = 0;
        for (; k < n && k < 64; k++)
            p[k] = (struct pollfd){ .fd = w[k]->fd, .events = POLLIN };
        if (base_reached(os_now(), deadline))
            ms = 0;
        int rc = poll(p, k, ms > 3600000 ? 3600000 : (int)ms);
        if (rc > 0)
            return true;
        if (rc == 0 && base_reached(os_now(), deadline))
            return false;
    }
}
