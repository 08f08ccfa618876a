/* SPDX-License-Identifier: MIT */
/* peer.h - a switch's answer as the doctor's neutral facts; here host and switch meet. */
#ifndef LINKCTL_PEER_H
#define LINKCTL_PEER_H

#include "cli.h"
#include "link/doctor.h"

/* Runs `switchctl --json -s NAME show` (libcurl is loaded only then).  A switch that does not answer is a fact
 * (ret->unreachable), not an error.  Errors: wrong login, a page that is not understood. */
int peer_from_switch(struct cli *cli, const char *name, struct link_facts *f);
/* From the text of a "switch-state" document. */
int peer_from_json(const char *text, size_t n, struct link_facts *f, struct base_err *err);

#endif
