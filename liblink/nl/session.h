/* SPDX-License-Identifier: MIT */
/* session.h (internal) - what a link_session is made of, for the rooms of liblink that send messages of their own. */
#ifndef NL_SESSION_H
#define NL_SESSION_H

#include "link/session.h"
#include "request.h"

struct link_session {
    struct nl_channel route, genl;
};

#endif
