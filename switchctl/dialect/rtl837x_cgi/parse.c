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

int rtl_open_page(const struct sw_response *r, const char *title, struct html_doc **ret,
                  struct base_err *err)
{
    /* A page cut off may still have a table that looks whole. */
    if (r->status != 200 || !rtl_whole(r) || html_parse(r->body.p, r->body.n, ret, NULL))
        return sw_not_understood(r, title, err);
    if (!strcmp(html_title(*ret), title))
        return 0;
    html_free(*ret);
    return sw_not_understood(r, title, err);
}

/* V1.x, and V100.x which has the same pages.  Of others, what is not understood stays unknown. */
bool rtl_partly_known(const struct sw_state *st)
{
    return strncmp(st->firmware, "V1.", 3) != 0 && strncmp(st->firmware, "V100.", 5) != 0;
}

static void put(char to[static SW_TEXT], const char *from)
{
    (void)snprintf(to, SW_TEXT, "%.*s", SW_TEXT - 1, from);
}

/* A decimal number up to `max`, and where it ends; no sign, no blanks. */
bool rtl_digits(const char *text, uint32_t max, unsigned *ret, const char **end)
{
    uint64_t v = 0;
    size_t n = 0;
    for (; text[n] >= '0' && text[n] <= '9' && v <= max; n++)
        v = v * 10 + (uint64_t)(text[n] - '0');
    *ret = v <= max ? (unsigned)v : 0;
    *end = text + n;
    return n && v <= max;
}

/* "Port 3" -> 3; 0 = not a port. */
unsigned rtl_name_number(const char *name)
{
    const char *end;
    unsigned n;
    return !strncmp(name, "Port ", 5) && rtl_digits(name + 5, SW_PORTS, &n, &end) && !*end ? n : 0;
}

/* What a firmware may be asked to write: only generation G1 is known well enough. */
static void generation(struct sw_state *st)
{
    const char *f = st->firmware;
    st->can = SW_CAN_READ | SW_CAN_BACKUP;
    if (!rtl_partly_known(st)) /* others page their MAC table in another way */
        st->can |= SW_CAN_MACS;
    if (!strncmp(f, "V1.9", 4) && (f[4] == '\0' || f[4] == '.' || f[4] == ' '))
        st->can |= SW_CAN_LAG | SW_CAN_LACP | SW_CAN_FRAME | SW_CAN_SAVE;
    st->max_groups = RTL_GROUPS;
    st->min_members = 2;
    st->max_members = 4;
}

int rtl_info(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    char model[HTML_TEXT], firmware[HTML_TEXT], address[HTML_TEXT];
    struct html_doc *d;
    struct base_mac mac;
    int rc = rtl_open_page(r, "System Information", &d, err);
    if (rc)
        return rc;
    html_cell_after(d, "Device Model", model);
    html_cell_after(d, "Firmware Version", firmware);
    html_cell_after(d, "MAC Address", address);
    html_free(d);
    if (!model[0] || !firmware[0])
        return sw_not_understood(r, "rows Device Model and Firmware Version", err);
    put(st->model, model);
    put(st->firmware, firmware);
    st->has_mac = base_mac_parse(address, &mac);
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
    if (row->n != t->n_heads) /* a cell too few: the lists stand in other columns */
        return -1;
    if (strncmp(name, "Trunk", 5) != 0 || name[5] < '1' || name[5] > '9' || name[6] ||
        st->n_lags == SW_LAGS)
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
    if (l.group > st->max_groups || sw_find_lag(st, l.group) || (l.up_ports & ~l.ports) ||
        (st->n_ports < SW_PORTS && l.ports >> st->n_ports))
        return -1;
    for (size_t i = 0; i < st->n_lags; i++)
        if (st->lags[i].ports & l.ports)
            return -1;
    st->lags[st->n_lags++] = l;
    return 0;
}

struct sw_port *rtl_add_port(struct sw_state *st, unsigned number, const char *name)
{
    struct sw_port *p = &st->ports[st->n_ports++];
    *p = (struct sw_port){
        .number = number, .link = SW_UNKNOWN, .enabled = SW_UNKNOWN, .full_duplex = SW_UNKNOWN
    };
    put(p->name, name);
    return p;
}

/* Writes name a port by its place in this list: it must count 0, 1, 2 ... and say Port 1, Port 2 ... */
static void add_ports(const struct html_doc *d, struct sw_state *st)
{
    struct html_option o[SW_PORTS];
    size_t n = html_options(d, "ports", o, SW_PORTS);
    for (size_t i = 0; i < n; i++) {
        char value[8], name[16];
        (void)snprintf(value, sizeof(value), "%zu", i);
        (void)snprintf(name, sizeof(name), "Port %zu", i + 1);
        if (strcmp(o[i].value, value) != 0 || strcmp(o[i].text, name) != 0) {
            st->n_ports = 0;
            return;
        }
        rtl_add_port(st, (unsigned)i + 1, name);
    }
}

int rtl_trunk(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    static const char *const heads[] = { "Group ID", "Member port", "Aggregated Port", NULL };
    struct html_doc *d;
    struct html_table t;
    int rc = rtl_open_page(r, "Trunking Information", &d, err);
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
    if (rc)
        st->n_lags = 0;
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
    bool loop = strstr(src, "loop_rl") != NULL; /* a port with a loop, which has a link */
    enum sw_tri link = SW_UNKNOWN;
    if (!strstr(src, "RJ45_") && !strstr(src, "Fiber_") && !loop)
        return;
    if (loop || strstr(src, "RJ45_up_1") || strstr(src, "Fiber_up_0"))
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

struct sw_port *rtl_port_named(struct sw_state *st, const char *name)
{
    unsigned n = rtl_name_number(name);
    for (size_t i = 0; i < st->n_ports; i++)
        if (st->ports[i].number == n)
            return &st->ports[i];
    return NULL;
}

/* "2500Full", "10GFull", "Link Down". */
static void actual_speed(struct sw_port *p, const char *text)
{
    const char *end;
    unsigned v;
    if (!strcmp(text, "Link Down")) {
        p->link = SW_NO;
        return;
    }
    if (!rtl_digits(text, 100000, &v, &end) || !v)
        return;
    v *= *end == 'G' ? 1000 : 1;
    end += *end == 'G';
    if (strcmp(end, "Full") != 0 && strcmp(end, "Half") != 0)
        return;
    p->link = SW_YES;
    p->speed_mbps = v;
    p->full_duplex = *end == 'F' ? SW_YES : SW_NO;
}

/* "Auto", "1000Full", "2.5G Full"; blanks differ between builds. */
static void setting(struct sw_port *p, const char *text)
{
    size_t n = 0;
    for (; *text && n < sizeof(p->setting) - 1; text++)
        if (*text != ' ')
            p->setting[n++] = *text;
    p->setting[n] = '\0';
}

int rtl_ports(const struct sw_response *r, struct sw_state *st, struct base_err *err)
{
    /* The forms above have the same heads; the status table is the one with "Config" and "Actual" below. */
    static const char *const sub[] = { "Config", "Actual", NULL };
    struct html_doc *d;
    struct html_table t;
    int rc = rtl_open_page(r, "Port Setting", &d, err);
    if (rc)
        return rc;
    if (!html_find_table(d, sub, &t)) {
        html_free(d);
        return sw_not_understood(r, "a port table with Config and Actual", err);
    }
    for (size_t i = 0; i < t.n; i++) {
        struct sw_port *p = rtl_port_named(st, html_cell(&t.rows[i], 0));
        const char *state;
        if (!p)
            continue; /* Trunk<n>: speed of one member, state of none */
        state = html_cell(&t.rows[i], 1);
        p->enabled = !strcmp(state, "Enable")    ? SW_YES
                     : !strcmp(state, "Disable") ? SW_NO
                                                 : SW_UNKNOWN;
        setting(p, html_cell(&t.rows[i], 2));
        actual_speed(p, html_cell(&t.rows[i], 3));
    }
    html_table_done(&t);
    html_free(d);
    return 0;
}
