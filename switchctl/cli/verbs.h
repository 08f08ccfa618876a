/* SPDX-License-Identifier: MIT */
/* verbs.h - the handlers of switchctl's verbs. */
#ifndef SW_CLI_VERBS_H
#define SW_CLI_VERBS_H

#include "cli.h"

int verb_show(struct cli *cli);
int verb_ports(struct cli *cli);
int verb_mac(struct cli *cli);
int verb_save(struct cli *cli);
int verb_backup(struct cli *cli);
int verb_dialects(struct cli *cli);
int verb_discover(struct cli *cli);
int verb_lag_show(struct cli *cli);
int verb_lag_set(struct cli *cli);
int verb_lag_del(struct cli *cli);
int verb_jumbo_show(struct cli *cli);
int verb_jumbo_set(struct cli *cli);
int verb_align(struct cli *cli);
int verb_rollback(struct cli *cli);

#endif
