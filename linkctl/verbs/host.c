/* SPDX-License-Identifier: MIT */
/* host.c - the host as almost every verb begins: a session and one fresh state. */
#include "verbs.h"

int host_open(struct cli *cli, unsigned what, struct host *ret)
{
    int rc;
    *ret = (struct host){ 0 };
    rc = link_session_open(&ret->s, &cli->err);
    if (!rc)
        rc = link_read_state(ret->s, what, &ret->st, &cli->err);
    if (rc)
        host_close(ret);
    return rc;
}

int host_refresh(struct cli *cli, unsigned what, struct host *h)
{
    link_state_done(&h->st);
    return link_read_state(h->s, what, &h->st, &cli->err);
}

void host_close(struct host *h)
{
    link_state_done(&h->st);
    link_session_close(h->s);
    h->s = NULL;
}
