/* SPDX-License-Identifier: MIT */
/* frames.c - see frames.h.  ARP: RFC 826; neighbour advertisement: RFC 4861 4.4. */
#include "frames.h"

#include <string.h>

#include "base/bytes.h"

#define ETH_ARP  0x0806
#define ETH_IPV6 0x86dd

void wire_arp_build(const struct wire_arp *a, uint8_t out[static WIRE_ARP_SIZE])
{
    struct base_wr w = base_wr_init(out, WIRE_ARP_SIZE);
    base_wr_bytes(&w, a->eth_dst.b, 6);
    base_wr_bytes(&w, a->eth_src.b, 6);
    base_wr_be16(&w, ETH_ARP);
    base_wr_be16(&w, 1); /* Ethernet */
    base_wr_be16(&w, 0x0800);
    base_wr_u8(&w, 6);
    base_wr_u8(&w, 4);
    base_wr_be16(&w, a->reply ? 2 : 1);
    base_wr_bytes(&w, a->sender_mac.b, 6);
    base_wr_bytes(&w, &a->sender_ip, 4);
    base_wr_bytes(&w, a->target_mac.b, 6);
    base_wr_bytes(&w, &a->target_ip, 4);
}

bool wire_arp_parse(const uint8_t *frame, size_t n, struct wire_arp *ret)
{
    struct base_rd r = base_rd_init(frame, n);
    uint16_t ether, hw, proto, op;
    uint8_t hl, pl;
    base_rd_bytes(&r, ret->eth_dst.b, 6);
    base_rd_bytes(&r, ret->eth_src.b, 6);
    ether = base_rd_be16(&r);
    hw = base_rd_be16(&r);
    proto = base_rd_be16(&r);
    hl = base_rd_u8(&r);
    pl = base_rd_u8(&r);
    op = base_rd_be16(&r);
    base_rd_bytes(&r, ret->sender_mac.b, 6);
    base_rd_bytes(&r, &ret->sender_ip, 4);
    base_rd_bytes(&r, ret->target_mac.b, 6);
    base_rd_bytes(&r, &ret->target_ip, 4);
    ret->reply = op == 2;
    return !r.bad && ether == ETH_ARP && hw == 1 && proto == 0x0800 && hl == 6 && pl == 4 &&
           (op == 1 || op == 2);
}

void wire_na_build(struct base_mac src, const struct in6_addr *addr,
                   uint8_t out[static WIRE_NA_SIZE])
{
    static const uint8_t all_nodes_mac[6] = { 0x33, 0x33, 0, 0, 0, 1 };
    static const uint8_t all_nodes[16] = { 0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
    struct base_wr w = base_wr_init(out, WIRE_NA_SIZE);
    uint8_t *icmp = out + 14 + 40;
    uint32_t sum;
    uint16_t check;
    base_wr_bytes(&w, all_nodes_mac, 6);
    base_wr_bytes(&w, src.b, 6);
    base_wr_be16(&w, ETH_IPV6);
    base_wr_be32(&w, 0x60000000);
    base_wr_be16(&w, 32); /* payload */
    base_wr_u8(&w, 58);   /* ICMPv6 */
    base_wr_u8(&w, 255);
    base_wr_bytes(&w, addr, 16);
    base_wr_bytes(&w, all_nodes, 16);
    base_wr_u8(&w, 136); /* neighbour advertisement */
    base_wr_u8(&w, 0);
    base_wr_be16(&w, 0);          /* checksum, below */
    base_wr_be32(&w, 0x20000000); /* override */
    base_wr_bytes(&w, addr, 16);
    base_wr_u8(&w, 2); /* target link-layer address */
    base_wr_u8(&w, 1);
    base_wr_bytes(&w, src.b, 6);
    sum = base_inet_sum(out + 14 + 8, 32,
                        32 + 58); /* pseudo header: addresses, length, next header */
    check = base_inet_fold(base_inet_sum(icmp, 32, sum));
    icmp[2] = (uint8_t)(check >> 8);
    icmp[3] = (uint8_t)check;
}
