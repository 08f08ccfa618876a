/* SPDX-License-Identifier: MIT */
/* show.c - `linkctl show`: the stack as a tree, in 80 columns, or the document "link-state". */
#include "verbs.h"

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/json.h"

#define MAX_DEPTH 8

struct drawing {
    struct cli *cli;
    const struct link_state *st;
    struct base_buf out;
};

static bool is_base_of(const struct link_iface *d)
{
    return !strcmp(d->kind, "vlan") || !strcmp(d->kind, "macvlan") || !strcmp(d->kind, "ipvlan");
}

static bool has_device_below(const struct link_state *st, const struct link_iface *d)
{
    if (is_base_of(d) && d->lower && link_find_index(st, d->lower) &&
        d->lower_netns == LINK_UNKNOWN)
        return true;
    return false;
}

static void speed_text(const struct link_iface *d, char *text, size_t size)
{
    if (d->speed_mbps <= 0)
        (void)snprintf(text, size, "-");
    else if (d->speed_mbps % 1000 == 0)
        (void)snprintf(text, size, "%dG", d->speed_mbps / 1000);
    else if (d->speed_mbps > 1000)
        (void)snprintf(text, size, "%.1fG", d->speed_mbps / 1000.0);
    else
        (void)snprintf(text, size, "%dM", d->speed_mbps);
}

static void lacp_words(int state, char *text, size_t size)
{
    bool up = state >= 0 && (state & LINK_LACP_COLLECTING) && (state & LINK_LACP_DISTRIBUTING);
    if (state < 0)
        (void)snprintf(text, size, "-");
    else if (state & LINK_LACP_DEFAULTED)
        (void)snprintf(text, size, "no partner");
    else if (state & LINK_LACP_EXPIRED)
        (void)snprintf(text, size, "partner silent");
    else
        (void)snprintf(text, size, "%s", up ? "in sync" : "not in sync");
}

static void bond_line(struct drawing *w, const struct link_iface *d, char *text, size_t size)
{
    const struct link_bond_opts *o = &d->bond.opts;
    const char *mode = link_bond_mode_name(o->num[LINK_BOND_MODE]);
    const struct link_iface *m[256];
    size_t n = link_members(w->st, d->ifindex, m, 256), up = 0;
    for (size_t i = 0; i < n && i < 256; i++)
        up += m[i]->member.mii_up;
    if (d->bond.has_lacp)
        (void)snprintf(text, size, "bond %s, %u of %zu members aggregated%s", mode ? mode : "?",
                       d->bond.lacp.ports, n,
                       memcmp(d->bond.lacp.partner_mac, "\0\0\0\0\0\0", 6) ? ""
                                                                           : ", no LACP partner");
    else
        (void)snprintf(text, size, "bond %s, %zu of %zu members up", mode ? mode : "?", up, n);
}

static void detail(struct drawing *w, const struct link_iface *d, char *text, size_t size)
{
    char lacp[32];
    text[0] = '\0';
    if (d->is_bond) {
        bond_line(w, d, text, size);
    } else if (d->is_member) {
        lacp_words(d->member.actor_state, lacp, sizeof(lacp));
        if (d->member.actor_state != LINK_UNKNOWN)
            (void)snprintf(text, size, "%s, aggregator %d, LACP: %s",
                           d->member.active ? "active" : "idle", d->member.aggregator_id, lacp);
        else
            (void)snprintf(text, size, "%s", d->member.active ? "active" : "backup");
    } else if (d->is_vlan) {
        (void)snprintf(text, size, "VLAN %u", d->vlan.id);
    } else {
        (void)snprintf(text, size, "%s", d->kind);
    }
}

static const char *state_word(const struct link_iface *d)
{
    if (!(d->flags & IFF_UP))
        return "off";
    return d->carrier == 0 ? "no link" : "up";
}

static void line(struct drawing *w, const struct link_iface *d, const struct link_iface *under,
                 const char *prefix, const char *branch)
{
    bool good = !strcmp(state_word(d), "up"), odd = under && under->mtu != d->mtu;
    char name[64], text[128], speed[16];
    int pad;
    detail(w, d, text, sizeof(text));
    speed_text(d, speed, sizeof(speed));
    (void)snprintf(name, sizeof(name), "%s", d->name);
    /* Branch characters are three bytes for one column: pad by columns. */
    pad = 22 - (int)strlen(d->name) - 3 * (int)(branch[0] != '\0') - (int)strlen(prefix);
    for (const char *p = prefix; *p; p++)
        pad += ((unsigned char)*p & 0xc0) == 0x80;
    base_buf_printf(&w->out, "%s%s%s%s%s%*s %s%-7s%s %5s  %s%5u%s  %s\n", prefix, branch,
                    cli_style(w->cli->color, CLI_BOLD), name, cli_style(w->cli->color, CLI_PLAIN),
                    pad > 0 ? pad : 0, "", cli_style(w->cli->color, good ? CLI_GREEN : CLI_YELLOW),
                    state_word(d), cli_style(w->cli->color, CLI_PLAIN), speed,
                    cli_style(w->cli->color, odd ? CLI_YELLOW : CLI_PLAIN), d->mtu,
                    cli_style(w->cli->color, CLI_PLAIN), text);
}

/* What hangs below a device in the drawing: members of a bond or bridge, then VLANs and the like on it. */
static size_t children(const struct link_state *st, const struct link_iface *d,
                       const struct link_iface **v, size_t cap)
{
    size_t n = link_members(st, d->ifindex, v, cap);
    n = n < cap ? n : cap;
    for (size_t i = 0; i < st->n && n < cap; i++)
        if (is_base_of(&st->v[i]) && st->v[i].lower == d->ifindex &&
            st->v[i].lower_netns == LINK_UNKNOWN && !st->v[i].master)
            v[n++] = &st->v[i];
    return n;
}

static void branch_of(struct drawing *w, const struct link_iface *d, const char *prefix, int depth)
{
    const struct link_iface *v[256];
    size_t n = depth < MAX_DEPTH ? children(w->st, d, v, 256) : 0;
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n;
        char deeper[128];
        line(w, v[i], d, prefix, last ? "└─ " : "├─ ");
        (void)snprintf(deeper, sizeof(deeper), "%s%s", prefix, last ? "   " : "│  ");
        branch_of(w, v[i], deeper, depth + 1);
    }
}

static void mtu_warning(struct drawing *w)
{
    for (size_t i = 0; i < w->st->n; i++) {
        const struct link_iface *d = &w->st->v[i];
        const struct link_iface *m = d->is_member ? link_find_index(w->st, d->master) : NULL;
        if (m && m->mtu != d->mtu)
            base_buf_printf(
                &w->out,
                "MTU differs: %s has %u, its bond %s has %u\n  mend it: linkctl mtu set %s %u\n",
                d->name, d->mtu, m->name, m->mtu, m->name, m->mtu);
    }
}

static int draw(struct cli *cli, const struct link_state *st, const struct link_iface *only)
{
    struct drawing w = { .cli = cli, .st = st };
    base_buf_printf(&w.out, "%-22s %-7s %5s  %5s\n", "DEVICE", "STATE", "SPEED", "MTU");
    for (size_t i = 0; i < st->n; i++) {
        const struct link_iface *d = &st->v[i];
        if (only ? d != only : d->master || has_device_below(st, d) || (d->flags & IFF_LOOPBACK))
            continue;
        line(&w, d, NULL, "", "");
        branch_of(&w, d, "", 0);
    }
    mtu_warning(&w);
    return cli_print(cli, &w.out);
}

int verb_show(struct cli *cli)
{
    const struct link_iface *only = NULL;
    struct host h;
    char *json;
    int rc = host_open(cli, LINK_READ_ALL | LINK_READ_COUNTERS, &h);
    if (rc)
        return rc;
    for (int i = 0; i < cli->argc && !rc; i++)
        rc = link_need(&h.st, cli->argv[i], &only, &cli->err);
    if (!rc && cli->json) {
        struct base_buf out = { 0 };
        rc = link_state_json(&h.st, cli->argv, (size_t)cli->argc, &json, &cli->err);
        if (!rc) {
            base_buf_str(&out, json);
            free(json);
            rc = cli_print(cli, &out);
        }
    } else if (!rc) {
        rc = draw(cli, &h.st, only);
    }
    host_close(&h);
    return rc;
}
