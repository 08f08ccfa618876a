/* SPDX-License-Identifier: MIT */
/* member_order.h - the order in which members joined, which netlink does not tell. */
#ifndef NL_MEMBER_ORDER_H
#define NL_MEMBER_ORDER_H

#include "link/state.h"

/* Fills member.position from /proc/thread-self/net/bonding/NAME; bonds it cannot read stay unknown. */
void nl_member_order(struct link_state *st);

#endif
