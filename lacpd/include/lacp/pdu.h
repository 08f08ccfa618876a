/* SPDX-License-Identifier: MIT */
/* pdu.h - the LACPDU, version 1, as values (802.1AX-2014 6.4.2; lengths include type and length octets).
 *
 * Pure: bytes in, values out.  Fields are in host order. */
#ifndef LACP_PDU_H
#define LACP_PDU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LACP_API __attribute__((visibility("default")))
#else
#define LACP_API
#endif

#define LACP_FRAME_SIZE 124 /* Ethernet header and 110 octets, without FCS */
#define LACP_ETHERTYPE  0x8809

enum lacp_state_bit {
    LACP_ACTIVITY = 0x01,
    LACP_TIMEOUT = 0x02, /* 1 = short: send to me every second */
    LACP_AGGREGATION = 0x04,
    LACP_SYNCHRONIZATION = 0x08,
    LACP_COLLECTING = 0x10,
    LACP_DISTRIBUTING = 0x20,
    LACP_DEFAULTED = 0x40,
    LACP_EXPIRED = 0x80
};

struct lacp_info { /* Actor_Information or Partner_Information */
    uint16_t system_priority;
    uint8_t system[6];
    uint16_t key, port_priority, port;
    uint8_t state;
};

struct lacp_pdu {
    uint8_t version;
    struct lacp_info actor, partner;
    uint16_t collector_max_delay; /* tens of microseconds */
};

enum lacp_class {
    LACP_IS_LACPDU,
    LACP_IS_MARKER,  /* subtype 2 */
    LACP_IS_OTHER,   /* a slow protocol that is not ours (OAM, OSSP, reserved): not an error */
    LACP_IS_ILLEGAL, /* illegal subtype, or a LACPDU that is cut off or has wrong lengths */
    LACP_IS_FOREIGN  /* no slow protocol at all */
};

/* Classifies and decodes one whole Ethernet frame.  *ret is written for LACP_IS_LACPDU only.
 * Version, TLV types, reserved octets, pad and what follows are not looked at (802.1AX: a receiver shall not);
 * Actor and Partner length must be 20, Collector length 16 when version is 0 or 1.  An all-zero or group actor system
 * and actor port 0 are illegal; key 0 is not (HP ProCurve sends it). */
LACP_API enum lacp_class lacp_pdu_parse(const uint8_t *frame, size_t n, struct lacp_pdu *ret);
/* Writes a version 1 frame from port MAC `src` to 01-80-C2-00-00-02. */
LACP_API void lacp_pdu_build(const struct lacp_pdu *pdu, const uint8_t src[6],
                             uint8_t frame[LACP_FRAME_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
