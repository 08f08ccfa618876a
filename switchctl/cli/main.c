/* SPDX-License-Identifier: MIT */
/* main.c - switchctl's table of verbs. */
#include "target.h"
#include "verbs.h"
#include "change_verbs.h"

int main(int argc, char **argv)
{
    static const struct cli_opt dry[] = {
        { "dry-run", NULL, "show what would change, change nothing", 0 }, { 0 }
    };
    static const struct cli_opt lag[] = {
        { "mode", "MODE", "static or lacp", 0 },
        { "ports", "LIST", "port numbers as printed on the device: 1,2 or 1-4", 0 },
        { "dry-run", NULL, "show what would change, change nothing", 0 },
        { 0 },
    };
    static const struct cli_opt jumbo[] = {
        { "mtu", "BYTES", "smallest choice that carries this IP MTU plus one VLAN tag", 0 },
        { "frame", "BYTES", "frame size in the switch's own unit", 0 },
        { "dry-run", NULL, "show what would change, change nothing", 0 },
        { 0 },
    };
    static const struct cli_opt align[] = {
        { "bond", "BOND", "the bond of this host", 0 },
        { "mode", "MODE", "lacp (both ends speak LACP)", 0 },
        { "ports", "LIST", "the switch's ports, if they cannot be found", 0 },
        { "group", "N", "the switch's group (default: the one the ports are in, or the first free)",
          0 },
        { "confirm-within", "SECONDS", "take all back unless confirmed in time", 0 },
        { "no-save", NULL, "do not save on the switch at the end", 0 },
        { "dry-run", NULL, "show the plan, change nothing", 0 },
        { 0 },
    };
    static const struct cli_verb verbs[] = {
        { "show", "", "model, ports, groups, frame size", "switchctl -s http://192.168.10.12 show",
          verb_show, NULL, NULL, 0, 0 },
        { "ports", "", "ports with link, speed, group, counters",
          "switchctl -s http://192.168.10.12 ports", verb_ports, NULL, NULL, 0, 0 },
        { "mac", "", "MAC table: who is behind which port", "switchctl -s http://192.168.10.12 mac",
          verb_mac, NULL, NULL, 0, 0 },
        { "lag show", "", "LAG groups", "switchctl -s http://192.168.10.12 lag show", verb_lag_show,
          NULL, NULL, 0, 0 },
        { "lag set", "GROUP --mode MODE --ports LIST", "make a group be exactly this",
          "switchctl -s http://192.168.10.12 lag set 1 --mode lacp --ports 1,2", verb_lag_set, lag,
          NULL, 1, 1 },
        { "lag del", "GROUP", "remove a group", "switchctl -s http://192.168.10.12 lag del 1",
          verb_lag_del, dry, NULL, 1, 1 },
        { "jumbo show", "", "largest frame, and the IP MTU that it carries",
          "switchctl -s http://192.168.10.12 jumbo show", verb_jumbo_show, NULL, NULL, 0, 0 },
        { "jumbo set", "--mtu N | --frame N | on | off", "set the largest frame",
          "switchctl -s http://192.168.10.12 jumbo set --mtu 9000", verb_jumbo_set, jumbo, NULL, 0,
          1 },
        { "align", "--bond BOND --mode lacp", "make the switch's group and this host's bond agree",
          "switchctl -s http://192.168.10.12 align --bond bond0 --mode lacp", verb_align, align,
          NULL, 0, 0 },
        { "confirm", "[ID]", "keep the change that waits for confirmation", "switchctl confirm",
          change_verb_confirm, NULL, NULL, 0, 1 },
        { "rollback", "[ID]", "take back the change that waits, or one that was cut off",
          "switchctl -s http://192.168.10.12 rollback", verb_rollback, NULL, NULL, 0, 1 },
        { "journal", "", "changes made from this host, and what became of them",
          "switchctl journal", change_verb_journal, NULL, NULL, 0, 0 },
        { "save", "", "make the running setting survive a power cycle",
          "switchctl -s http://192.168.10.12 save", verb_save, dry, NULL, 0, 0 },
        { "backup", "FILE", "fetch the device's backup file",
          "switchctl -s http://192.168.10.12 backup sw1.bin", verb_backup, NULL, NULL, 1, 1 },
        { "discover", "URL...", "what answers there, without logging in",
          "switchctl discover http://192.168.10.12", verb_discover, NULL, NULL, 1, 64 },
        { "dialects", "", "families of switches, and what each can read and write",
          "switchctl dialects", verb_dialects, NULL, NULL, 0, 0 },
        { 0 },
    };
    const struct cli_prog prog = {
        .name = "switchctl",
        .about = "cheap web-managed switches, from the command line",
        .verbs = verbs,
        .opts = target_opts,
        .epilog = "The password comes from --password-file, SWITCHCTL_PASSWORD, the inventory or a "
                  "prompt.",
    };
    return cli_main(&prog, argc, argv);
}
