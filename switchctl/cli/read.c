/* SPDX-License-Identifier: MIT */
/* read.c - verbs that only read: show, ports, mac, lag show, jumbo show, backup, discover, dialects. */
#include "target.h"
#include "verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mac.h"
#include "dialect.h"
#include "os.h"

static const char *const proven_words[] = { "proven on an emulator only",
                                            "reading proven on captured pages",
                                            "proven on hardware" };

static void head(struct base_buf *out, const struct sw_state *st)
{
    base_buf_printf(out, "%s  firmware %s  (%s, %s)\n", st->model, st->firmware, st->dialect,
                    proven_words[st->proven]);
}

static void ports_text(struct base_buf *out, const struct sw_state *st)
{
    base_buf_printf(out, "%-8s %-8s %9s  %-6s %14s %14s\n", "PORT", "LINK", "Mb/s", "GROUP",
                    "RX PACKETS", "TX PACKETS");
    for (size_t i = 0; i < st->n_ports; i++) {
        const struct sw_port *p = &st->ports[i];
        char speed[16] = "-", lag[16] = "-", rx[24] = "-", tx[24] = "-";
        if (p->speed_mbps)
            (void)snprintf(speed, sizeof(speed), "%u", p->speed_mbps);
        if (p->lag)
            (void)snprintf(lag, sizeof(lag), "%u", p->lag);
        if (p->has_counters) {
            (void)snprintf(rx, sizeof(rx), "%llu", (unsigned long long)p->rx_good);
            (void)snprintf(tx, sizeof(tx), "%llu", (unsigned long long)p->tx_good);
        }
        base_buf_printf(out, "%-8u %-8s %9s  %-6s %14s %14s\n", p->number,
                        p->enabled == SW_NO ? "disabled"
                        : p->link == SW_YES ? "up"
                        : p->link == SW_NO  ? "down"
                                            : "?",
                        speed, lag, rx, tx);
    }
}

static void lags_text(struct base_buf *out, const struct sw_state *st)
{
    for (size_t i = 0; i < st->n_lags; i++) {
        const struct sw_lag *l = &st->lags[i];
        char ports[128], up[128];
        sw_ports_format(l->ports, ports, sizeof(ports));
        sw_ports_format(l->up_ports, up, sizeof(up));
        base_buf_printf(out, "group %u: %s, ports %s; bundled now: %s\n", l->group,
                        sw_lag_mode_name(l->mode) ? sw_lag_mode_name(l->mode) : "unknown mode",
                        ports,
                        !l->up_known ? "unknown"
                        : up[0]      ? up
                                     : "none");
    }
    if (st->lags_unknown)
        base_buf_printf(out, "LAG groups: not known, the page of firmware %s is a new one to us\n",
                        st->firmware);
    else if (!st->n_lags)
        base_buf_str(out, "no LAG groups\n");
}

static void frame_text(struct base_buf *out, const struct sw_state *st)
{
    if (!st->frame.bytes) {
        base_buf_str(out, "largest frame: not known\n");
        return;
    }
    base_buf_printf(out, "largest frame: %u bytes%s, carries IP MTU %u with one VLAN tag\n",
                    st->frame.bytes, st->frame.counts_fcs ? " with FCS" : "",
                    sw_mtu_of_frame(&st->frame));
    if (!st->frame.n_choices)
        return;
    base_buf_str(out, "choices:");
    for (size_t i = 0; i < st->frame.n_choices; i++)
        base_buf_printf(out, " %u", st->frame.choices[i]);
    base_buf_chr(out, '\n');
}

enum part { HEAD = 1, PORTS = 2, LAGS = 4, FRAME = 8, MACS = 16 /* in JSON */ };

static int show_parts(struct cli *cli, unsigned parts)
{
    struct base_buf out = { 0 };
    struct sw_device *d;
    struct sw_state st;
    struct sw_mac *macs = NULL;
    size_t n_macs = 0;
    char *json;
    int rc = target_open(cli, &d);
    if (rc)
        return rc;
    rc = sw_read(d, &st, &cli->err);
    /* The whole picture, for a doctor elsewhere. */
    if (!rc && cli->json && ((parts & MACS) || ((parts & HEAD) && (st.can & SW_CAN_MACS))))
        rc = sw_macs(d, &macs, &n_macs, &cli->err);
    sw_close(d);
    if (rc)
        return rc;
    if (cli->json) {
        rc = sw_state_json(&st, macs, n_macs, &json, &cli->err);
        free(macs);
        if (rc)
            return rc;
        base_buf_str(&out, json);
        free(json);
        return cli_print(cli, &out);
    }
    if (parts & HEAD)
        head(&out, &st);
    if (parts & LAGS)
        lags_text(&out, &st);
    if (parts & FRAME)
        frame_text(&out, &st);
    if (parts & PORTS)
        ports_text(&out, &st);
    return cli_print(cli, &out);
}

int verb_show(struct cli *cli)
{
    return show_parts(cli, HEAD | PORTS | LAGS | FRAME);
}

int verb_ports(struct cli *cli)
{
    return show_parts(cli, PORTS);
}

int verb_lag_show(struct cli *cli)
{
    return show_parts(cli, LAGS);
}

int verb_jumbo_show(struct cli *cli)
{
    return show_parts(cli, FRAME);
}

int verb_mac(struct cli *cli)
{
    struct base_buf out = { 0 };
    struct sw_device *d;
    struct sw_mac *v;
    size_t n;
    int rc;
    if (cli->json)
        return show_parts(cli, MACS);
    rc = target_open(cli, &d);
    if (rc)
        return rc;
    rc = sw_macs(d, &v, &n, &cli->err);
    sw_close(d);
    if (rc)
        return rc;
    base_buf_printf(&out, "%-18s %5s  %-8s %s\n", "MAC", "VLAN", "AT", "TYPE");
    for (size_t i = 0; i < n; i++) {
        struct base_mac m;
        char text[BASE_MAC_TEXT], at[24];
        memcpy(m.b, v[i].mac, 6);
        if (v[i].lag || v[i].port)
            (void)snprintf(at, sizeof(at), v[i].lag ? "group %u" : "port %u",
                           v[i].lag ? v[i].lag : v[i].port);
        else
            (void)snprintf(at, sizeof(at), "itself");
        base_buf_printf(&out, "%-18s %5u  %-8s %s\n", base_mac_format(m, text), v[i].vlan, at,
                        v[i].is_static ? "static" : "learned");
    }
    free(v);
    return cli_print(cli, &out);
}

int verb_backup(struct cli *cli)
{
    struct steps done = STEPS_NONE;
    struct sw_device *d;
    char *data;
    size_t n;
    int rc = target_open(cli, &d);
    if (rc)
        return rc;
    rc = sw_backup(d, &data, &n, &cli->err);
    sw_close(d);
    if (rc)
        return rc;
    rc = os_write_file(cli->argv[0], data, n, &cli->err);
    free(data);
    if (rc)
        return rc;
    steps_add(&done, "%zu bytes written to %s (mode 0600: it holds the device's password)", n,
              cli->argv[0]);
    return steps_print(cli, &done, false, 0);
}

int verb_discover(struct cli *cli)
{
    struct base_buf out = { 0 };
    struct base_json j = base_json_init(&out);
    int worst = 0;
    if (cli->json) {
        base_json_doc(&j, "discovery");
        base_json_arr(&j, "found");
    }
    for (int i = 0; i < cli->argc; i++) {
        const char *url = strchr(cli->argv[i], '@') ? "(a URL with a password)" : cli->argv[i];
        struct sw_login login = { .url = cli->argv[i] };
        struct base_err err = { 0 };
        struct sw_device *d = NULL;
        struct sw_state st = { 0 };
        int rc = sw_open(&login, &d, &err);
        if (!rc)
            rc = sw_identify(d, &st, &err);
        sw_close(d);
        if (rc && base_err_exit(err.code) > worst)
            worst = base_err_exit(err.code);
        if (cli->json) {
            base_json_obj(&j, NULL);
            base_json_str(&j, "url", url);
            base_json_str(&j, "dialect", rc ? NULL : st.dialect);
            base_json_str(&j, "model", rc || !st.model[0] ? NULL : st.model);
            base_json_str(&j, "problem", rc ? err.msg : NULL);
            base_json_end(&j);
        } else if (rc) {
            base_buf_printf(&out, "%-28s %s\n", url, err.msg);
        } else {
            base_buf_printf(&out, "%-28s %s  (%s)\n", url, st.model, st.dialect);
        }
    }
    if (cli->json) {
        base_json_end(&j);
        base_json_end(&j);
    }
    cli->status = worst;
    return cli_print(cli, &out);
}

int verb_dialects(struct cli *cli)
{
    static const char *const names[] = { "emulated", "captured", "proven" };
    struct base_buf out = { 0 };
    struct base_json j = base_json_init(&out);
    if (cli->json) {
        base_json_doc(&j, "dialects");
        base_json_arr(&j, "dialects");
    }
    for (const struct sw_dialect *const *d = sw_dialects(); *d; d++) {
        if (cli->json) {
            base_json_obj(&j, NULL);
            base_json_str(&j, "name", (*d)->name);
            base_json_str(&j, "models", (*d)->models);
            base_json_str(&j, "reads", (*d)->reads);
            base_json_str(&j, "writes", (*d)->writes);
            base_json_str(&j, "proven", names[(*d)->proven]);
            base_json_end(&j);
        } else {
            base_buf_printf(&out, "%s\n  models  %s\n  reads   %s\n  writes  %s\n  proven  %s\n",
                            (*d)->name, (*d)->models, (*d)->reads, (*d)->writes,
                            proven_words[(*d)->proven]);
        }
    }
    if (cli->json) {
        base_json_end(&j);
        base_json_end(&j);
    }
    return cli_print(cli, &out);
}
