/* SPDX-License-Identifier: MIT */
/* model.h - one model for all switches: ports, LAG groups, frame size, MAC table.
 *
 * Plain values.  What a device does not tell is unknown, never guessed, and becomes null in JSON.  Port numbers are
 * those printed on the device, from 1.  Frame sizes are L2 bytes; whether they count the FCS is part of the value. */
#ifndef SW_MODEL_H
#define SW_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linkbase/err.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SW_API __attribute__((visibility("default")))
#else
#define SW_API
#endif

#define SW_PORTS   64
#define SW_LAGS    16
#define SW_CHOICES 16
#define SW_TEXT    64

enum sw_tri { SW_NO, SW_YES, SW_UNKNOWN };
enum sw_proven { SW_EMULATED, SW_CAPTURED, SW_PROVEN };
enum sw_lag_mode {
    SW_LAG_UNKNOWN,
    SW_LAG_STATIC,
    SW_LAG_LACP,
    SW_LAG_LACP_ACTIVE,
    SW_LAG_LACP_PASSIVE
};

typedef uint64_t sw_ports; /* bit n-1 = port n */
#define SW_PORT(n) ((sw_ports)1 << ((n)-1))

struct sw_port {
    unsigned number;
    char name[SW_TEXT];
    enum sw_tri link, enabled, full_duplex;
    unsigned speed_mbps; /* of the link; 0 = unknown or no link */
    char setting[16];    /* speed and duplex asked of it, as the device words it; "" = unknown */
    unsigned lag;        /* group it belongs to, 0 = none */
    bool has_counters, has_bad;                /* good packets; bad packets */
    uint64_t tx_good, tx_bad, rx_good, rx_bad; /* packets */
    bool counters_wrap32;                      /* the device keeps the low 32 bits only */
};

struct sw_lag {
    unsigned group;
    enum sw_lag_mode mode;
    sw_ports ports;
    sw_ports up_ports; /* bundled now */
    bool up_known;
};

struct sw_frame {
    uint32_t bytes; /* 0 = unknown */
    bool counts_fcs;
    size_t n_choices;
    uint32_t choices[SW_CHOICES]; /* in the order of the device; empty = any value */
};

enum sw_can {
    SW_CAN_READ = 1,
    SW_CAN_LAG = 2,
    SW_CAN_LACP = 4,
    SW_CAN_FRAME = 8,
    SW_CAN_MACS = 16,
    SW_CAN_SAVE = 32,
    SW_CAN_BACKUP = 64,
    SW_CAN_LACP_ACTIVITY = 128 /* LACP can be told to be active or passive */
};

struct sw_state {
    char model[SW_TEXT], firmware[SW_TEXT], dialect[SW_TEXT];
    uint8_t mac[6];
    bool has_mac;
    enum sw_proven proven;
    unsigned can; /* bits of enum sw_can */
    unsigned max_groups, min_members, max_members;
    size_t n_ports, n_lags;
    bool lags_unknown; /* the device was not understood; false: lags are all there are */
    struct sw_port ports[SW_PORTS];
    struct sw_lag lags[SW_LAGS];
    struct sw_frame frame;
    enum sw_tri unsaved;
};

struct sw_mac {
    uint8_t mac[6];
    unsigned vlan, port, lag; /* port or lag, the other 0; both 0 = the device itself */
    bool is_static;
};

SW_API const struct sw_lag *sw_find_lag(const struct sw_state *st,
                                        unsigned group); /* NULL = not there */
/* Same group, same ports, and modes that agree: plain LACP is either of active and passive. */
SW_API bool sw_lag_same(const struct sw_lag *a, const struct sw_lag *b);
SW_API const char *sw_lag_mode_name(enum sw_lag_mode mode); /* "static", "lacp" ...; NULL */
/* "static", "lacp", "lacp-active", "lacp-passive".  Errors: BASE_USAGE. */
SW_API int sw_lag_mode_parse(const char *text, enum sw_lag_mode *ret, struct base_err *err);
/* "1,2" or "1-3,5".  Errors: BASE_USAGE. */
SW_API int sw_ports_parse(const char *text, sw_ports *ret, struct base_err *err);
SW_API void sw_ports_format(sw_ports p, char *text, size_t size);
SW_API unsigned sw_ports_count(sw_ports p);
/* Every rule of the device that can be checked before writing: mode, group, number of members, ports that exist and are
 * not in another group; for a static group equal settings and speeds, and full duplex.
 * Errors: BASE_IMPOSSIBLE, BASE_UNSUPPORTED, BASE_USAGE (no mode), with what to do. */
SW_API int sw_lag_check(const struct sw_state *st, const struct sw_lag *want, struct base_err *err);
/* Smallest choice that carries IP packets of `mtu` bytes with one VLAN tag: mtu + 14 + 4, and 4 more where the device
 * counts the FCS.  Errors: BASE_IMPOSSIBLE naming the largest MTU that fits. */
SW_API int sw_frame_for_mtu(const struct sw_state *st, uint32_t mtu, uint32_t *ret_bytes,
                            struct base_err *err);
/* Largest IP MTU that a frame size carries with one VLAN tag. */
SW_API uint32_t sw_mtu_of_frame(const struct sw_frame *f);
/* The document "switch-state", owned by the caller (free), with the MAC table when macs is not NULL; and back (unknown
 * keys are ignored; of groups nothing is left out or guessed).  Errors: BASE_MALFORMED naming the key. */
SW_API int sw_state_json(const struct sw_state *st, const struct sw_mac *macs, size_t n_macs,
                         char **ret, struct base_err *err);
/* The MAC table of such a document; *ret is owned by the caller (free).  *ret NULL = the document has none. */
SW_API int sw_macs_parse(const char *text, size_t n, struct sw_mac **ret, size_t *ret_n,
                         struct base_err *err);
SW_API int sw_state_parse(const char *text, size_t n, struct sw_state *ret, struct base_err *err);

#ifdef __cplusplus
}
#endif

#endif
