/* SPDX-License-Identifier: MIT */
/* mtu_stack.c - raise a whole stack to an MTU: plan first, print it, then do it.
 *
 *   cc mtu_stack.c $(pkg-config --cflags --libs liblink) && ./a.out bond0 9000 */
#include <link/mtu.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct link_mtu_plan *plan = calloc(1, sizeof(*plan));
    struct link_session *s = NULL;
    struct base_err err = { 0 };
    struct link_state st = { 0 };
    int rc;
    if (argc != 3 || !plan) {
        fprintf(stderr, "usage: %s DEV BYTES\n", argv[0]);
        return 2;
    }
    rc = link_session_open(&s, &err);
    if (!rc)
        rc = link_read_state(s, LINK_READ_LINKS, &st, &err);
    if (!rc)
        rc = link_mtu_plan(&st, argv[1], (uint32_t)strtoul(argv[2], NULL, 10), true, plan, &err);
    for (size_t i = 0; i < plan->n && !rc; i++)
        printf("%s: %u -> %u\n", plan->step[i].name, plan->step[i].from, plan->step[i].to);
    if (!rc)
        rc = link_mtu_apply(s, plan, &err); /* read back; undone whole when a step fails */
    if (rc)
        fprintf(stderr, "%s\n  %s\n", err.msg, err.hint);
    link_state_done(&st);
    link_session_close(s);
    free(plan);
    return base_err_exit(err.code);
}
