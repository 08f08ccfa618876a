/* SPDX-License-Identifier: MIT */
/* peer.c - see peer.h. */
#define _GNU_SOURCE
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_in.h"
#include "os.h"
#include "sw/model.h"

#define SWITCH_MS 60000

/* Where the switch has the bond: by its MAC table; else by the only group that has as many ports. */
static void locate(const struct sw_state *st, const struct sw_mac *macs, size_t n_macs,
                   struct link_facts *f)
{
    const struct link_iface *m[64];
    size_t members = f->bond ? link_members(f->host, f->bond->ifindex, m, 64) : 0, fitting = 0;
    const struct sw_lag *lag = NULL;
    bool on_port = false;
    for (size_t i = 0; i < n_macs && f->bond; i++) {
        if (memcmp(macs[i].mac, f->bond->mac, 6) != 0)
            continue;
        lag = macs[i].lag ? sw_find_lag(st, macs[i].lag) : lag;
        on_port = on_port || macs[i].port;
    }
    for (size_t i = 0; i < st->n_lags && !lag && !on_port; i++)
        if (sw_ports_count(st->lags[i].ports) == members) {
            fitting++;
            lag = &st->lags[i];
        }
    if (fitting > 1 || (fitting == 1 && st->n_lags > 1))
        lag = NULL;
    if (lag) {
        f->peer.mode = lag->mode == SW_LAG_STATIC ? LINK_PEER_STATIC : LINK_PEER_LACP;
        f->peer.group = lag->group;
        f->peer.n_ports = sw_ports_count(lag->ports);
        f->peer.n_up = lag->up_known ? sw_ports_count(lag->up_ports) : 0;
    } else if (on_port || st->n_lags == 0) {
        f->peer.mode = LINK_PEER_NONE;
    }
}

int peer_from_json(const char *text, size_t n, struct link_facts *f, struct base_err *err)
{
    struct sw_state *st = calloc(1, sizeof(*st));
    struct sw_mac *macs = NULL;
    size_t n_macs = 0;
    int rc =
        st ? sw_state_parse(text, n, st, err) : base_err_set(err, BASE_NO_MEMORY, "out of memory");
    if (!rc)
        rc = sw_macs_parse(text, n, &macs, &n_macs, err);
    if (!rc) {
        f->peer.known = true;
        (void)snprintf(f->peer.name, sizeof(f->peer.name), "switch %.50s", st->model);
        f->peer.frame_bytes = st->frame.bytes;
        f->peer.mtu = st->frame.bytes ? sw_mtu_of_frame(&st->frame) : 0;
        f->peer.mtu_untagged = f->peer.mtu ? f->peer.mtu + 4 : 0;
        for (size_t i = 0; i < st->n_lags; i++) {
            f->peer.any_static = f->peer.any_static || st->lags[i].mode == SW_LAG_STATIC;
            f->peer.any_lacp = f->peer.any_lacp || st->lags[i].mode != SW_LAG_STATIC;
        }
        locate(st, macs, n_macs, f);
    }
    free(macs);
    free(st);
    return rc;
}

/* switchctl beside this program, else in PATH. */
static void find_switchctl(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 16);
    char *slash;
    path[n > 0 ? n : 0] = '\0';
    slash = strrchr(path, '/');
    if (slash)
        (void)snprintf(slash + 1, size - (size_t)(slash + 1 - path), "switchctl");
    if (!slash || access(path, X_OK))
        (void)snprintf(path, size, "switchctl");
}

static int not_read(const char *name, int status, const struct base_buf *out, struct link_facts *f,
                    struct base_err *err)
{
    struct json_doc *doc = NULL;
    const struct json_node *e = NULL;
    const char *msg = NULL, *hint = NULL;
    if (status == 6 || status == 124) {
        f->peer.unreachable = true;
        return 0;
    }
    if (out->n && json_parse(out->p, out->n, &doc, NULL) == 0)
        e = json_get(json_root(doc), "error");
    if (e) {
        msg = json_str(e, "message");
        hint = json_str(e, "hint");
    }
    base_err_set(err,
                 status == 7   ? BASE_MALFORMED
                 : status == 2 ? BASE_USAGE
                 : status == 8 ? BASE_REFUSED
                 : status == 1 ? BASE_WRONG_LOGIN
                               : BASE_FAILED,
                 "%s", msg ? msg : "switchctl could not read the switch");
    if (hint && hint[0])
        base_err_hint(err, "%s", hint);
    json_free(doc);
    return base_err_wrap(err, "%s", name);
}

int peer_from_switch(struct cli *cli, const char *name, struct link_facts *f)
{
    struct base_buf out = { 0 };
    char path[512];
    const char *const argv[] = { path, "--json", "--quiet", "-s", name, "show", NULL };
    int status = 0, rc;
    find_switchctl(path, sizeof(path));
    (void)snprintf(f->peer.url, sizeof(f->peer.url), "%s", name);
    rc = os_run(argv, base_ms(SWITCH_MS), &out, NULL, &status, &cli->err);
    if (!rc && status)
        rc = not_read(name, status, &out, f, &cli->err);
    else if (!rc)
        rc = peer_from_json(out.p ? out.p : "", out.n, f, &cli->err);
    base_buf_done(&out);
    return rc;
}
