/* SPDX-License-Identifier: MIT */
/* ethtool.h - speed and duplex over ethtool netlink (generic netlink family "ethtool", kernel 5.6 and later). */
#ifndef NL_ETHTOOL_H
#define NL_ETHTOOL_H

#include "link/state.h"
#include "request.h"

/* Fills speed, duplex for every interface in `st`.  A kernel without the family leaves them unknown (no error). */
int nl_ethtool_speeds(struct nl_channel *genl, struct link_state *st, struct base_err *err);

#endif
