/* SPDX-License-Identifier: MIT */
/* device.h (internal) - what a handle is made of, for reading (device.c) and writing (write.c). */
#ifndef SW_DEVICE_INTERNAL_H
#define SW_DEVICE_INTERNAL_H

#include "dialect.h"
#include "sw/device.h"

#define SW_TRIES    3
#define SW_READ_MS  30000
#define SW_WRITE_MS 30000
#define SW_MACS_MS  90000 /* 4096 addresses are 64 pages of half a second */

#define SW_MAC_PAGES 128

struct sw_device {
    char url[160], address[64], user[64], password[128], cookie[96], port[8];
    bool can_log_in, wrote;
    int logins;                       /* since the deadline was set */
    const struct sw_dialect *dialect; /* that answers; NULL = not known yet */
    const struct sw_dialect *only;    /* that was asked for; NULL = any */
    struct sw_http *http;
    base_time deadline;
    void (*on_silence)(void *arg);
    void *on_silence_arg;
};

void sw_deadline(struct sw_device *d, int ms);
/* Identifies the device unless that is done; fills dialect and model of *st then. */
int sw_known(struct sw_device *d, struct sw_state *st, struct base_err *err);
/* One request with login as needed.  page: the answer must be a whole page. */
int sw_fetch(struct sw_device *d, const struct sw_request *q, bool page, struct sw_response *ret,
             struct base_err *err);
int sw_page_into(struct sw_device *d, const struct sw_page *page, struct sw_state *st,
                 struct base_err *err);

#endif
