/* SPDX-License-Identifier: MIT */
/* describe.c - a kernel message in a person's words, for errors and plans. */
#include "records.h"

#include <arpa/inet.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

static void address(const struct nlmsghdr *h, size_t skip, uint16_t attr, int family, char *text,
                    size_t size)
{
    const uint8_t *p = (const uint8_t *)h + NLMSG_HDRLEN + NLMSG_ALIGN(skip);
    size_t n = h->nlmsg_len > NLMSG_HDRLEN + skip ? h->nlmsg_len - NLMSG_HDRLEN - skip : 0;
    struct nl_attr_view a;
    bool bad = false;
    (void)snprintf(text, size, "default");
    while (nl_next_attr(&p, &n, &a, &bad))
        if (a.type == attr && a.n == (family == AF_INET6 ? 16 : 4))
            (void)inet_ntop(family, a.p, text, (socklen_t)size);
}

void records_describe(const struct nlmsghdr *h, char *text, size_t size)
{
    const void *f = (const uint8_t *)h + NLMSG_HDRLEN;
    char addr[INET6_ADDRSTRLEN];
    if (h->nlmsg_type == RTM_NEWADDR) {
        const struct ifaddrmsg *ifa = f;
        address(h, sizeof(*ifa), ifa->ifa_family == AF_INET6 ? IFA_ADDRESS : IFA_LOCAL,
                ifa->ifa_family, addr, sizeof(addr));
        (void)snprintf(text, size, "address %s/%u", addr, ifa->ifa_prefixlen);
    } else if (h->nlmsg_type == RTM_NEWROUTE) {
        const struct rtmsg *r = f;
        address(h, sizeof(*r), RTA_DST, r->rtm_family, addr, sizeof(addr));
        (void)snprintf(text, size, "route %s/%u", addr, r->rtm_dst_len);
    } else if (h->nlmsg_type == RTM_NEWNEIGH) {
        const struct ndmsg *nd = f;
        address(h, sizeof(*nd), NDA_DST, nd->ndm_family, addr, sizeof(addr));
        (void)snprintf(text, size, "neighbour %s", addr);
    } else if (h->nlmsg_type == RTM_NEWRULE) {
        (void)snprintf(text, size, "routing rule");
    } else {
        (void)snprintf(text, size, "nexthop");
    }
}
