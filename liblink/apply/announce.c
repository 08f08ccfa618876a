/* SPDX-License-Identifier: MIT */
/* announce.c - see announce.h. */
#define _GNU_SOURCE
#include "announce.h"
#include "frames.h"
#include "live.h"

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>

static bool address_of(const struct nlmsghdr *h, uint16_t attr, size_t size, void *to)
{
    size_t skip = NLMSG_HDRLEN + NLMSG_ALIGN(sizeof(struct ifaddrmsg));
    const uint8_t *p = (const uint8_t *)h + skip;
    size_t n = h->nlmsg_len > skip ? h->nlmsg_len - skip : 0;
    struct nl_attr_view a;
    bool bad = false, found = false;
    while (nl_next_attr(&p, &n, &a, &bad))
        if (a.type == attr && a.n == size) {
            memcpy(to, a.p, size);
            found = true;
        }
    return found;
}

static size_t build(const struct nlmsghdr *h, const struct base_mac *mac,
                    uint8_t frame[static WIRE_NA_SIZE])
{
    const struct ifaddrmsg *ifa = (const void *)((const uint8_t *)h + NLMSG_HDRLEN);
    struct in6_addr six;
    struct in_addr four;
    if (ifa->ifa_family == AF_INET && address_of(h, IFA_LOCAL, sizeof(four), &four)) {
        struct wire_arp a = {
            .eth_src = *mac, .sender_mac = *mac, .sender_ip = four, .target_ip = four
        };
        memset(a.eth_dst.b, 0xff, 6);
        wire_arp_build(&a, frame);
        return WIRE_ARP_SIZE;
    }
    if (ifa->ifa_family == AF_INET6 && address_of(h, IFA_ADDRESS, sizeof(six), &six)) {
        wire_na_build(*mac, &six, frame);
        return WIRE_NA_SIZE;
    }
    return 0;
}

void link_announce(struct link_session *s, const struct link_snapshot *snap)
{
    struct link_state st;
    if (link_read_state(s, LINK_READ_LINKS, &st, NULL))
        return;
    for (size_t i = 0; i < snap->objects.n; i++) {
        const struct nlmsghdr *h = snap->objects.v[i].h;
        const struct ifaddrmsg *ifa = (const void *)((const uint8_t *)h + NLMSG_HDRLEN);
        const struct link_iface *dev;
        uint8_t frame[WIRE_NA_SIZE];
        struct wire_live w;
        struct base_mac mac;
        size_t n;
        if (h->nlmsg_type != RTM_NEWADDR)
            continue;
        dev = link_find_index(&st, (int)ifa->ifa_index);
        if (!dev || !(dev->flags & IFF_UP))
            continue;
        memcpy(mac.b, dev->mac, 6);
        n = build(h, &mac, frame);
        if (n && wire_live_open(dev->ifindex, 0xffff, false, &w, NULL) == 0) {
            (void)wire_live_send(&w, frame, n);
            wire_live_close(&w);
        }
    }
    link_state_done(&st);
}
