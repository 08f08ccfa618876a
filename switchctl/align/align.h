/* SPDX-License-Identifier: MIT */
/* align.h - make a switch's group and this host's bond agree; the one room that knows both ends.
 *
 * The way (each line found by experiment with the real drivers):
 *   a probe frame per leg, so that the switch's MAC table tells where the legs end
 *   keeper armed; every member but one working leg down on this host: from here on nothing is lost, and a management
 *     address on the dead half becomes reachable
 *   the host's mode (if it has to change), then the switch's group
 *   members back one by one, each in sync before the next
 *   verified by the kernel's state, the switch's page and a probe per leg; then committed, then saved */
#ifndef ALIGN_H
#define ALIGN_H

#include "change.h"
#include "link/session.h"
#include "link/snapshot.h"
#include "sw/device.h"

#define ALIGN_MEMBERS 8

struct align {
    /* wanted */
    struct sw_device *dev;
    char bond[LINK_NAME_SIZE];
    sw_ports ports; /* 0 = find them */
    unsigned group; /* 0 = choose */
    bool dry_run, save;
    unsigned confirm_within;
    /* Progress and plan, one line each. */
    void (*say)(void *arg, const char *line);
    void *say_arg;
    int (*may_write)(void *arg, const struct sw_state *st, struct base_err *err);
    /* found on the way */
    struct link_session *s;
    struct link_snapshot *snap;
    struct sw_state before, now;
    char leg[LINK_NAME_SIZE];
    size_t n_members;
    char member[ALIGN_MEMBERS][LINK_NAME_SIZE];
    int ifindex[ALIGN_MEMBERS];
    struct change *change;
    bool host_is_lacp, have_switch, rejoined;
    struct sw_lag want;
    sw_ports seen; /* where the switch's MAC table has the legs; 0 = it does not tell */
    /* told at the end */
    bool changed, verified;
    double
        gap_ms; /* longest time without an answer from the switch through the bond; -1 = not measured */
    char found_how[96];
};

/* Does it all.  Frees what it opened but `dev`.  Errors: BASE_ROLLED_BACK (both ends as before), or what stopped it
 * before anything was changed. */
int align_run(struct align *a, struct base_err *err);

/* Undo handlers of align ("bond", "one-leg", "switch"); their context is the struct align. */
extern const struct change_handler align_handlers[];

void align_say(const struct align *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* legs.c: members up and down, and waiting for LACP. */
int align_one_leg(struct align *a, struct base_err *err);
int align_await(struct align *a, size_t n_ports, const char *what, struct base_err *err);
/* find.c: where the legs end. */
int align_send_marks(struct align *a, struct base_err *err);
int align_find_ports(struct align *a, struct base_err *err);
/* probe.c: answers per leg.  got[i] = answers to probes sent on member i, on whatever leg they came back. */
int align_probe_legs(struct align *a, unsigned got[ALIGN_MEMBERS], struct base_err *err);

/* meter.c: a child that asks the switch through the bond every 10 ms, and tells the longest silence. */
struct meter {
    int fd, pid;
};
bool meter_start(struct meter *m, int bond_ifindex, const uint8_t mac[6], const char *address);
double meter_stop(struct meter *m); /* ms; -1 = never an answer */

#endif
