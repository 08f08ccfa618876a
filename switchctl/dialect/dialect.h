/* SPDX-License-Identifier: MIT */
/* dialect.h - what a family of switches speaks: which page to ask for, what it says, what to send.
 *
 * Pure: requests and answers are values, sockets are elsewhere (switchctl/device drives).  A new family is one folder
 * with one const struct, added to registry.c. */
#ifndef SW_DIALECT_H
#define SW_DIALECT_H

#include "http.h"
#include "sw/model.h"

struct sw_page { /* one page to read, in order */
    const char *path;
    int (*parse)(const struct sw_response *r, struct sw_state *st, struct base_err *err);
};

struct sw_macs { /* a growing list, entries unique by (mac, vlan) */
    struct sw_mac *v;
    size_t n, cap;
};

struct sw_dialect {
    const char *name, *models; /* models: for `switchctl dialects` */
    const char *reads, *writes;
    enum sw_proven proven;
    /* 0 = not mine, 100 = certain; from GET / without login.  Fills the model's name where the page has it. */
    unsigned (*probe)(const struct sw_response *first, struct sw_state *st);
    /* The answer means "log in first". */
    bool (*logged_out)(const struct sw_response *r);
    /* The page is whole (not cut off). */
    bool (*whole)(const struct sw_response *r);
    void (*login)(const char *user, const char *password, struct sw_request *ret, char *cookie,
                  size_t size);
    /* This firmware's pages are not all known: what is not understood of them stays unknown. */
    bool (*partly_known)(const struct sw_state *st);
    const struct sw_page *pages; /* ends with {0}; read_lags and read_frame are among them */
    const struct sw_page *lags,
        *frame; /* alone, for reading back; lags needs port facts already in st */
    int (*lag_set)(const struct sw_state *st, const struct sw_lag *l, struct sw_request *ret,
                   struct base_err *err);
    int (*lag_del)(const struct sw_state *st, unsigned group, struct sw_request *ret,
                   struct base_err *err);
    int (*frame_set)(const struct sw_state *st, uint32_t bytes, struct sw_request *ret,
                     struct base_err *err);
    /* Did the device refuse?  0, or BASE_FAILED with its own words. */
    int (*refused)(const struct sw_response *r, struct base_err *err);
    struct sw_request (*macs_first)(void), (*macs_next)(void);
    int (*macs)(const struct sw_response *r, struct sw_macs *to, bool *ret_more,
                struct base_err *err);
    struct sw_request (*save)(void), (*backup)(void);
    bool (*saved)(const struct sw_response *r);
};

extern const struct sw_dialect sw_rtl837x_cgi;

/* Known dialects, ends with NULL. */
const struct sw_dialect *const *sw_dialects(void);
/* A device that no dialect here speaks to but that is known by its first page: BASE_UNSUPPORTED saying what it is; else 0. */
int sw_stranger(const struct sw_response *first, struct base_err *err);
/* BASE_MALFORMED with what was expected and how the page begins. */
int sw_not_understood(const struct sw_response *r, const char *expected, struct base_err *err);
int sw_macs_add(struct sw_macs *to, const struct sw_mac *m, struct base_err *err);

#endif
