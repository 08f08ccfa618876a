/* SPDX-License-Identifier: MIT */
/* undo.c - see link/undo.h. */
#include "link/undo.h"

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "json_in.h"

int link_undo_mtu_json(const struct link_mtu_plan *plan, char **ret, struct base_err *err)
{
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    base_json_arr(&j, NULL);
    for (size_t i = 0; i < plan->n; i++) {
        base_json_obj(&j, NULL);
        base_json_int(&j, "ifindex", plan->step[i].ifindex);
        base_json_str(&j, "name", plan->step[i].name);
        base_json_uint(&j, "from", plan->step[i].from);
        base_json_uint(&j, "to", plan->step[i].to);
        base_json_bool(&j, "by_kernel", plan->step[i].by_kernel);
        base_json_end(&j);
    }
    base_json_end(&j);
    *ret = base_buf_take(&b);
    return *ret ? 0 : base_err_set(err, BASE_NO_MEMORY, "out of memory");
}

static int mtu_from_json(const struct json_node *list, struct link_mtu_plan *p,
                         struct base_err *err)
{
    for (const struct json_node *v = json_first(list); v && p->n < LINK_MTU_STEPS;
         v = json_next(v)) {
        struct link_mtu_step *s = &p->step[p->n];
        const char *name = json_str(v, "name");
        int64_t ifindex, from, to;
        if (!name || !json_num(v, "ifindex", &ifindex) || !json_num(v, "from", &from) ||
            !json_num(v, "to", &to))
            return base_err_set(err, BASE_MALFORMED, "broken MTU record");
        s->ifindex = (int)ifindex;
        s->from = (uint32_t)from;
        s->to = (uint32_t)to;
        s->by_kernel = json_flag(v, "by_kernel", false);
        (void)snprintf(s->name, sizeof(s->name), "%s", name);
        p->n++;
    }
    return 0;
}

int link_undo_mtu(void *ctx, const char *data, size_t n, struct base_err *err)
{
    struct link_mtu_plan *p = calloc(1, sizeof(*p));
    struct link_session *s = NULL;
    struct json_doc *doc = NULL;
    int rc =
        p ? json_parse(data, n, &doc, err) : base_err_set(err, BASE_NO_MEMORY, "out of memory");
    (void)ctx;
    if (!rc)
        rc = mtu_from_json(json_root(doc), p, err);
    if (!rc)
        rc = link_session_open(&s, err);
    if (!rc)
        rc = link_mtu_undo(s, p, err);
    link_session_close(s);
    json_free(doc);
    free(p);
    return rc;
}

int link_undo_bond(void *ctx, const char *data, size_t n, struct base_err *err)
{
    struct link_snapshot *snap = NULL;
    struct link_session *s = NULL;
    struct link_rebuild how = { 0 };
    int rc = link_snapshot_parse(data, n, &snap, err);
    (void)ctx;
    if (!rc)
        rc = link_session_open(&s, err);
    if (!rc)
        rc = link_bond_rebuild(s, snap, &how, err);
    link_session_close(s);
    link_snapshot_free(snap);
    return rc;
}

int link_undo_absent(void *ctx, const char *data, size_t n, struct base_err *err)
{
    struct link_session *s = NULL;
    struct link_state st = { 0 };
    const struct link_iface *d;
    char name[LINK_NAME_SIZE];
    int rc;
    (void)ctx;
    (void)snprintf(name, sizeof(name), "%.*s", (int)n, data);
    rc = link_session_open(&s, err);
    if (!rc)
        rc = link_read_state(s, LINK_READ_LINKS, &st, err);
    d = rc ? NULL : link_find(&st, name);
    if (d && d->is_bond)
        rc = link_delete(s, d->ifindex, err);
    link_state_done(&st);
    link_session_close(s);
    return rc;
}

int link_undo_ports_json(const struct link_state *st, const char *const *names, size_t n,
                         char **ret, struct base_err *err)
{
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    base_json_arr(&j, NULL);
    for (size_t i = 0; i < n; i++) {
        const struct link_iface *d = link_find(st, names[i]);
        if (!d)
            continue;
        base_json_obj(&j, NULL);
        base_json_int(&j, "ifindex", d->ifindex);
        base_json_int(&j, "master", d->master);
        base_json_bool(&j, "up", (d->flags & IFF_UP) != 0);
        base_json_end(&j);
    }
    base_json_end(&j);
    *ret = base_buf_take(&b);
    return *ret ? 0 : base_err_set(err, BASE_NO_MEMORY, "out of memory");
}

static int port_back(struct link_session *s, const struct link_state *st, const struct json_node *v,
                     struct base_err *err)
{
    const struct link_iface *d, *master;
    int64_t ifindex, m;
    bool up = json_flag(v, "up", false);
    int rc = 0;
    if (!json_num(v, "ifindex", &ifindex) || !json_num(v, "master", &m))
        return base_err_set(err, BASE_MALFORMED, "broken record of a port");
    d = link_find_index(st, (int)ifindex);
    master = m ? link_find_index(st, (int)m) : NULL;
    if (!d || (m && !master))
        return 0; /* gone by itself: nothing to take back */
    if (d->master != (int)m) {
        if (master && master->is_bond) /* bonds take only devices that are down */
            rc = link_set_admin(s, d->ifindex, false, err);
        if (!rc)
            rc = link_set_master(s, d->ifindex, (int)m, err);
    }
    if (!rc) /* joining and leaving change it, so it is always said */
        rc = link_set_admin(s, d->ifindex, up, err);
    return rc ? base_err_wrap(err, "%s", d->name) : 0;
}

int link_undo_ports(void *ctx, const char *data, size_t n, struct base_err *err)
{
    struct link_session *s = NULL;
    struct link_state st = { 0 };
    struct json_doc *doc = NULL;
    int rc = json_parse(data, n, &doc, err);
    (void)ctx;
    if (!rc)
        rc = link_session_open(&s, err);
    if (!rc)
        rc = link_read_state(s, LINK_READ_LINKS, &st, err);
    for (const struct json_node *v = rc ? NULL : json_first(json_root(doc)); v && !rc;
         v = json_next(v))
        rc = port_back(s, &st, v, err);
    link_state_done(&st);
    link_session_close(s);
    json_free(doc);
    return rc;
}
