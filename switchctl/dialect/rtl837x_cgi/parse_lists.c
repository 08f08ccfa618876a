/* SPDX-License-Identifier: MIT */
/* parse_lists.c - the pages of rtl837x-cgi that are lists of numbers: counters, frame sizes, MAC table. */
#define _GNU_SOURCE
#include "rtl837x_cgi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mac.h"
#include "html_in.h"

/* "123" or "hi-lo", two halves of 32 bits. */
static bool counter(const char *text, uint64_t *ret)
{
    unsigned hi, lo;
    const char *end;
    if (rtl_digits(text, UINT32_MAX, &hi, &end) && *end == '-' &&
        rtl_digits(end + 1, UINT32_MAX, &lo, &end) && !*end) {
        *ret = (uint64_t)hi << 32 | lo;
        return true;
    }
    for (end = text; *end >= '0' && *end <= '9'; end++)
        ;
    if (end == text || *end || end - text > 18)
        return false;
    *ret = strtoull(text, NULL, 10);
    return true;
}

int rtl_stats(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    static const char *const heads[] = { "Port", "Link Status", "TxGoodPkt", "RxGoodPkt", NULL };
    bool none = st->n_ports ==
                0; /* the page with all ports was not understood: at least those that stand here */
    struct html_doc *d;
    struct html_table t;
    int rc = rtl_open_page(r, "Port Stistics", &d, err); /* the device's own spelling */
    if (rc)
        return rc;
    if (!html_find_table(d, heads, &t)) {
        html_free(d);
        return sw_not_understood(r, "a table with TxGoodPkt and RxGoodPkt", err);
    }
    for (size_t i = 0; i < t.n; i++) {
        const struct html_row *row = &t.rows[i];
        const char *name = html_cell(row, html_column(&t, "Port"));
        struct sw_port *p = rtl_port_named(st, name);
        if (!p && none && rtl_name_number(name))
            p = rtl_add_port(st, rtl_name_number(name), name);
        if (!p)
            continue;
        if (p->link == SW_UNKNOWN) {
            const char *link = html_cell(row, html_column(&t, "Link Status"));
            p->link = !strcmp(link, "Link Up")     ? SW_YES
                      : !strcmp(link, "Link Down") ? SW_NO
                                                   : SW_UNKNOWN;
        }
        p->has_counters = counter(html_cell(row, html_column(&t, "TxGoodPkt")), &p->tx_good) &&
                          counter(html_cell(row, html_column(&t, "RxGoodPkt")), &p->rx_good);
        p->has_bad = counter(html_cell(row, html_column(&t, "TxBadPkt")), &p->tx_bad) &&
                     counter(html_cell(row, html_column(&t, "RxBadPkt")), &p->rx_bad);
        p->counters_wrap32 = !strncmp(st->firmware, "V1.", 3) &&
                             !strchr(html_cell(row, html_column(&t, "TxGoodPkt")), '-');
    }
    html_table_done(&t);
    html_free(d);
    return 0;
}

int rtl_jumbo(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    struct html_option o[SW_CHOICES];
    struct html_doc *d;
    size_t n;
    int rc = rtl_open_page(r, "Jumbo Frame Setting", &d, err);
    if (rc)
        return rc;
    n = html_options(d, "jumboframe", o, SW_CHOICES);
    html_free(d);
    st->frame = (struct sw_frame){ .counts_fcs = true };
    for (size_t i = 0; i < n; i++) {
        unsigned v, index;
        const char *end;
        if (!rtl_digits(o[i].text, 65535, &v, &end) || (*end && strcmp(end, "Bytes") != 0) ||
            v < 64)
            return sw_not_understood(r, "frame sizes in the jumboframe list", err);
        /* A write sends the index.  Where the list does not count from 0 it is of a generation not known well enough. */
        if (!o[i].has_value || !rtl_digits(o[i].value, SW_CHOICES, &index, &end) || *end ||
            index != i)
            st->can &= ~(unsigned)SW_CAN_FRAME;
        st->frame.choices[st->frame.n_choices++] = v;
        if (o[i].selected)
            st->frame.bytes = v;
    }
    return st->frame.bytes ? 0 : sw_not_understood(r, "a selected frame size", err);
}

/* "3", "Port 3", "Trunk1", or "CPU", which is the device itself. */
static bool mac_place(const char *text, struct sw_mac *m)
{
    const char *end;
    if (!strcmp(text, "CPU"))
        return true;
    if (!strncmp(text, "Trunk", 5))
        return rtl_digits(text + 5, RTL_GROUPS, &m->lag, &end) && !*end && m->lag;
    m->port = rtl_name_number(text);
    return m->port || (rtl_digits(text, SW_PORTS, &m->port, &end) && !*end && m->port);
}

static bool mac_row(const struct html_table *t, const struct html_row *row, struct sw_mac *m)
{
    const char *end;
    struct base_mac mac;
    *m = (struct sw_mac){ .is_static =
                              !strcasecmp(html_cell(row, html_column(t, "Type")), "static") };
    if (!base_mac_parse(html_cell(row, html_column(t, "MAC Address")), &mac))
        return false;
    memcpy(m->mac, mac.b, 6);
    return rtl_digits(html_cell(row, html_column(t, "VLAN ID")), 4095, &m->vlan, &end) && !*end &&
           mac_place(html_cell(row, html_column(t, "Port")), m);
}

/* One page of the table.  Only the button that leads to the next one says whether it is the last. */
int rtl_macs(const struct sw_response *r, struct sw_macs *to, bool *ret_more, struct base_err *err)
{
    static const char *const heads[] = { "MAC Address", "VLAN ID", "Port", NULL };
    struct html_doc *d;
    struct html_table t;
    bool found = false, disabled;
    int rc = 0;
    if (r->status != 200 || !rtl_whole(r) || html_parse(r->body.p, r->body.n, &d, NULL))
        return sw_not_understood(r, "the MAC table", err);
    if (!html_find_table(d, heads, &t)) {
        html_free(d);
        return sw_not_understood(r, "a table with MAC Address, VLAN ID, Port", err);
    }
    disabled = html_id_has(d, "next", "disabled", &found);
    if (!found)
        rc = sw_not_understood(r, "a button for the next page of the MAC table", err);
    for (size_t i = 0; i < t.n && !rc; i++) {
        struct sw_mac m;
        rc = mac_row(&t, &t.rows[i], &m)
                 ? sw_macs_add(to, &m, err)
                 : sw_not_understood(r, "rows with a MAC address, a VLAN and a port", err);
    }
    *ret_more = !disabled;
    html_table_done(&t);
    html_free(d);
    return rc;
}
