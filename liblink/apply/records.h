/* SPDX-License-Identifier: MIT */
/* records.h (internal) - a list of kernel messages: what a snapshot is made of. */
#ifndef APPLY_RECORDS_H
#define APPLY_RECORDS_H

#include "link/snapshot.h"
#include "request.h"
#include "session.h"

struct record {
    struct nlmsghdr *h; /* an owned copy of the whole message */
};

struct records {
    struct record *v;
    size_t n, cap;
};

struct link_snapshot {
    struct records links; /* bond, members in join order, devices on top */
    struct records
        objects; /* addresses, nexthops, routes, neighbours, rules: in the order to put them back */
    size_t n_members;
    struct link_iface *ifaces; /* decoded links, same order */
    const struct link_iface **members;
};

int records_add(struct records *r, const struct nlmsghdr *h, struct base_err *err);
void records_done(struct records *r);

/* Collects what hangs on the devices in `ifindex[n]` (names likewise, for rules). */
int records_collect(struct link_session *s, const int *ifindex, const char *const *names, size_t n,
                    struct records *ret, struct base_err *err);
/* Puts one object back; what exists already is fine. */
int records_put(struct link_session *s, const struct nlmsghdr *h, struct base_err *err);
/* Same object, apart from ages, flags of the moment and lifetimes. */
bool records_same(const struct nlmsghdr *a, const struct nlmsghdr *b);
/* "address 192.0.2.2/24", for messages. */
void records_describe(const struct nlmsghdr *h, char *text, size_t size);
/* The kernel makes these by itself when the device comes up: link-local addresses. */
bool records_automatic(const struct nlmsghdr *h);

/* Decodes ret->links into ifaces and members. */
int snapshot_decode(struct link_snapshot *snap, struct base_err *err);

#endif
