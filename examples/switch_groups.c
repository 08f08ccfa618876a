/* SPDX-License-Identifier: MIT */
/* switch_groups.c - print the LAG groups of a web-managed switch.  The password comes from SWITCHCTL_PASSWORD.
 *
 *   cc switch_groups.c $(pkg-config --cflags --libs libswitchctl) && ./a.out http://192.168.10.12 */
#include <sw/device.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct sw_login login = { .user = "admin", .password = getenv("SWITCHCTL_PASSWORD") };
    struct sw_device *dev = NULL;
    struct base_err err = { 0 };
    struct sw_state st;
    int rc;
    if (argc != 2) {
        fprintf(stderr, "usage: %s URL\n", argv[0]);
        return 2;
    }
    login.url = argv[1];
    rc = sw_open(&login, &dev, &err);
    if (!rc)
        rc = sw_read(dev, &st, &err);
    for (size_t i = 0; !rc && i < st.n_lags; i++) {
        char ports[128];
        sw_ports_format(st.lags[i].ports, ports, sizeof(ports));
        printf("group %u: %s, ports %s\n", st.lags[i].group, sw_lag_mode_name(st.lags[i].mode),
               ports);
    }
    if (rc)
        fprintf(stderr, "%s: %s\n  %s\n", err.where, err.msg, err.hint);
    sw_close(dev);
    return base_err_exit(err.code);
}
