/* SPDX-License-Identifier: MIT */
/* fake_switch.h - a switch of a few lines behind the HTTP seam, for tests of the driver. */
#ifndef FAKE_SWITCH_H
#define FAKE_SWITCH_H

#include "unit.h"

#include "device.h"
#include "switchctl/rtl837x_pages.h"

/* A switch whose state is its group table; counts what it is asked. */
struct fake {
    struct sw_http http;
    struct sw_lag groups[3]; /* [1] and [2]; group 0 = not there */
    bool logged_in, wrong_password;
    unsigned frame, sent, logins, posts;
    int cut_pages;               /* so many answers end early */
    int drop_before, drop_after; /* so many POSTs get no answer: not done, done */
    int refuse;                  /* so many POSTs are refused, and the group is gone */
    int log_out_after;           /* requests until somebody's failed login; 0 = never */
    int ignore;                  /* so many POSTs are answered and not done */
    bool empty_when_out;         /* nothing, instead of "log in first" */
    int cut_first;               /* so many times the first page ends early */
    int mac_pages;               /* of the MAC table; negative = it never ends */
};

static struct sw_response page_bytes(const void *p, size_t n)
{
    struct sw_response r = { .status = 200 };
    base_buf_add(&r.body, p, n);
    return r;
}

static struct sw_response page_of(const char *text)
{
    return page_bytes(text, strlen(text));
}

static struct sw_response trunk_now(const struct fake *f)
{
    static const char start[] =
        HEAD("Trunking Information") TRUNK_FORM("\t\t<th>Type</th>\n") TRUNK_HEAD(TRUNK_TYPE);
    struct sw_response r = page_of(start);
    for (int g = 1; g <= 2; g++) {
        char ports[64];
        if (!f->groups[g].group)
            continue;
        sw_ports_format(f->groups[g].ports, ports, sizeof(ports));
        base_buf_printf(&r.body, TRUNK_ROW("Trunk%d", "%s", "%s", "%s"), g,
                        f->groups[g].mode == SW_LAG_STATIC ? "static" : "LACP", ports, ports);
    }
    base_buf_str(&r.body, TRUNK_END TAIL);
    return r;
}

/* As firmware V1.9: the old group is deleted, then the members are looked at. */
static bool taken(struct fake *f, int g, sw_ports ports)
{
    f->groups[g] = (struct sw_lag){ 0 };
    return (f->groups[3 - g].ports & ports) != 0;
}

static struct sw_response macs_now(struct fake *f)
{
    f->mac_pages -= f->mac_pages > 0;
    return page_of(f->mac_pages ? MACS(MAC_ROW("1", "02:00:5E:00:00:10", "1", "dynamic", "3"), "")
                                : mac_page);
}

static void do_post(struct fake *f, const struct sw_request *q)
{
    const char *id = strstr(q->body, "id="), *gone = strstr(q->body, "remove_");
    if (!strcmp(q->path, "/trunk.cgi?page=group")) {
        int g = id[3] - '0';
        struct sw_lag l = { .group = (unsigned)g,
                            .mode = strstr(q->body, "trunk_type=1") ? SW_LAG_LACP : SW_LAG_STATIC };
        for (const char *p = strstr(q->body, "ports="); p; p = strstr(p + 1, "ports="))
            l.ports |= SW_PORT(p[6] - '0' + 1);
        if (!taken(f, g, l.ports))
            f->groups[g] = l;
    } else if (gone) {
        f->groups[gone[7] - '0' + 1] = (struct sw_lag){ 0 };
    } else if (!strcmp(q->path, "/fwd.cgi?page=jumboframe")) {
        f->frame = (unsigned)(q->body[11] - '0');
    }
}

static struct sw_response page_for(struct fake *f, const char *path)
{
    if (!strcmp(path, "/info.cgi"))
        return page_of(info_page);
    if (strstr(path, "/trunk.cgi"))
        return trunk_now(f);
    if (!strcmp(path, "/panel.cgi"))
        return page_of(panel_page);
    if (!strcmp(path, "/port.cgi"))
        return page_of(port_page);
    if (strstr(path, "/mac.cgi"))
        return macs_now(f);
    if (strstr(path, "stats"))
        return page_of(stats_page);
    if (strstr(path, "jumboframe")) {
        struct sw_response r = page_of(jumbo_page);
        char *was = strstr(r.body.p, " selected"), *now;
        char value[] = { '"', (char)('0' + f->frame), '"', '\0' };
        memmove(was, was + 9, strlen(was + 9) + 1);
        r.body.n -= 9;
        now = strstr(r.body.p, value) + 3;
        struct sw_response out = page_bytes(r.body.p, (size_t)(now - r.body.p));
        base_buf_str(&out.body, " selected");
        base_buf_str(&out.body, now);
        base_buf_done(&r.body);
        return out;
    }
    return page_of("<html>Successfully Saved</html>");
}

static int fake_send(struct sw_http *h, const struct sw_request *q, const char *cookie,
                     base_time deadline, struct sw_response *ret, struct base_err *err)
{
    struct fake *f = (struct fake *)h;
    (void)deadline;
    base_buf_done(&ret->body);
    f->sent++;
    if (f->log_out_after && --f->log_out_after == 0)
        f->logged_in = false;
    if (!strcmp(q->path, "/login.cgi")) {
        f->logins++;
        f->logged_in = !f->wrong_password;
        *ret = page_of("<html><script>window.top.location.replace(\"/\");</script></html>");
        return 0;
    }
    if (!strcmp(q->path, "/") && f->logged_in && cookie[0]) {
        *ret = page_of("<html><head><title>SKS3200M-4GPY2XF</title></head><frameset></html>");
        return 0;
    }
    if (!f->logged_in || !cookie[0] || !strcmp(q->path, "/")) {
        *ret = page_of(first_page);
        if (f->empty_when_out && strcmp(q->path, "/") != 0)
            ret->body.n = 0;
        if (f->cut_first && f->cut_first--)
            ret->body.n = 20;
        ret->body.p[ret->body.n] = '\0';
        return 0;
    }
    f->posts += q->post;
    if (q->post && f->drop_before && f->drop_before--)
        return base_err_set(err, BASE_UNREACHABLE, "no answer");
    if (q->post && f->refuse && f->refuse--) {
        if (strstr(q->body, "id="))
            f->groups[strstr(q->body, "id=")[3] - '0'] = (struct sw_lag){ 0 };
        *ret = page_of("<html><title>Message</title><script>a('/alert.cgi?alertmsg=Error: no such "
                       "thing')</script></html>");
        return 0;
    }
    if (q->post && !(f->ignore && f->ignore--))
        do_post(f, q);
    if (q->post && f->drop_after && f->drop_after--)
        return base_err_set(err, BASE_UNREACHABLE, "no answer");
    *ret = page_for(f, q->path);
    if (!q->post && f->cut_pages && f->cut_pages--)
        ret->body.n /= 2;
    return 0;
}

static void fake_close(struct sw_http *h)
{
    (void)h;
}

static struct sw_device *open_fake(struct fake *f)
{
    struct sw_device *d = calloc(1, sizeof(*d));
    assert_non_null(d);
    f->http = (struct sw_http){ .send = fake_send, .close = fake_close };
    f->frame = 3;
    d->http = &f->http;
    d->can_log_in = true;
    memcpy(d->url, "http://sw", 10);
    memcpy(d->user, "admin", 6);
    return d;
}

static const struct sw_lag lacp12 = { .group = 1, .mode = SW_LAG_LACP, .ports = 3 },
                           static14 = { .group = 1, .mode = SW_LAG_STATIC, .ports = 9 };

#endif
