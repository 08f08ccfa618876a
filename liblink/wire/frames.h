/* SPDX-License-Identifier: MIT */
/* frames.h - building and reading the few Ethernet frames that liblink sends itself.  Pure. */
#ifndef WIRE_FRAMES_H
#define WIRE_FRAMES_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mac.h"

#define WIRE_ARP_SIZE 42 /* Ethernet and ARP without padding */
#define WIRE_NA_SIZE                                                                               \
    86 /* Ethernet, IPv6, neighbour advertisement with a target link-layer option */

struct wire_arp {
    struct base_mac eth_dst, eth_src; /* of the frame */
    bool reply;
    struct base_mac sender_mac, target_mac;
    struct in_addr sender_ip, target_ip;
};

/* Writes WIRE_ARP_SIZE bytes. */
void wire_arp_build(const struct wire_arp *a, uint8_t out[static WIRE_ARP_SIZE]);
/* False: not an IPv4-over-Ethernet ARP frame. */
bool wire_arp_parse(const uint8_t *frame, size_t n, struct wire_arp *ret);

/* Unsolicited neighbour advertisement (RFC 4861 7.2.6) for `addr`, override set, to all nodes. */
void wire_na_build(struct base_mac src, const struct in6_addr *addr,
                   uint8_t out[static WIRE_NA_SIZE]);

#endif
