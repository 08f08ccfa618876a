/* SPDX-License-Identifier: MIT */
/* listen.h - what comes in on the members of a bond for a while: LACPDUs, and frames that the bond throws away. */
#ifndef LINKCTL_LISTEN_H
#define LINKCTL_LISTEN_H

#include "link/doctor.h"
#include "link/session.h"

/* Listens `seconds` on every member of f->bond, reads counters before and after, and notes whether LACP states moved.
 * Replaces *st with the state after (f->host and f->bond point into it).  Without the right to listen the facts stay
 * unknown. */
int listen_members(struct link_session *s, double seconds, struct link_state *st,
                   struct link_facts *f, struct base_err *err);

#endif
