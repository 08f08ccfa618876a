/* SPDX-License-Identifier: MIT */
/* main.c - linkctl's table of verbs; everything else is behind it. */
#include "verbs.h"
#include "change_verbs.h"

int main(int argc, char **argv)
{
    static const struct cli_opt bond_opts_common[] = {
        { "dry-run", NULL, "show the steps, change nothing", 0 },
        { "member", "DEV", "a member; repeat it, in join order", 0 },
        { "steal", NULL, "take members away from another bond or bridge", 0 },
        { 0 },
    };
    static const struct cli_opt set_opts[] = {
        { "dry-run", NULL, "show the steps, change nothing", 0 },
        { "confirm-within", "SECONDS", "take it back unless `linkctl confirm` comes in time", 0 },
        { "member", "DEV", "the member that --prio and the like are for", 0 },
        { "prio", "N", "of --member: preference as active member", 0 },
        { "queue-id", "N", "of --member: transmit queue, 0 = none", 0 },
        { "actor-port-prio", "N", "of --member: LACP port priority (kernel 6.18)", 0 },
        { 0 },
    };
    static const struct cli_opt join_opts[] = {
        { "dry-run", NULL, "show the steps, change nothing", 0 },
        { "steal", NULL, "take members away from another bond or bridge", 0 },
        { 0 },
    };
    static const struct cli_opt mtu_opts[] = {
        { "dry-run", NULL, "show the steps, change nothing", 0 },
        { "stack", NULL, "the whole stack: what is below DEV and what is on top", 0 },
        { "confirm-within", "SECONDS", "take it back unless `linkctl confirm` comes in time", 0 },
        { 0 },
    };
    static const struct cli_opt probe_opts[] = {
        { "dev", "DEV", "send through this device", 0 },
        { "member", "DEV", "send through this bond member", 0 },
        { "max", "BYTES", "largest MTU to try (default: the device's own)", 0 },
        { "count", "N", "tries per size before it counts as lost (default 3)", 0 },
        { 0 },
    };
    static const struct cli_opt doctor_opts[] = {
        { "switch", "NAME|URL", "ask this switch too (login as for switchctl)", 's' },
        { "evidence", "FILE", "facts from elsewhere: switchctl --json show", 0 },
        { "listen", "SECONDS", "listen that long for LACPDUs (default 3 with LACP)", 0 },
        { "min-severity", "WORD", "exit 3 from here on: info, warning (default), error", 0 },
        { 0 },
    };
    static const struct cli_opt only_dry[] = {
        { "dry-run", NULL, "show the steps, change nothing", 0 },
        { 0 },
    };
    struct cli_opt options[LINK_BOND_OPTS + 1];
    const struct cli_verb verbs[] = {
        { "show", "[DEV]", "devices as a tree: state, speed, MTU, bond and LACP health",
          "linkctl show\nlinkctl --json show bond0", verb_show, NULL, NULL, 0, 1 },
        { "bond add", "NAME --mode MODE [--member DEV]...", "make a bond",
          "linkctl bond add bond0 --mode lacp --member eth1 --member eth2 --lacp-rate "
          "fast\nlinkctl bond add bond0 --mode static --member eth1 --member eth2",
          verb_bond_add, bond_opts_common, options, 1, 1 },
        { "bond show", "[NAME]", "bonds with every option", "linkctl bond show bond0",
          verb_bond_show, NULL, NULL, 0, 1 },
        { "bond set", "NAME --OPTION VALUE...", "change options, the mode of a live bond too",
          "linkctl bond set bond0 --mode lacp\nlinkctl bond set bond0 --xmit-hash-policy layer3+4",
          verb_bond_set, set_opts, options, 1, 1 },
        { "bond del", "NAME", "remove a bond; its members are released", "linkctl bond del bond0",
          verb_bond_del, only_dry, NULL, 1, 1 },
        { "bond join", "NAME DEV...", "add members", "linkctl bond join bond0 eth3", verb_bond_join,
          join_opts, NULL, 2, 64 },
        { "bond leave", "NAME DEV...", "release members", "linkctl bond leave bond0 eth3",
          verb_bond_leave, only_dry, NULL, 2, 64 },
        { "mtu show", "[DEV]", "MTU of each device, with its limits", "linkctl mtu show",
          verb_mtu_show, NULL, NULL, 0, 1 },
        { "mtu set", "DEV BYTES", "change an MTU, in the right order",
          "linkctl mtu set bond0 9000 --stack", verb_mtu_set, mtu_opts, NULL, 2, 2 },
        { "mtu probe", "HOST", "find the exact MTU that gets through to HOST",
          "linkctl mtu probe 192.0.2.9", verb_mtu_probe, probe_opts, NULL, 1, 1 },
        { "doctor", "[BOND]", "say what is wrong, why, and what to type",
          "linkctl doctor\nlinkctl doctor bond0 --switch http://192.168.10.12\nlinkctl doctor "
          "--evidence switch.json",
          verb_doctor, doctor_opts, NULL, 0, 1 },
        { "confirm", "[ID]", "keep the change that waits for confirmation", "linkctl confirm",
          change_verb_confirm, NULL, NULL, 0, 1 },
        { "rollback", "[ID]", "take back the change that waits, or one that was cut off",
          "linkctl rollback", verb_rollback, NULL, NULL, 0, 1 },
        { "journal", "", "changes made here, and what became of them", "linkctl journal",
          change_verb_journal, NULL, NULL, 0, 0 },
        { 0 },
    };
    const struct cli_prog prog = {
        .name = "linkctl",
        .about = "bonds, MTU and diagnosis on this host",
        .verbs = verbs,
        .epilog = "Start here: linkctl show, then linkctl doctor.",
        .home_verb = "show",
    };
    bond_option_list(options);
    return cli_main(&prog, argc, argv);
}
