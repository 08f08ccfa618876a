/* SPDX-License-Identifier: MIT */
/* live.h - raw frames on one device (AF_PACKET). */
#ifndef WIRE_LIVE_H
#define WIRE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/mac.h"
#include "base/time.h"
#include "linkbase/err.h"

struct wire_live {
    int fd;
    int ifindex;
};

/* Opens for frames of one ethertype (0 = all).  Promiscuous when asked: a probe's answer goes to a made-up MAC.
 * A socket on a bond member sees frames that the bond itself drops.  Errors: BASE_NOT_PERMITTED. */
int wire_live_open(int ifindex, uint16_t ethertype, bool promiscuous, struct wire_live *ret,
                   struct base_err *err);
/* Joins a multicast MAC (LACP's, LLDP's). */
int wire_live_join(struct wire_live *w, const uint8_t mac[6], struct base_err *err);
void wire_live_close(struct wire_live *w);
/* 0 or a negative errno. */
int wire_live_send(struct wire_live *w, const void *frame, size_t n);
/* Next received frame (not our own outgoing ones) that is there now: its length, 0 = none. */
size_t wire_live_recv(struct wire_live *w, void *frame, size_t size);
/* Waits until one of `n` has something or the time comes; true = something. */
bool wire_live_wait(struct wire_live *const w[], size_t n, base_time deadline);

#endif
