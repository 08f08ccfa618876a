/* SPDX-License-Identifier: MIT */
/* codec.h - link objects to and from netlink attributes.  Pure. */
#ifndef NL_CODEC_H
#define NL_CODEC_H

#include "link/state.h"
#include "request.h"

/* Decodes one RTM_NEWLINK.  Errors: BASE_MALFORMED. */
int nl_parse_link(const struct nlmsghdr *h, struct link_iface *ret, struct base_err *err);
/* Decodes IFLA_INFO_DATA of a bond; false when the attributes are broken. */
bool nl_parse_bond(struct nl_attr_view data, struct link_bond *ret);
bool nl_parse_member(struct nl_attr_view data, struct link_member *ret);
/* Appends the options in `o` as IFLA_BOND_* attributes, mode first, as the kernel wants its order. */
void nl_put_bond_opts(struct nl_msg_buf *m, const struct link_bond_opts *o);

#endif
