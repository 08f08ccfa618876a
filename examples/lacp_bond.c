/* SPDX-License-Identifier: MIT */
/* lacp_bond.c - make an LACP bond of two network cards with liblink, and print what the kernel made of it.
 *
 *   cc lacp_bond.c $(pkg-config --cflags --libs liblink) && ./a.out bond0 eth1 eth2 */
#include <link/json.h>
#include <link/session.h>

#include <stdio.h>
#include <stdlib.h>

static int make(struct link_session *s, const char *name, char **members, int n,
                struct base_err *err)
{
    struct link_bond_opts o = { 0 };
    const struct link_iface *bond, *dev;
    struct link_state st;
    int rc;
    link_bond_put(&o, LINK_BOND_MODE, LINK_BOND_8023AD);
    link_bond_put(&o, LINK_BOND_MIIMON, 100);
    rc = link_bond_opt_parse(&o, LINK_BOND_LACP_RATE, "fast", err);
    if (!rc)
        rc = link_bond_create(s, name, &o, err);
    if (!rc)
        rc = link_read_state(s, LINK_READ_LINKS, &st, err);
    if (rc)
        return rc;
    rc = link_need(&st, name, &bond, err);
    for (int i = 0; i < n && !rc; i++) {
        rc = link_need(&st, members[i], &dev, err);
        if (!rc)
            rc = link_set_admin(s, dev->ifindex, false,
                                err); /* bonds take only devices that are down */
        if (!rc)
            rc = link_set_master(s, dev->ifindex, bond->ifindex, err);
    }
    if (!rc)
        rc = link_set_admin(s, bond->ifindex, true, err);
    link_state_done(&st);
    return rc;
}

int main(int argc, char **argv)
{
    struct link_session *s = NULL;
    struct base_err err = { 0 };
    struct link_state st;
    char *json;
    int rc;
    if (argc < 3) {
        fprintf(stderr, "usage: %s BOND MEMBER...\n", argv[0]);
        return 2;
    }
    rc = link_session_open(&s, &err);
    if (!rc)
        rc = make(s, argv[1], argv + 2, argc - 2, &err);
    if (!rc)
        rc = link_read_state(s, LINK_READ_ALL, &st, &err);
    if (!rc) {
        const char *only[] = { argv[1] };
        rc = link_state_json(&st, only, 1, &json, &err);
        if (!rc) {
            puts(json);
            free(json);
        }
        link_state_done(&st);
    }
    if (rc)
        fprintf(stderr, "%s: %s\n  %s\n", err.where, err.msg, err.hint);
    link_session_close(s);
    return base_err_exit(err.code);
}
