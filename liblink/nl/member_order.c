/* SPDX-License-Identifier: MIT */
/* member_order.c - see member_order.h.  The kernel hashes by join order, so a rebuilt bond must keep it. */
#include "member_order.h"

#include <stdio.h>
#include <string.h>

static void read_one(struct link_state *st, const struct link_iface *bond)
{
    static const char mark[] = "Slave Interface: ";
    char path[64], line[256];
    int position = 0;
    FILE *f;
    (void)snprintf(path, sizeof(path), "/proc/thread-self/net/bonding/%s", bond->name);
    f = fopen(path, "re");
    if (!f)
        return;
    while (fgets(line, sizeof(line), f)) {
        struct link_iface *dev;
        if (strncmp(line, mark, sizeof(mark) - 1))
            continue;
        line[strcspn(line, "\n")] = '\0';
        dev = (struct link_iface *)(uintptr_t)link_find(st, line + sizeof(mark) - 1);
        if (dev && dev->master == bond->ifindex)
            dev->member.position = position;
        position++;
    }
    fclose(f);
}

void nl_member_order(struct link_state *st)
{
    for (size_t i = 0; i < st->n; i++)
        if (st->v[i].is_bond)
            read_one(st, &st->v[i]);
}
