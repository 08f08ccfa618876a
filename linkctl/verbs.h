/* SPDX-License-Identifier: MIT */
/* verbs.h - the handlers of linkctl's verbs, one file per noun. */
#ifndef LINKCTL_VERBS_H
#define LINKCTL_VERBS_H

#include "change.h"
#include "cli.h"
#include "steps.h"
#include "link/session.h"

int verb_show(struct cli *cli);
int verb_bond_add(struct cli *cli);
int verb_bond_show(struct cli *cli);
int verb_bond_set(struct cli *cli);
int verb_bond_del(struct cli *cli);
int verb_bond_join(struct cli *cli);
int verb_bond_leave(struct cli *cli);
int verb_doctor(struct cli *cli);
int verb_rollback(struct cli *cli);
/* Fills in --OPTION for every bonding option from liblink's table, ending with {0}. */
void bond_option_list(struct cli_opt list[static LINK_BOND_OPTS + 1]);
int verb_mtu_show(struct cli *cli);
int verb_mtu_set(struct cli *cli);
int verb_mtu_probe(struct cli *cli);

/* A session and one fresh state, as almost every verb begins. */
struct host {
    struct link_session *s;
    struct link_state st;
};
int host_open(struct cli *cli, unsigned what, struct host *ret);
/* For verbs that change something: takes back first what an earlier run left half done. */
int host_open_to_change(struct cli *cli, unsigned what, struct host *ret);
int host_refresh(struct cli *cli, unsigned what, struct host *h);
void host_close(struct host *h);

/* Begins a change of this host: lock, recovery, keeper with liblink's undo handlers.  what: "bond set bond0". */
int host_change_begin(struct cli *cli, struct host *h, const char *what, struct change **ret);
/* Ends it: commits (waiting for confirmation when --confirm-within was given) when rc is 0, else rolls back and turns the
 * error into BASE_ROLLED_BACK.  Returns the verb's result. */
int host_change_end(struct cli *cli, struct change *c, int rc);

#endif
