/* SPDX-License-Identifier: MIT */
/* ethtool.c - see ethtool.h.  One dump gives all devices (ETHTOOL_MSG_LINKMODES_GET). */
#include "ethtool.h"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <string.h>

static int family_of(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    const uint8_t *p = (const uint8_t *)h + NLMSG_HDRLEN + GENL_HDRLEN;
    size_t n =
        h->nlmsg_len > NLMSG_HDRLEN + GENL_HDRLEN ? h->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN : 0;
    struct nl_attr_view a;
    bool bad = false;
    (void)err;
    while (nl_next_attr(&p, &n, &a, &bad))
        if (a.type == CTRL_ATTR_FAMILY_ID)
            *(uint16_t *)arg = nl_u16(a);
    return 0;
}

static struct link_iface *by_index(struct link_state *st, int ifindex)
{
    return (struct link_iface *)(uintptr_t)link_find_index(st, ifindex);
}

static int one_device(void *arg, const struct nlmsghdr *h, struct base_err *err)
{
    const uint8_t *p = (const uint8_t *)h + NLMSG_HDRLEN + GENL_HDRLEN;
    size_t n =
        h->nlmsg_len > NLMSG_HDRLEN + GENL_HDRLEN ? h->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN : 0;
    struct link_iface *dev = NULL;
    struct nl_attr_view a, in;
    bool bad = false;
    uint32_t speed = UINT32_MAX;
    uint8_t duplex = DUPLEX_UNKNOWN;
    (void)err;
    while (nl_next_attr(&p, &n, &a, &bad)) {
        if (a.type == ETHTOOL_A_LINKMODES_HEADER) {
            while (nl_next_attr(&a.p, &a.n, &in, &bad))
                if (in.type == ETHTOOL_A_HEADER_DEV_INDEX)
                    dev = by_index(arg, (int)nl_u32(in));
        } else if (a.type == ETHTOOL_A_LINKMODES_SPEED) {
            speed = nl_u32(a);
        } else if (a.type == ETHTOOL_A_LINKMODES_DUPLEX) {
            duplex = nl_u8(a);
        }
    }
    if (dev && speed != UINT32_MAX && speed <= INT32_MAX)
        dev->speed_mbps = (int)speed;
    if (dev)
        dev->duplex = duplex == DUPLEX_FULL   ? LINK_DUPLEX_FULL
                      : duplex == DUPLEX_HALF ? LINK_DUPLEX_HALF
                                              : LINK_DUPLEX_UNKNOWN;
    return 0;
}

int nl_ethtool_speeds(struct nl_channel *genl, struct link_state *st, struct base_err *err)
{
    struct genlmsghdr g = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 };
    struct nl_msg_buf m;
    struct base_err ignored = { 0 };
    uint16_t family = 0;
    nl_begin(&m, GENL_ID_CTRL, 0, &g, sizeof(g));
    nl_put_str(&m, CTRL_ATTR_FAMILY_NAME, "ethtool");
    if (nl_get(genl, &m, family_of, &family, &ignored) || !family)
        return 0;
    g = (struct genlmsghdr){ .cmd = ETHTOOL_MSG_LINKMODES_GET, .version = 1 };
    nl_begin(&m, family, 0, &g, sizeof(g));
    nl_nest_end(&m, nl_nest(&m, ETHTOOL_A_LINKMODES_HEADER));
    return nl_dump_all(genl, &m, one_device, NULL, st, err);
}
