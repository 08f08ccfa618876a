#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_linkctl.py - linkctl on a real kernel: what it keeps, what it refuses, what it takes back.

What ip(8) and /proc say is compared before and after; linkctl's own words count only where they are the subject.
"""
import os
import shutil
import signal
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import checks                                                                           # noqa: E402
import netns                                                                            # noqa: E402
from checks import bond_picture, check, document, equal, exits, linkctl, picture, program, said, whole      # noqa: E402
from stepper import Stepper                                                             # noqa: E402
from world import NAS, NAS6, PC, PC6, World                                             # noqa: E402

STATIC, LACP = "balance-xor", "802.3ad"
RESTORE_SECONDS = 10

FURNITURE = (
    "link set eth1 nomaster", "link set eth1 down", "link set eth1 master bond0",      # join order eth2, eth1; MAC of eth1
    "link set eth1 type bond_slave queue_id 3",
    "link add link bond0 name bond0.20 type vlan id 20", "link set bond0.20 up",
    "addr add 192.168.20.2/24 dev bond0.20", "addr add fd00:20::2/64 dev bond0.20 nodad",
    "addr add 192.168.10.22/24 dev bond0", "addr add 10.99.0.1/32 dev bond0", "addr add fd00:10::22/64 dev bond0 nodad",
    "route add default via 192.168.10.100 metric 50", "route add 10.10.0.0/16 via 192.168.10.100 src 192.168.10.22",
    "route add 10.20.0.0/16 via 192.168.20.1", "route add 10.30.0.0/16 via 192.168.10.100 table 100",
    "route add fd00:aa::/64 via fd00:10::100", "route add fd00:bb::/64 via fd00:20::1",
    "route add default via fd00:10::100 metric 77",
    "rule add from 192.168.10.2 table 100 priority 1000", "rule add iif bond0 table 100 priority 1001",
    "neigh add 192.168.10.77 lladdr 02:00:00:00:77:77 dev bond0 nud permanent",
    "neigh add fd00:10::77 lladdr 02:00:00:00:77:77 dev bond0 nud permanent",
    "neigh add 192.168.20.77 lladdr 02:00:00:00:77:78 dev bond0.20 nud permanent")


def furnish(w):
    w.ip("nas", *FURNITURE)
    w.run("nas", ["ip", "-6", "rule", "add", "from", "fd00:10::2", "table", "100", "priority", "1000"], check=True)


def kept(what, before, after):
    """One verdict for each kind of thing that a change of mode must keep."""
    for key in before:
        if key != "bond":
            equal("%s keeps %s" % (what, key), after[key], before[key])
    equal(what + " keeps join order", after["bond"]["members"], before["bond"]["members"])


# ---- the live change of mode ----------------------------------------------------------------------------------------
def mode_change():
    with World(LACP, "static") as w:
        furnish(w)
        before = whole(w)
        equal("furnished: join order", before["bond"]["members"], ["eth2", "eth1"])
        equal("furnished: MAC is eth1's", before["devices"]["bond0"]["mac"], "02:00:00:00:01:13")
        plan = linkctl(w, "--json", "bond", "set", "bond0", "--mode", "static", "--dry-run")
        check("dry run: a plan", plan.returncode == 0 and document(plan, "plan")["changed"] is True, said(plan))
        equal("dry run: nothing changed", whole(w), before)
        done = linkctl(w, "bond", "set", "bond0", "--mode", "static")
        exits("LACP to static", done, 0)
        after = whole(w)
        equal("mode is static", after["bond"]["options"]["mode"], STATIC)
        kept("LACP to static", before, after)
        exits("second run", linkctl(w, "bond", "set", "bond0", "--mode", "static"), 0, "nothing to do")
        result = document(linkctl(w, "--json", "bond", "set", "bond0", "--mode", "static"), "result")
        equal("second run, --json: not changed", (result["changed"], result["steps"]), (False, []))
        equal("second run: nothing changed", whole(w), after)
        World.wait(lambda: len(w.peers(1)) == 16, 5, "16 of 16")
        check("static on both ends: 16 of 16", True)
        result = document(linkctl(w, "--json", "bond", "set", "bond0", "--mode", "lacp"), "result")
        check("static to LACP, --json", result["changed"] and result["verified"], str(result["steps"]))
        again = whole(w)
        kept("static to LACP", before, again)
        equal("and all options as at first", again["bond"], before["bond"])


def member_options():
    """prio exists in active-backup and its like only."""
    with World("active-backup", None) as w:
        w.ip("nas", "link set eth1 type bond_slave queue_id 2", "link set eth2 type bond_slave prio 7")
        before = whole(w)
        equal("prio is set", before["devices"]["eth2"]["prio"], 7)
        exits("active-backup to balance-alb", linkctl(w, "bond", "set", "bond0", "--mode", "balance-alb"), 0)
        after = whole(w)
        for dev in ("eth1", "eth2"):                            # balance-alb deals MAC addresses out by itself
            after["devices"][dev]["mac"] = before["devices"][dev]["mac"]
        kept("to balance-alb", before, after)
        exits("back to active-backup", linkctl(w, "bond", "set", "bond0", "--mode", "1"), 0)
        kept("to active-backup", before, whole(w))
        exits("member option set", linkctl(w, "bond", "set", "bond0", "--member", "eth1", "--prio", "-5", "--queue-id", "4"), 0)
        equal("member option read back", [picture(w)["devices"]["eth1"][k] for k in ("prio", "queue_id")], [-5, 4])
        exits("member option, second run", linkctl(w, "bond", "set", "bond0", "--member", "eth1", "--prio", "-5", "--queue-id", "4"),
              0, "nothing to do")
        exits("to LACP, which has no prio", linkctl(w, "bond", "set", "bond0", "--mode", "lacp"), 0)
        equal("and it is LACP", bond_picture(w)["options"]["mode"], LACP)
        equal("queue ids are kept", [picture(w)["devices"][d]["queue_id"] for d in ("eth1", "eth2")], [4, 0])


# ---- bond verbs -----------------------------------------------------------------------------------------------------
def verbs():
    with World(None, None, nics=3) as w:
        add = ("bond", "add", "bond7", "--mode", "lacp", "--member", "eth3", "--member", "eth2", "--lacp-rate", "fast",
               "--xmit-hash-policy", "layer3+4", "--min-links", "1", "--ad-select", "bandwidth", "--ad-actor-sys-prio", "1000")
        before = picture(w)
        exits("bond add --dry-run", linkctl(w, *add, "--dry-run"), 0, "bond7")
        equal("dry run: nothing changed", picture(w), before)
        exits("bond add", linkctl(w, *add), 0)
        b = bond_picture(w, "bond7")
        equal("members in the order asked for", b["members"], ["eth3", "eth2"])
        want = {"mode": LACP, "miimon": 100, "ad_lacp_rate": "fast", "xmit_hash_policy": "layer3+4", "min_links": 1,
                "ad_select": "bandwidth", "ad_actor_sys_prio": 1000}
        equal("options read back", {k: b["options"].get(k) for k in want}, want)
        check("bond and members are up", all(picture(w)["devices"][d]["up"] for d in ("bond7", "eth3", "eth2")))
        exits("bond add again", linkctl(w, *add), 0, "nothing to do")
        exits("bond add, other options", linkctl(w, "bond", "add", "bond7", "--mode", "static"), 2, "bond7", "bond set bond7")
        sets = {"xmit-hash-policy": ("layer2+3", "xmit_hash_policy", "layer2+3"), "lacp-rate": ("slow", "ad_lacp_rate", "slow"),
                "miimon": ("200", "miimon", 200), "updelay": ("400", "updelay", 400), "downdelay": ("600", "downdelay", 600),
                "resend-igmp": ("3", "resend_igmp", 3), "min-links": ("0", "min_links", 0), "ad-select": ("count", "ad_select", "count"),
                "lacp-active": ("off", "ad_lacp_active", "off"), "ad-user-port-key": ("5", "ad_user_port_key", 5),
                "ad-actor-system": ("02:11:22:33:44:55", "ad_actor_system", "02:11:22:33:44:55")}
        args = [x for name, (value, _, _) in sets.items() for x in ("--" + name, value)]
        exits("bond set of eleven options", linkctl(w, "bond", "set", "bond7", *args), 0)
        b = bond_picture(w, "bond7")
        got = {name: b["options"].get(key) for name, (_, key, _) in sets.items()}
        equal("each read back", got, {name: value for name, (_, _, value) in sets.items()})
        equal("members as before", b["members"], ["eth3", "eth2"])
        exits("bond set again", linkctl(w, "bond", "set", "bond7", *args), 0, "nothing to do")
        exits("bond join", linkctl(w, "bond", "join", "bond7", "eth1"), 0)
        equal("joined last", bond_picture(w, "bond7")["members"], ["eth3", "eth2", "eth1"])
        exits("bond join again", linkctl(w, "bond", "join", "bond7", "eth1"), 0, "nothing to do")
        exits("bond leave", linkctl(w, "bond", "leave", "bond7", "eth3"), 0)
        equal("it has left", bond_picture(w, "bond7")["members"], ["eth2", "eth1"])
        exits("bond leave again", linkctl(w, "bond", "leave", "bond7", "eth3"), 0, "nothing to do")
        exits("a second bond", linkctl(w, "bond", "add", "bond8", "--mode", "active-backup"), 0)
        before = picture(w)
        exits("member of another bond", linkctl(w, "bond", "join", "bond8", "eth2"), 8, "bond7", "--steal")
        equal("and nothing changed", picture(w), before)
        exits("with --steal", linkctl(w, "bond", "join", "bond8", "eth2", "--steal"), 0)
        equal("it is there", (bond_picture(w, "bond7")["members"], bond_picture(w, "bond8")["members"]), (["eth1"], ["eth2"]))
        arp = ("bond", "set", "bond8", "--miimon", "0", "--arp-interval", "500", "--arp-ip-target", PC + ",192.168.10.1",
               "--primary", "eth2")
        exits("ARP monitoring", linkctl(w, *arp), 0)
        o = bond_picture(w, "bond8")["options"]
        equal("targets read back", (o["arp_interval"], o["miimon"], o["arp_ip_target"], o["primary"]), (500, 0, [PC, "192.168.10.1"], "eth2"))
        exits("ARP monitoring again", linkctl(w, *arp), 0, "nothing to do")
        shown = document(linkctl(w, "--json", "show"), "link-state")
        bonds = {i["name"]: i["bond"]["mode"] for i in shown["interfaces"] if i["kind"] == "bond"}
        equal("show --json: bonds", bonds, {"bond7": LACP, "bond8": "active-backup"})
        for bond in ("bond7", "bond8"):
            exits("bond del " + bond, linkctl(w, "bond", "del", bond), 0)
        exits("bond del again", linkctl(w, "bond", "del", "bond7"), 0, "nothing to do")
        left = picture(w)["devices"]
        check("bonds are gone, members free", not {"bond7", "bond8"} & set(left) and not any(left["eth%d" % n]["master"] for n in (1, 2, 3)))


# ---- bad input ------------------------------------------------------------------------------------------------------
def bad_input():
    with World(LACP, "static", nics=3) as w:
        before = whole(w)

        def refused(name, status, words, *args, **more):
            done = linkctl(w, *args, **more)
            exits(name, done, status, *words)
            check(name + ": hint", "\n" in (done.stdout + done.stderr).strip() or "linkctl" in done.stderr.split(":", 1)[-1], said(done))
            if (now := whole(w)) != before:
                check(name + ": nothing changed", False, checks.difference(before, now))

        w.ip("nas", "link set eth3 nomaster", "link set eth3 down")
        w.ip("nas", "link add name bond9 type bond mode active-backup", "link set eth3 master bond9")
        before = whole(w)
        refused("unknown device", 2, ["bond1"], "bond", "set", "bond1", "--mode", "static")
        refused("unknown member", 2, ["eth9"], "bond", "add", "bond5", "--mode", "lacp", "--member", "eth9")
        refused("unknown device, mtu", 2, ["eth9"], "mtu", "set", "eth9", "1400")
        refused("no bond", 2, ["eth1"], "bond", "set", "eth1", "--mode", "static")
        refused("name too long", 2, ["15"], "bond", "add", "abcdefghijklmnop", "--mode", "lacp")
        refused("name with a slash", 2, ["a/b"], "bond", "add", "a/b", "--mode", "lacp")
        refused("--member twice", 2, ["eth1", "twice"], "bond", "add", "bond5", "--mode", "lacp", "--member", "eth1", "--member", "eth1", "--steal")
        refused("member of another bond", 8, ["eth3", "bond9", "--steal"], "bond", "add", "bond5", "--mode", "lacp", "--member", "eth3")
        refused("member of another bond, join", 8, ["eth3", "bond9", "--steal"], "bond", "join", "bond0", "eth3")
        refused("unknown mode", 2, ["lacpp"], "bond", "set", "bond0", "--mode", "lacpp")
        refused("unknown option", 2, ["--lacp-rates", "--lacp-rate"], "bond", "set", "bond0", "--lacp-rates", "fast")
        refused("unknown verb", 2, ["ad", "add"], "bond", "ad", "bond5")
        refused("no mode", 2, ["--mode"], "bond", "add", "bond5")
        refused("value out of range", 2, ["miimon"], "bond", "set", "bond0", "--miimon", "-1")
        refused("miimon and arp-interval", 2, ["miimon", "arp-interval"], "bond", "add", "bond5", "--mode", "1", "--miimon", "100",
                "--arp-interval", "100", "--arp-ip-target", PC)
        refused("no number", 2, ["lots"], "mtu", "set", "bond0", "lots")
        refused("MTU above the maximum", 5, ["65535", "70000"], "mtu", "set", "bond0", "70000", "--stack")
        refused("MTU below the minimum", 5, ["68", "10"], "mtu", "set", "bond0", "10")
        refused("MTU of a member", 5, ["eth1", "bond0"], "mtu", "set", "eth1", "9000")
        # a device with a low maximum of its own
        w.ip("nas", "link add name low type dummy", "link add name br9 type bridge", "link set low master br9")
        before = whole(w)
        error = linkctl(w, "--json", "bond", "set", "bond1", "--mode", "static")
        e = document(error, "error")["error"]
        equal("--json: an error document", (error.returncode, e["id"], bool(e["message"]), bool(e["hint"])), (2, "not-found", True, True))
        not_root(w, refused)
        lock_held(w, refused)


def not_root(w, refused):
    shutil.copy(program("linkctl"), "/tmp/linkctl")
    os.chmod("/tmp/linkctl", 0o755)
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "/tmp/linkctl"]
    for name, args in (("mode", ("bond", "set", "bond0", "--mode", "static")), ("MTU", ("mtu", "set", "bond0", "9000")),
                       ("add", ("bond", "add", "bond5", "--mode", "lacp"))):
        before = whole(w)
        done = w.run("nas", nobody + list(args))
        exits("not root, " + name, done, 1, "root", "sudo")
        equal("not root, %s: nothing changed" % name, whole(w), before)
    exits("not root may look", w.run("nas", nobody + ["show"]), 0, "bond0")


def lock_held(w, refused):
    del refused
    exits("a change that waits", linkctl(w, "bond", "set", "bond0", "--xmit-hash-policy", "layer3+4", "--confirm-within", "60"), 0)
    before = whole(w)
    for args in (("bond", "set", "bond0", "--mode", "static"), ("mtu", "set", "bond0", "9000"), ("bond", "add", "bond5", "--mode", "lacp")):
        exits("lock held: " + " ".join(args[:2]), linkctl(w, *args), 1, "bond set bond0")
        equal("lock held: nothing changed", whole(w), before)
    exits("another namespace is free", linkctl(w, "mtu", "set", "eth0", "1400", ns="pc"), 0)
    exits("rollback", linkctl(w, "rollback"), 0)
    equal("rolled back", bond_picture(w)["options"]["xmit_hash_policy"], "layer2")


# ---- MTU ------------------------------------------------------------------------------------------------------------
class Watch:
    """The order in which devices of a namespace come to a new MTU."""

    def __init__(self, ns):
        with netns.inside(ns):
            self.s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
            self.s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            self.s.bind((0, netns.RTMGRP_LINK))
        self.s.settimeout(0.2)

    def order(self, mtu):
        found = []
        try:
            while True:
                data = self.s.recv(1 << 16)
                while len(data) >= 16:
                    length, kind = struct.unpack_from("=IH", data)
                    name, value = self.parse(data[16:length]) if kind == netns.RTM_NEWLINK else (None, None)
                    if value == mtu and name not in found:
                        found.append(name)
                    data = data[(length + 3) & ~3:]
        except TimeoutError:
            self.s.close()
            return found

    @staticmethod
    def parse(body):
        name = mtu = None
        if body[0] == socket.AF_BRIDGE:
            return None, None
        at = 16
        while at + 4 <= len(body):
            length, kind = struct.unpack_from("=HH", body, at)
            if length < 4:
                break
            if kind == 3:
                name = body[at + 4:at + length - 1].decode()
            elif kind == 4:
                mtu = struct.unpack_from("=I", body, at + 4)[0]
            at += (length + 3) & ~3
        return name, mtu


STACK = ("link add link bond0 name bond0.20 type vlan id 20", "link add name br0 type bridge", "link set bond0.20 master br0",
         "link set bond0.20 up", "link set br0 up", "link set eth3 master br0")


def mtu_stack():
    with World(LACP, "static", nics=3) as w:
        w.ip("nas", "link set eth3 nomaster", *STACK)
        before = picture(w)
        mtus = lambda: {name: d["mtu"] for name, d in picture(w)["devices"].items() if name != "lo"}     # noqa: E731
        all_of = lambda mtu: {name: mtu for name in mtus()}                                              # noqa: E731
        equal("at first", mtus(), all_of(1500))
        exits("dry run", linkctl(w, "mtu", "set", "bond0", "9000", "--stack", "--dry-run"), 0, "bond0.20", "br0", "eth3")
        equal("dry run: nothing changed", picture(w), before)
        seen = Watch("nas")
        exits("raise the stack", linkctl(w, "mtu", "set", "bond0", "9000", "--stack"), 0)
        order = seen.order(9000)
        equal("every device has it", mtus(), all_of(9000))
        check("raised bottom up", [order.index(d) for d in ("eth1", "bond0", "bond0.20", "br0")] == sorted(
            order.index(d) for d in ("eth1", "bond0", "bond0.20", "br0")), " ".join(order))
        exits("second run", linkctl(w, "mtu", "set", "bond0", "9000", "--stack"), 0, "nothing to do")
        seen = Watch("nas")
        exits("lower the stack", linkctl(w, "mtu", "set", "bond0", "1500", "--stack"), 0)
        order = seen.order(1500)
        equal("all is as at first", picture(w), before)
        check("lowered top down", [order.index(d) for d in ("br0", "bond0.20", "bond0")] == sorted(
            order.index(d) for d in ("br0", "bond0.20", "bond0")), " ".join(order))
        exits("without --stack a VLAN cannot", linkctl(w, "mtu", "set", "bond0.20", "9000"), 5, "bond0.20", "bond0 below it has 1500", "--stack")
        exits("without --stack: the bond", linkctl(w, "mtu", "set", "bond0", "2000"), 0)
        equal("the bond and its members", {n: m for n, m in mtus().items() if m != 1500}, {"eth1": 2000, "eth2": 2000, "bond0": 2000})
        exits("and back", linkctl(w, "mtu", "set", "bond0", "1500"), 0)
        mtu_fails(w, mtus)
        exits("unconfirmed MTU", linkctl(w, "mtu", "set", "bond0", "9000", "--confirm-within", "1"), 0, "confirm")
        equal("unconfirmed MTU: set", mtus()["bond0"], 9000)
        World.wait(lambda: mtus()["bond0"] == 1500 and mtus()["eth1"] == 1500, RESTORE_SECONDS, "old MTU")
        check("unconfirmed MTU: restored", True)


def mtu_fails(w, mtus):
    """A bridge port whose carrier lies in another namespace: nobody here can see that it takes no more than 1500."""
    w.ip("pc", "link add link eth0 name lost type vlan id 30", "link set lost netns nas")
    w.ip("nas", "link set lost master br0")
    before = picture(w)
    exits("a step fails", linkctl(w, "mtu", "set", "bond0", "9000", "--stack"), 4, "lost", "as it was before")
    equal("a step fails: all as before", picture(w), before)
    w.ip("nas", "link del lost")
    del mtus


def mtu_probe():
    with World(STATIC, "static", mtu=9000) as w:
        def probe(ns, host, *args):
            done = linkctl(w, "--json", "mtu", "probe", host, *args, ns=ns)
            return done.returncode, document(done, "mtu-probe")
        for ns, host, name in (("nas", PC, "NAS to PC, IPv4"), ("pc", NAS, "PC to NAS, IPv4"), ("nas", PC6, "NAS to PC, IPv6"),
                               ("pc", NAS6, "PC to NAS, IPv6")):
            status, doc = probe(ns, host)
            equal("frame limit 1522: " + name, (status, doc["reached"], doc["mtu_bytes"], doc["edge_found"]), (0, True, 1504, True))
        status, doc = probe("nas", PC, "--max", "1400")
        equal("--max 1400", (status, doc["mtu_bytes"], doc["edge_found"]), (0, 1400, False))
        exits("in words", linkctl(w, "mtu", "probe", PC), 0, "1504", "1505 bytes and more are lost")
        w.web().post("/fwd.cgi?page=jumboframe", "jumboframe=3&cmd=jumboframe")
        for ns, host, name in (("nas", PC, "IPv4"), ("pc", NAS6, "IPv6")):
            status, doc = probe(ns, host)
            equal("frame limit 9216: " + name, (status, doc["mtu_bytes"], doc["tried_max_bytes"], doc["edge_found"]), (0, 9000, 9000, False))
        exits("frame limit 9216: in words", linkctl(w, "mtu", "probe", PC), 0, "9000", "all that this host's device can send")
        exits("frame limit 9216: the switch itself answers", linkctl(w, "mtu", "probe", PC, "--dev", "bond0"), 0, "9000")
        status, doc = probe("nas", "192.168.10.250")
        equal("nobody there", (status, doc["reached"], doc["mtu_bytes"]), (6, False, None))
        exits("unknown device", linkctl(w, "mtu", "probe", PC, "--dev", "eth9"), 2, "eth9")
        exits("no route", linkctl(w, "mtu", "probe", "203.0.113.1"), 6)


# ---- what dies on the way -------------------------------------------------------------------------------------------
def members(w):
    return list(w.bond()["members"])


MOMENTS = (("as it begins", lambda w: bool(open_changes())), ("a member is out", lambda w: len(members(w)) < 2),
           ("no member", lambda w: not members(w)), ("the mode is new", lambda w: "xor" in w.bond()["mode"]),
           ("the first is back", lambda w: "xor" in w.bond()["mode"] and len(members(w)) == 1),
           ("both are back", lambda w: "xor" in w.bond()["mode"] and len(members(w)) == 2))


def open_changes():
    folder = "/var/lib/linkctl"
    found = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                if '"open"' in f.read():
                    found.append(name)
        except OSError:
            pass
    return found


def cut_off(w, moment, with_keeper=False, stop=signal.SIGKILL):
    """Start a change of mode, stop it when the moment has come; its exit status, whether it came, and what was said."""
    s = Stepper(["ip", "netns", "exec", "nas", program("linkctl"), "bond", "set", "bond0", "--mode", "static"])
    with netns.inside("nas"):
        in_time = s.until(lambda: moment(w))
    if in_time:
        for keeper in s.children() if with_keeper else ():
            os.kill(keeper, signal.SIGKILL)
        if stop == signal.SIGKILL:
            s.kill()
        else:
            s.go(stop)
    status = s.finish()
    return status, in_time, s.text


def same(w, before):
    now = whole(w)
    return now == before


def keeper_restores():
    with World(LACP, "static") as w:
        furnish(w)
        before = whole(w)
        for name, moment in MOMENTS:
            status, in_time, text = cut_off(w, moment)
            if not in_time:
                check("kill -9, %s: in time" % name, False, "exit %s: %s" % (status, text))
                linkctl(w, "bond", "set", "bond0", "--mode", "lacp")
                continue
            began = time.monotonic()
            try:
                World.wait(lambda: same(w, before) and not open_changes(), RESTORE_SECONDS, "old state")
                check("kill -9, %s: restored" % name, True, "after %.1f s" % (time.monotonic() - began))
            except TimeoutError:
                check("kill -9, %s: restored" % name, False, checks.difference(before, whole(w)))
        exits("the journal tells", linkctl(w, "journal"), 0, "undone", "bond set bond0")
        status, in_time, text = cut_off(w, lambda w: not members(w), stop=signal.SIGINT)
        check("Ctrl-C: exit 4", in_time and status == 4 and "as it was before" in text, "exit %s: %s" % (status, text.strip()))
        equal("Ctrl-C: all as before", whole(w), before)


def next_run_restores():
    with World(LACP, "static") as w:
        furnish(w)
        before = whole(w)
        for name, command in (("rollback", ("rollback",)), ("the next change", ("bond", "set", "bond0", "--min-links", "0"))):
            status, in_time, text = cut_off(w, lambda w: not members(w), with_keeper=True)
            check("%s: both killed" % name, in_time and status == -9, "%s %s" % (status, text))
            time.sleep(0.5)
            check("%s: nobody restores by itself" % name, whole(w) != before and open_changes())
            done = linkctl(w, *command)
            exits(name + " takes it back", done, 0)
            equal(name + ": all as before", whole(w), before)


def confirmation():
    with World(LACP, "static") as w:
        furnish(w)
        before = whole(w)
        change = ("bond", "set", "bond0", "--mode", "static", "--confirm-within")
        exits("unconfirmed: done at first", linkctl(w, *change, "2"), 0, "linkctl confirm")
        equal("unconfirmed: it is static", bond_picture(w)["options"]["mode"], STATIC)
        took = World.wait(lambda: same(w, before), RESTORE_SECONDS, "old state", poll=0.1)
        check("unconfirmed: restored", True, "after %.1f s" % took)
        World.wait(lambda: "waiting" not in linkctl(w, "journal").stdout, 5, "end of the change")
        exits("confirmed: done", linkctl(w, *change, "4"), 0)
        exits("confirm", linkctl(w, "confirm"), 0)
        time.sleep(5)
        equal("confirmed: kept", bond_picture(w)["options"]["mode"], STATIC)
        exits("confirm, nothing waits", linkctl(w, "confirm"), 2)
        exits("and back", linkctl(w, "bond", "set", "bond0", "--mode", "lacp"), 0)
        equal("as before", whole(w), before)


CHECKS = (mode_change, member_options, verbs, bad_input, mtu_stack, mtu_probe, keeper_restores, next_run_restores, confirmation)

if __name__ == "__main__":
    sys.exit(checks.main(__file__, CHECKS, timeout=240))
