/* SPDX-License-Identifier: MIT */
/* rtl837x_cgi.h (internal) - pages of the RTL8372/RTL8373 "web managed" switches. */
#ifndef RTL837X_CGI_H
#define RTL837X_CGI_H

#include "dialect.h"

#define RTL_GROUPS 2 /* Trunk1, Trunk2 */

struct html_doc;

int rtl_info(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_ports(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_stats(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_panel(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_trunk(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_jumbo(const struct sw_response *r, struct sw_state *st, struct base_err *err);
int rtl_macs(const struct sw_response *r, struct sw_macs *to, bool *ret_more, struct base_err *err);
int rtl_refused(const struct sw_response *r, struct base_err *err);
/* For the parsers.  A page is whole and has this title, or it is not understood. */
int rtl_open_page(const struct sw_response *r, const char *title, struct html_doc **ret,
                  struct base_err *err);
/* A decimal number up to `max`, and where it ends; no sign, no blanks. */
bool rtl_digits(const char *text, uint32_t max, unsigned *ret, const char **end);
unsigned rtl_name_number(const char *name); /* "Port 3" -> 3; 0 = not a port */
struct sw_port *rtl_port_named(struct sw_state *st, const char *name); /* NULL = none */
struct sw_port *rtl_add_port(struct sw_state *st, unsigned number, const char *name);

bool rtl_logged_out(const struct sw_response *r);
bool rtl_partly_known(const struct sw_state *st);
bool rtl_whole(const struct sw_response *r);

#endif
