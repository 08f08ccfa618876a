/* SPDX-License-Identifier: MIT */
/* rtl837x_cgi.h (internal) - pages of the RTL8372/RTL8373 "web managed" switches. */
#ifndef RTL837X_CGI_H
#define RTL837X_CGI_H

#include "dialect.h"

int rtl_info(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_ports(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_stats(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_panel(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_trunk(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_jumbo(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_macs(const struct sw_response *r, struct sw_macs *to, bool *ret_more, struct base_err *err);
int rtl_refused(const struct sw_response *r, struct base_err *err);
bool rtl_logged_out(const struct sw_response *r);
bool rtl_whole(const struct sw_response *r);

#endif
