/* SPDX-License-Identifier: MIT */
/* mtu.c - `linkctl mtu show|set|probe`. */
#include "verbs.h"

#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/undo.h"

int verb_mtu_show(struct cli *cli)
{
    struct base_buf out = { 0 };
    const struct link_iface *only = NULL;
    struct host h;
    int rc;
    if (cli->json)
        return verb_show(cli);
    rc = host_open(cli, LINK_READ_LINKS, &h);
    if (!rc && cli->argc)
        rc = link_need(&h.st, cli->argv[0], &only, &cli->err);
    if (rc) {
        host_close(&h);
        return rc;
    }
    base_buf_printf(&out, "%-16s %6s %6s %8s  %s\n", "DEVICE", "MTU", "LEAST", "MOST", "PART OF");
    for (size_t i = 0; i < h.st.n; i++) {
        const struct link_iface *d = &h.st.v[i],
                                *up = d->master ? link_find_index(&h.st, d->master) : NULL;
        char most[16] = "-";
        if ((only && d != only) || (!only && d->flags & IFF_LOOPBACK))
            continue;
        if (d->max_mtu)
            (void)snprintf(most, sizeof(most), "%u", d->max_mtu);
        base_buf_printf(&out, "%-16s %6u %6u %8s  %s\n", d->name, d->mtu, d->min_mtu, most,
                        up ? up->name : "");
    }
    host_close(&h);
    return cli_print(cli, &out);
}

/* Under lock, keeper and journal.  The plan is made again: what was read before the lock may be old. */
static int change_mtu(struct cli *cli, struct host *h, struct link_mtu_plan *plan, uint32_t mtu)
{
    struct change *c;
    char what[64], *text = NULL;
    int rc;
    (void)snprintf(what, sizeof(what), "mtu set %s %u", cli->argv[0], mtu);
    rc = host_change_begin(cli, h, what, &c);
    if (rc)
        return rc;
    rc = link_mtu_plan(&h->st, cli->argv[0], mtu, cli_has(cli, "stack"), plan, &cli->err);
    if (!rc)
        rc = link_undo_mtu_json(plan, &text, &cli->err);
    if (!rc)
        rc = change_record(c, "mtu", text, strlen(text), &cli->err);
    if (!rc)
        rc = link_mtu_apply(h->s, plan, &cli->err);
    free(text);
    return host_change_end(cli, c, rc);
}

static int perform(struct cli *cli, struct host *h, struct link_mtu_plan *plan, uint32_t mtu,
                   struct steps *steps)
{
    bool dry = cli_has(cli, "dry-run");
    int rc = 0;
    for (size_t i = 0; i < plan->n; i++)
        steps_add(steps, "%s: MTU %u -> %u%s", plan->step[i].name, plan->step[i].from,
                  plan->step[i].to, plan->step[i].by_kernel ? " (with its bond)" : "");
    if (!dry && plan->n)
        rc = change_mtu(cli, h, plan, mtu);
    steps->verified = true;
    return steps_print(cli, steps, dry, rc);
}

int verb_mtu_set(struct cli *cli)
{
    struct link_mtu_plan *plan = calloc(1, sizeof(*plan));
    struct steps steps = STEPS_NONE;
    struct host h = { 0 };
    int64_t mtu;
    int rc;
    if (!plan)
        return base_err_set(&cli->err, BASE_NO_MEMORY, "out of memory");
    rc = cli_number(cli, "the MTU", cli->argv[1], 0, UINT32_MAX, &mtu);
    if (!rc)
        rc = host_open_to_change(cli, LINK_READ_LINKS, &h);
    if (!rc)
        rc = link_mtu_plan(&h.st, cli->argv[0], (uint32_t)mtu, cli_has(cli, "stack"), plan,
                           &cli->err);
    if (!rc)
        rc = perform(cli, &h, plan, (uint32_t)mtu, &steps);
    host_close(&h);
    free(plan);
    return rc;
}

static int resolve(struct cli *cli, const char *name, struct addrinfo **ret)
{
    struct addrinfo hints = { .ai_socktype = SOCK_RAW, .ai_family = AF_UNSPEC };
    int rc = getaddrinfo(name, NULL, &hints, ret);
    if (rc == 0)
        return 0;
    rc = base_err_set(&cli->err, BASE_UNREACHABLE, "cannot resolve %s: %s", name, gai_strerror(rc));
    base_err_hint(&cli->err, "give its address, e.g. linkctl mtu probe 192.0.2.1");
    return rc;
}

static int print_probe(struct cli *cli, const char *host, const struct link_probe_result *r)
{
    struct base_buf out = { 0 };
    bool edge = r->reached && r->mtu < r->tried_max;
    cli->status = r->reached ? 0 : 6;
    if (cli->json) {
        struct base_json j = base_json_init(&out);
        base_json_doc(&j, "mtu-probe");
        base_json_str(&j, "host", host);
        base_json_bool(&j, "reached", r->reached);
        if (r->reached)
            base_json_uint(&j, "mtu_bytes", r->mtu);
        else
            base_json_null(&j, "mtu_bytes");
        base_json_uint(&j, "tried_max_bytes", r->tried_max);
        base_json_bool(&j, "edge_found", edge);
        if (r->told_mtu)
            base_json_uint(&j, "told_mtu_bytes", r->told_mtu);
        else
            base_json_null(&j, "told_mtu_bytes");
        base_json_str(&j, "told_by", r->told_by[0] ? r->told_by : NULL);
        base_json_uint(&j, "sent", r->sent);
        base_json_uint(&j, "received", r->received);
        base_json_num(&j, "rtt_ms", r->rtt_ms);
        base_json_end(&j);
    } else if (!r->reached) {
        base_buf_printf(&out, "%s: no answer, not even to small packets (%u sent)\n", host,
                        r->sent);
        base_buf_str(
            &out, "  it may be off, filter ICMP, or lie on a dead leg of a LAG: linkctl doctor\n");
    } else {
        base_buf_printf(&out, "%s: packets up to %u bytes get there and back whole (MTU %u)\n",
                        host, r->mtu, r->mtu);
        if (edge)
            base_buf_printf(&out, "  %u bytes and more are lost on the way%s\n", r->mtu + 1,
                            r->told_mtu ? "" : ", and nobody says so: a switch, or the far NIC");
        else
            base_buf_printf(&out, "  that is all that this host's device can send (MTU %u)\n",
                            r->tried_max);
        if (r->told_mtu)
            base_buf_printf(&out, "  %s says: at most %u\n", r->told_by, r->told_mtu);
    }
    return cli_print(cli, &out);
}

int verb_mtu_probe(struct cli *cli)
{
    struct link_probe_opts o = { 0 };
    struct link_probe_result r;
    struct addrinfo *ai;
    int64_t v = 0;
    int rc = resolve(cli, cli->argv[0], &ai);
    if (rc)
        return rc;
    o.peer = ai->ai_addr;
    o.peer_len = ai->ai_addrlen;
    o.dev = cli_get(cli, "member") ? cli_get(cli, "member") : cli_get(cli, "dev");
    if (cli_get(cli, "max"))
        rc = cli_number(cli, "--max", cli_get(cli, "max"), 68, 65535, &v);
    o.max = (uint32_t)v;
    if (!rc && cli_get(cli, "count")) {
        rc = cli_number(cli, "--count", cli_get(cli, "count"), 1, 1000, &v);
        o.count = (unsigned)v;
    }
    if (!rc && o.dev && !if_nametoindex(o.dev))
        rc = base_err_set(&cli->err, BASE_NOT_FOUND, "no network device %s here", o.dev);
    if (!rc)
        rc = link_mtu_probe(&o, &r, &cli->err);
    if (!rc)
        rc = print_probe(cli, cli->argv[0], &r);
    freeaddrinfo(ai);
    return rc;
}
