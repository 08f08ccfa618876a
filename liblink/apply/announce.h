/* SPDX-License-Identifier: MIT */
/* announce.h (internal) - tell the neighbours where our addresses live now. */
#ifndef APPLY_ANNOUNCE_H
#define APPLY_ANNOUNCE_H

#include "records.h"

/* Gratuitous ARP per IPv4 address, unsolicited neighbour advertisement per IPv6 address of the bond and the devices on
 * top of it.  Best effort: nothing depends on it but the speed at which caches learn. */
void link_announce(struct link_session *s, const struct link_snapshot *snap);

#endif
