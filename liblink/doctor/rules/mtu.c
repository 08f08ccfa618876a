/* SPDX-License-Identifier: MIT */
/* mtu.c - frames that do not fit: the switch below the host (mtu.switch-below-hosts), members unlike their bond
 * (mtu.member-below-bond).  Docs: docs/doctor/mtu.switch-below-hosts.md. */
#include "rule.h"

#include <stdio.h>

static void check_switch(const struct link_facts *f, struct link_findings *out)
{
    struct link_finding *x;
    char command[LINK_TEXT];
    uint32_t fits;
    if (!f->bond)
        return;
    if (!f->peer.known || !f->peer.mtu) {
        if (f->bond->mtu > 1500)
            skipped(out, "mtu.switch-below-hosts",
                    "collect: the switch's frame size (--switch URL)");
        return;
    }
    fits = f->peer.mtu_untagged ? f->peer.mtu_untagged : f->peer.mtu;
    if (f->bond->mtu <= f->peer.mtu)
        return;
    x = finding(out, "mtu.switch-below-hosts", f->bond->mtu > fits ? LINK_ERROR : LINK_WARNING,
                LINK_CERTAIN, f->bond->name,
                "the switch drops what %s may send: MTU %u needs frames of %u bytes, it takes %u",
                f->bond->name, f->bond->mtu, f->bond->mtu + 22, f->peer.frame_bytes);
    evidence(x, "%s has MTU %u", f->bond->name, f->bond->mtu);
    evidence(x,
             "%s: largest frame %u bytes with FCS, that is IP MTU %u with one VLAN tag, %u without",
             f->peer.name, f->peer.frame_bytes, f->peer.mtu, fits);
    (void)snprintf(command, sizeof(command), "switchctl -s %.100s jumbo set --mtu %u",
                   f->peer.url[0] ? f->peer.url : "http://SWITCH", f->bond->mtu);
    remedy(x, command, "raise the switch first: a switch above its hosts harms nobody");
    (void)snprintf(command, sizeof(command), "linkctl mtu set %s %u --stack", f->bond->name,
                   f->peer.mtu);
    remedy(x, command, "or lower the host to what the switch carries");
}

static void check_members(const struct link_facts *f, struct link_findings *out)
{
    const struct link_iface *m[64];
    size_t n = members_of(f, m, 64);
    for (size_t i = 0; i < n; i++) {
        struct link_finding *x;
        char command[LINK_TEXT];
        if (m[i]->mtu == f->bond->mtu)
            continue;
        x = finding(out, "mtu.member-below-bond", LINK_ERROR, LINK_CERTAIN, m[i]->name,
                    "%s has MTU %u, its bond %s has %u: what hashes onto it is lost or cut",
                    m[i]->name, m[i]->mtu, f->bond->name, f->bond->mtu);
        evidence(x, "somebody set %s alone, or its driver was reset", m[i]->name);
        (void)snprintf(command, sizeof(command), "linkctl mtu set %s %u", f->bond->name,
                       f->bond->mtu);
        remedy(x, command, "set it on the bond again: the kernel takes the members along");
    }
}

const struct link_rule rule_mtu_switch = { "mtu.switch-below-hosts", check_switch };
const struct link_rule rule_mtu_uneven = { "mtu.member-below-bond", check_members };
