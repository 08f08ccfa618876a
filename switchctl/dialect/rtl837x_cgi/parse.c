/* SPDX-License-Identifier: MIT */
/* parse.c - reading the pages of rtl837x-cgi; facts in docs/dialects/rtl837x-cgi.md.
 *
 * Order of reading: info (firmware decides what may be written), trunk (its port select lists all physical ports),
 * panel, ports, stats, jumbo.  A page is recognised by its title and the headers of its table before it is believed. */
#define _GNU_SOURCE
#include "rtl837x_cgi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mac.h"
#include "html_in.h"

static bool contains(const struct sw_response *r, const char *what)
{
    return r->body.n && memmem(r->body.p, r->body.n, what, strlen(what));
}

bool rtl_logged_out(const struct sw_response *r)
{
    return contains(r, "replace(\"/login.cgi\")");
}

bool rtl_whole(const struct sw_response *r)
{
    return contains(r, "</html>");
}

int rtl_refused(const struct sw_response *r, struct base_err *err)
{
    static const char mark[] = "alertmsg=";
    const char *p = r->body.n ? memmem(r->body.p, r->body.n, mark, sizeof(mark) - 1) : NULL;
    size_t n;
    if (!p)
        return 0;
    p += sizeof(mark) - 1;
    n = strcspn(p, "\"'<>\r\n");
    return base_err_set(err, BASE_FAILED, "the switch says: %.*s", n > 200 ? 200 : (int)n, p);
}

static int open_page(const struct sw_response *r, const char *title, struct html_doc **ret, struct base_err *err)
{
    if (r->status != 200 || html_parse(r->body.p ? r->body.p : "", r->body.n, ret, NULL))
        return sw_not_understood(r, title, err);
    if (!strcmp(html_title(*ret), title))
        return 0;
    html_free(*ret);
    return sw_not_understood(r, title, err);
}

static void put(char to[static SW_TEXT], const char *from)
{
    (void)snprintf(to, SW_TEXT, "%.*s", SW_TEXT - 1, from);
}

/* What a firmware may be asked to write: only generation G1 is known well enough. */
static void generation(struct sw_state *st)
{
    const char *f = st->firmware;
    st->can = SW_CAN_READ | SW_CAN_MACS | SW_CAN_BACKUP;
    if (!strncmp(f, "V1.9", 4) && (f[4] == '\0' || f[4] == '.' || f[4] == ' '))
        st->can |= SW_CAN_LAG | SW_CAN_LACP | SW_CAN_FRAME | SW_CAN_SAVE;
    st->max_groups = 2;
    st->min_members = 2;
    st->max_members = 4;
}

int rtl_info(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    struct html_doc *d;
    const char *p, *end;
    struct base_mac mac;
    int rc = open_page(r, "System Information", &d, err);
    static const char *const rows[] = { "Device Model", "Firmware Version", "MAC Address" };
    char value[3][SW_TEXT] = { "", "", "" };
    if (rc)
        return rc;
    html_free(d);
    /* th and td pairs, one pair a row: the value is the cell after the label. */
    for (int i = 0; i < 3; i++) {
        p = memmem(r->body.p, r->body.n, rows[i], strlen(rows[i]));
        p = p ? strstr(p, "<td") : NULL;
        p = p ? strchr(p, '>') : NULL;
        end = p ? strchr(p, '<') : NULL;
        if (end)
            (void)snprintf(value[i], SW_TEXT, "%.*s", end - p - 1 < SW_TEXT - 1 ? (int)(end - p - 1) : SW_TEXT - 1, p + 1);
    }
    if (!value[0][0] || !value[1][0])
        return sw_not_understood(r, "rows Device Model and Firmware Version", err);
    put(st->model, value[0]);
    put(st->firmware, value[1]);
    st->has_mac = base_mac_parse(value[2], &mac);
    if (st->has_mac)
        memcpy(st->mac, mac.b, 6);
    generation(st);
    return 0;
}

/* "1-3,5", "1, 3"; "" and "-" = none.  false: not a list. */
static bool port_list(const char *text, sw_ports *ret)
{
    char dense[HTML_TEXT];
    size_t n = 0;
    for (; *text && n < sizeof(dense) - 1; text++)
        if (*text != ' ')
            dense[n++] = *text;
    dense[n] = '\0';
    *ret = 0;
    if (!dense[0] || !strcmp(dense, "-"))
        return true;
    return sw_ports_parse(dense, ret, NULL) == 0;
}

static int one_group(const struct html_table *t, const struct html_row *row, struct sw_state *st)
{
    const char *name = html_cell(row, 0), *type = html_cell(row, html_column(t, "Type"));
    struct sw_lag l = { .mode = SW_LAG_STATIC, .up_known = true };
    if (strncmp(name, "Trunk", 5) != 0 || name[5] < '1' || name[5] > '9' || name[6] || st->n_lags == SW_LAGS)
        return -1;
    l.group = (unsigned)(name[5] - '0');
    if (html_column(t, "Type") >= 0) { /* V1.7 has no such column: static only */
        if (!strcasecmp(type, "LACP"))
            l.mode = SW_LAG_LACP;
        else if (strcasecmp(type, "static") != 0)
            return -1;
    }
    if (!port_list(html_cell(row, html_column(t, "Member port")), &l.ports) || !l.ports ||
        !port_list(html_cell(row, html_column(t, "Aggregated Port")), &l.up_ports))
        return -1;
    if (sw_find_lag(st, l.group) || (l.up_ports & ~l.ports) || (st->n_ports < SW_PORTS && l.ports >> st->n_ports))
        return -1;
    st->lags[st->n_lags++] = l;
    return 0;
}

static void add_ports(const struct html_doc *d, struct sw_state *st)
{
    struct html_option o[SW_PORTS];
    size_t n = html_options(d, "ports", o, SW_PORTS);
    st->n_ports = n;
    for (size_t i = 0; i < n; i++) {
        struct sw_port *p = &st->ports[i];
        *p = (struct sw_port){ .number = (unsigned)i + 1, .link = SW_UNKNOWN, .enabled = SW_UNKNOWN, .full_duplex = SW_UNKNOWN };
        put(p->name, o[i].text);
    }
}

int rtl_trunk(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    static const char *const heads[] = { "Group ID", "Member port", "Aggregated Port", NULL };
    struct html_doc *d;
    struct html_table t;
    int rc = open_page(r, "Trunking Information", &d, err);
    if (rc)
        return rc;
    if (st->n_ports == 0)
        add_ports(d, st);
    st->n_lags = 0;
    if (!html_find_table(d, heads, &t) || st->n_ports == 0)
        rc = sw_not_understood(r, "a table with Group ID, Member port, Aggregated Port", err);
    for (size_t i = 0; i < t.n && !rc; i++)
        if (one_group(&t, &t.rows[i], st))
            rc = sw_not_understood(r, "rows Trunk1 and Trunk2 with a type and port lists", err);
    html_table_done(&t);
    html_free(d);
    for (size_t i = 0; i < st->n_ports && !rc; i++) {
        st->ports[i].lag = 0;
        for (size_t k = 0; k < st->n_lags; k++)
            if (st->lags[k].ports & SW_PORT(st->ports[i].number))
                st->ports[i].lag = st->lags[k].group;
    }
    return rc;
}

struct panel {
    struct sw_state *st;
    size_t n;
};

static void panel_image(void *arg, const char *src)
{
    struct panel *p = arg;
    bool copper = strstr(src, "RJ45_") != NULL, fiber = strstr(src, "Fiber_") != NULL;
    enum sw_tri link = SW_UNKNOWN;
    if (!copper && !fiber)
        return;
    if (strstr(src, "loop_") || strstr(src, "RJ45_up_1") || strstr(src, "Fiber_up_0"))
        link = SW_YES;
    else if (strstr(src, "RJ45_up_0") || strstr(src, "Fiber_down_0"))
        link = SW_NO;
    if (p->n < p->st->n_ports)
        p->st->ports[p->n].link = link;
    p->n++;
}

/* Link per physical port, members of a group too.  Its markup differs between builds: what does not fit stays unknown. */
int rtl_panel(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    struct panel p = { .st = st };
    struct html_doc *d;
    if (r->status != 200 || html_parse(r->body.p ? r->body.p : "", r->body.n, &d, NULL))
        return sw_not_understood(r, "the port panel", err);
    html_images(d, panel_image, &p);
    html_free(d);
    if (p.n != st->n_ports)
        for (size_t i = 0; i < st->n_ports; i++)
            st->ports[i].link = SW_UNKNOWN;
    return 0;
}

static struct sw_port *port_named(struct sw_state *st, const char *name)
{
    unsigned n;
    if (sscanf(name, "Port %2u", &n) != 1)
        return NULL;
    for (size_t i = 0; i < st->n_ports; i++)
        if (st->ports[i].number == n)
            return &st->ports[i];
    return NULL;
}

/* "2500Full", "10GFull", "Link Down". */
static void actual_speed(struct sw_port *p, const char *text)
{
    unsigned v = 0;
    int used = 0;
    if (!strcmp(text, "Link Down")) {
        p->link = SW_NO;
        return;
    }
    if (sscanf(text, "%5u%n", &v, &used) != 1)
        return;
    p->link = SW_YES;
    p->speed_mbps = text[used] == 'G' ? v * 1000 : v;
    p->full_duplex = strstr(text, "Full") ? SW_YES : strstr(text, "Half") ? SW_NO : SW_UNKNOWN;
}

int rtl_ports(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    static const char *const heads[] = { "Port", "State", "Speed/Duplex", NULL };
    struct html_doc *d;
    struct html_table t;
    int rc = open_page(r, "Port Setting", &d, err);
    if (rc)
        return rc;
    /* The forms above have the same heads; the status table is the one with "Config" and "Actual" below. */
    static const char *const sub[] = { "Config", "Actual", NULL };
    struct html_table second;
    bool found = html_find_table(d, sub, &second);
    html_table_done(&second);
    if (!found || !html_find_table(d, sub, &t)) {
        html_free(d);
        return sw_not_understood(r, "a port table with Config and Actual", err);
    }
    (void)heads;
    for (size_t i = 0; i < t.n; i++) {
        struct sw_port *p = port_named(st, html_cell(&t.rows[i], 0));
        if (!p)
            continue; /* Trunk<n>: speed of one member, state of none */
        p->enabled = !strcmp(html_cell(&t.rows[i], 1), "Enable") ? SW_YES : SW_NO;
        actual_speed(p, html_cell(&t.rows[i], 3));
    }
    html_table_done(&t);
    html_free(d);
    return 0;
}

/* "123" or "hi-lo". */
static bool counter(const char *text, uint64_t *ret)
{
    unsigned long long hi, lo;
    char *end;
    hi = strtoull(text, &end, 10);
    if (end == text)
        return false;
    *ret = hi;
    if (*end == '-') {
        const char *low = end + 1;
        lo = strtoull(low, &end, 10);
        if (end == low)
            return false;
        *ret = hi << 32 | (lo & 0xffffffff);
    }
    return *end == '\0';
}

int rtl_stats(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    static const char *const heads[] = { "Port", "Link Status", "TxGoodPkt", "RxGoodPkt", NULL };
    struct html_doc *d;
    struct html_table t;
    int rc = open_page(r, "Port Stistics", &d, err); /* the device's own spelling */
    if (rc)
        return rc;
    if (!html_find_table(d, heads, &t)) {
        html_free(d);
        return sw_not_understood(r, "a table with TxGoodPkt and RxGoodPkt", err);
    }
    for (size_t i = 0; i < t.n; i++) {
        const struct html_row *row = &t.rows[i];
        struct sw_port *p = port_named(st, html_cell(row, html_column(&t, "Port")));
        if (!p)
            continue;
        p->has_counters = counter(html_cell(row, html_column(&t, "TxGoodPkt")), &p->tx_good) &&
                          counter(html_cell(row, html_column(&t, "RxGoodPkt")), &p->rx_good);
        (void)counter(html_cell(row, html_column(&t, "TxBadPkt")), &p->tx_bad);
        (void)counter(html_cell(row, html_column(&t, "RxBadPkt")), &p->rx_bad);
        p->counters_wrap32 = !strchr(html_cell(row, html_column(&t, "TxGoodPkt")), '-');
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
    int rc = open_page(r, "Jumbo Frame Setting", &d, err);
    if (rc)
        return rc;
    n = html_options(d, "jumboframe", o, SW_CHOICES);
    html_free(d);
    st->frame = (struct sw_frame){ .counts_fcs = true };
    for (size_t i = 0; i < n; i++) {
        unsigned v;
        int used = 0;
        if (sscanf(o[i].text, "%5u%n", &v, &used) != 1 || (o[i].text[used] && strncmp(o[i].text + used, "Bytes", 5)) || v < 64)
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
        struct sw_mac m = { .is_static = !strcasecmp(html_cell(row, html_column(&t, "Type")), "static") };
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
