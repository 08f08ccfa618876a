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
        unsigned v;
        int used = 0;
        if (sscanf(o[i].text, "%5u%n", &v, &used) != 1 ||
            (o[i].text[used] && strncmp(o[i].text + used, "Bytes", 5)) || v < 64)
            return sw_not_understood(r, "frame sizes in the jumboframe list", err);
        /* A write sends the index.  Where the list does not count from 0 it is of a generation not known well enough. */
        if (strtoul(o[i].value, NULL, 10) != i)
            st->can &= ~(unsigned)SW_CAN_FRAME;
        st->frame.choices[st->frame.n_choices++] = v;
        if (o[i].selected)
            st->frame.bytes = v;
    }
    return st->frame.bytes ? 0 : sw_not_understood(r, "a selected frame size", err);
}

int rtl_macs(const struct sw_response *r, struct sw_macs *to, bool *ret_more, struct base_err *err)
{
    static const char *const heads[] = { "MAC Address", "VLAN ID", "Port", NULL };
    struct html_doc *d;
    struct html_table t;
    bool found = false, disabled;
    int rc = 0;
    if (r->status != 200 || html_parse(r->body.p ? r->body.p : "", r->body.n, &d, NULL))
        return sw_not_understood(r, "the MAC table", err);
    if (!html_find_table(d, heads, &t)) {
        html_free(d);
        return sw_not_understood(r, "a table with MAC Address, VLAN ID, Port", err);
    }
    for (size_t i = 0; i < t.n && !rc; i++) {
        const struct html_row *row = &t.rows[i];
        const char *port = html_cell(row, html_column(&t, "Port"));
        struct sw_mac m = { .is_static =
                                !strcasecmp(html_cell(row, html_column(&t, "Type")), "static") };
        struct base_mac mac;
        if (!base_mac_parse(html_cell(row, html_column(&t, "MAC Address")), &mac))
            continue;
        memcpy(m.mac, mac.b, 6);
        (void)sscanf(html_cell(row, html_column(&t, "VLAN ID")), "%4u", &m.vlan);
        if (sscanf(port, "Trunk%1u", &m.lag) != 1)
            (void)sscanf(port, "%2u", &m.port);
        rc = sw_macs_add(to, &m, err);
    }
    disabled = html_id_has(d, "next", "disabled", &found);
    *ret_more = found && !disabled;
    html_table_done(&t);
    html_free(d);
    return rc;
}
