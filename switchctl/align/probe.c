/* SPDX-License-Identifier: MIT */
/* probe.c - probe per leg: does what is sent on a leg come back on some leg?
 *
 * ARP for the switch's own address, sender 0.0.0.0, sixteen made-up MACs per leg so that the switch's hash spreads the
 * answers over the legs.  Sockets on members see frames that the bond itself would drop. */
#define _GNU_SOURCE
#include "align.h"

#include <arpa/inet.h>
#include <string.h>

#include "frames.h"
#include "live.h"
#include "os.h"

#define MACS    16
#define WAIT_MS 600

static struct base_mac mac_of(const struct align *a, size_t leg, unsigned k)
{
    const struct link_iface *b = link_snapshot_bond(a->snap);
    struct base_mac m = { { 0x02, 0xa2, b->mac[4], b->mac[5], (uint8_t)leg, (uint8_t)k } };
    return m;
}

static void send_all(struct align *a, struct wire_live w[], struct in_addr target)
{
    for (size_t i = 0; i < a->n_members; i++)
        for (unsigned k = 0; k < MACS; k++) {
            struct wire_arp q = { .eth_src = mac_of(a, i, k),
                                  .sender_mac = mac_of(a, i, k),
                                  .target_ip = target };
            uint8_t frame[WIRE_ARP_SIZE];
            memset(q.eth_dst.b, 0xff, 6);
            wire_arp_build(&q, frame);
            (void)wire_live_send(&w[i], frame, sizeof(frame));
        }
}

static void count(struct align *a, struct wire_live *w, struct in_addr target,
                  bool seen[ALIGN_MEMBERS][MACS])
{
    uint8_t frame[2048];
    struct wire_arp r;
    size_t n;
    while ((n = wire_live_recv(w, frame, sizeof(frame))) > 0) {
        if (!wire_arp_parse(frame, n, &r) || !r.reply || r.sender_ip.s_addr != target.s_addr)
            continue;
        for (size_t i = 0; i < a->n_members; i++)
            if (r.target_mac.b[5] < MACS &&
                base_mac_equal(r.target_mac, mac_of(a, i, r.target_mac.b[5])))
                seen[i][r.target_mac.b[5]] = true;
    }
}

int align_probe_legs(struct align *a, unsigned got[ALIGN_MEMBERS], struct base_err *err)
{
    bool seen[ALIGN_MEMBERS][MACS] = { { false } };
    struct wire_live w[ALIGN_MEMBERS], *all[ALIGN_MEMBERS];
    base_time deadline = base_after(os_now(), base_ms(WAIT_MS));
    struct in_addr target;
    size_t n = 0;
    int rc = 0;
    memset(got, 0, ALIGN_MEMBERS * sizeof(*got));
    if (inet_pton(AF_INET, sw_address(a->dev), &target) != 1)
        return base_err_set(err, BASE_UNSUPPORTED,
                            "the probe per leg needs the switch's IPv4 address");
    for (; n < a->n_members && !rc; n++) {
        rc = wire_live_open(a->ifindex[n], 0x0806, true, &w[n], err);
        all[n] = &w[n];
    }
    if (rc)
        n--;
    for (int round = 0; round < 3 && !rc; round++) { /* a lost probe proves nothing */
        send_all(a, w, target);
        deadline = base_after(os_now(), base_ms(WAIT_MS / 3));
        while (wire_live_wait(all, n, deadline))
            for (size_t i = 0; i < n; i++)
                count(a, &w[i], target, seen);
    }
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < MACS; k++)
            got[i] += seen[i][k];
        wire_live_close(&w[i]);
    }
    return rc;
}
