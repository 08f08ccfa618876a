# SPDX-License-Identifier: MIT
"""dataplane.py - the wires behind the emulated switch: kernel devices that do what its configuration says.

Runs in the namespace 'switch' (see switch.py) and is the emulator's Backend there.  Port n is

    host's NIC ==== o<n>  <-- tc redirect -->  i<n> ==== p<n>     in br0, or a member of the bond lag1 or lag2 in br0

o<n> is always up, so a port can change between bridge and groups without the host seeing its link flap, as with a real
switch.  Link loss at o<n> is copied to i<n> as soon as the kernel tells us.  A static group is a balance-xor bond, an
LACP group an 802.3ad one, both with the layer2 hash.  The frame limit is the MTU of the p<n>: the kernel drops what is
longer than MTU + 18 there, so a limit of F bytes with header, one tag and FCS is an MTU of F - 22.
"""
import os
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "emu")]

import backend                                                                          # noqa: E402
import bonding                                                                          # noqa: E402
import netns                                                                            # noqa: E402

FRAME_OVERHEAD = 22                 # Ethernet header 14, one tag 4, FCS 4
OUTER_MTU = 65535
CARRIER_POLL_SECONDS = 0.05
STATIC = "mode balance-xor xmit_hash_policy layer2 miimon 100"
# Fast, so that a partner that went silent is noticed within 3 s; lacp_active is the kernel's default.
LACP = "mode 802.3ad xmit_hash_policy layer2 miimon 100 lacp_rate fast"


def batch(tool, lines):
    """Many ip or tc commands by one program; all must work."""
    if lines:
        done = subprocess.run([tool, "-batch", "-"], input="\n".join(lines) + "\n", text=True, capture_output=True, timeout=30)
        if done.returncode:
            raise RuntimeError("%s -batch: %s\n%s" % (tool, done.stderr, "\n".join(lines)))


def read(path):
    with open(path, encoding="ascii") as f:
        return f.read().strip()


class Dataplane(backend.Backend):
    def __init__(self, speeds, address, mac, frame):
        self.speeds = dict(enumerate(speeds, 1))
        self.copied = {}                        # port: link as last copied
        self.now = {"groups": {}, "enabled": {p: True for p in self.speeds}, "frame": frame}
        self.powered = True
        self.applied_seconds = None
        self.links = netns.Links()
        self.build(address, mac, frame - FRAME_OVERHEAD)
        threading.Thread(target=self.follow, daemon=True).start()

    # ---- building --------------------------------------------------------------------------------------------------
    def build(self, address, mac, mtu):
        """Inner pairs and bridge; the outer ends are there already, those with a cable."""
        lines = ["link add name br0 address %s mtu 1500 type bridge stp_state 0 mcast_snooping 0 ageing_time 30000" % mac]
        self.outer = {p: p_index for p in self.speeds if (p_index := self.index("o%d" % p))}
        for p in self.speeds:
            lines.append("link add name i%d mtu %d type veth peer name p%d mtu %d" % (p, OUTER_MTU, p, mtu))
        for p in self.speeds:
            lines.append("link set p%d up master br0" % p)
        lines += ["addr add %s dev br0" % address, "link set br0 up"]
        batch("ip", lines)
        self.inner = {p: self.index("i%d" % p) for p in self.speeds}
        names = ["%s%d" % (kind, p) for p in self.speeds for kind in "ip"] + ["o%d" % p for p in self.outer]
        netns.no_offloads(names)
        lines = []
        for p in self.outer:
            for a, b in (("o%d" % p, "i%d" % p), ("i%d" % p, "o%d" % p)):
                lines += ["qdisc add dev %s clsact" % a,
                          "filter add dev %s ingress matchall action mirred egress redirect dev %s" % (a, b)]
        batch("tc", lines)
        for index in self.outer.values():
            self.links.set(index, True)
        self.copy_carriers()

    @staticmethod
    def index(name):
        try:
            return int(read("/sys/class/net/%s/ifindex" % name))
        except FileNotFoundError:
            return 0

    # ---- carrier ---------------------------------------------------------------------------------------------------
    def follow(self):
        """Copy the carrier of o<n> to p<n>, by i<n>, for ever."""
        while True:
            # The kernel tells of a change at once or, when many change, up to a second late: look for ourselves as well.
            self.links.wait(CARRIER_POLL_SECONDS)
            self.copy_carriers()

    def carrier(self, p):
        try:
            return p in self.outer and read("/sys/class/net/o%d/carrier" % p) == "1"
        except OSError:                         # the device is down
            return False

    def copy_carriers(self):
        for p, inner in self.inner.items():
            up = self.carrier(p)
            if self.copied.get(p) != up:
                self.copied[p] = up
                self.links.set(inner, up)

    def set_outer(self):
        for p, index in self.outer.items():
            self.links.set(index, self.powered and self.now["enabled"][p])

    def power(self, on):
        self.powered = on
        self.set_outer()

    # ---- configuration ---------------------------------------------------------------------------------------------
    def apply(self, config):
        began = time.monotonic()
        old, mtu = self.now, config["frame"] - FRAME_OVERHEAD
        new = {"groups": config["groups"], "frame": config["frame"],
               "enabled": {p: c["enabled"] for p, c in enumerate(config["ports"], 1)}}
        # Other dictionaries of the caller may change under us: keep copies.
        new["groups"] = {g: {"lacp": v["lacp"], "ports": list(v["ports"])} for g, v in new["groups"].items()}
        changed = [g for g in set(old["groups"]) | set(new["groups"]) if old["groups"].get(g) != new["groups"].get(g)]
        batch("ip", self.frame_lines(old, new, mtu) + self.group_lines(old["groups"], new["groups"], changed, mtu))
        self.now = new
        if new["enabled"] != old["enabled"]:
            self.set_outer()
        self.applied_seconds = round(time.monotonic() - began, 3)

    def frame_lines(self, old, new, mtu):
        if new["frame"] == old["frame"]:
            return []
        members = {p for group in old["groups"].values() for p in group["ports"]}
        return (["link set p%d mtu %d" % (p, mtu) for p in self.speeds if p not in members]
                + ["link set lag%d mtu %d" % (g, mtu) for g in old["groups"]])

    @staticmethod
    def group_lines(old, new, changed, mtu):
        """A changed group is made anew: a bond takes another mode, and a member another bond, in no other way."""
        lines = ["link del lag%d" % g for g in changed if g in old]
        taken = {p for g in changed if g in new for p in new[g]["ports"]}
        freed = {p for g in changed if g in old for p in old[g]["ports"]} - taken
        lines += ["link set p%d up mtu %d master br0" % (p, mtu) for p in sorted(freed)]
        for g in changed:
            if g in new:
                lines.append("link add name lag%d mtu %d type bond %s" % (g, mtu, LACP if new[g]["lacp"] else STATIC))
                lines += ["link set p%d down" % p for p in new[g]["ports"]]
                lines += ["link set p%d master lag%d" % (p, g) for p in new[g]["ports"]]
                lines.append("link set lag%d up master br0" % g)
        return lines

    # ---- what the pages show ---------------------------------------------------------------------------------------
    def link(self, port):
        return self.carrier(port), self.speeds[port]

    def counters(self, port):
        if port not in self.outer:
            return {"tx_good": 0, "tx_bad": 0, "rx_good": 0, "rx_bad": 0}
        there = "/sys/class/net/o%d/statistics/" % port
        return {key: int(read(there + name)) for key, name in (("tx_good", "tx_packets"), ("tx_bad", "tx_errors"),
                                                               ("rx_good", "rx_packets"), ("rx_bad", "rx_errors"))}

    def mac_table(self):
        """From the bridge's table: records of 16 bytes, struct __fdb_entry of linux/if_bridge.h."""
        where = {}
        for name in os.listdir("/sys/class/net/br0/brif"):
            number = int(read("/sys/class/net/%s/brport/port_no" % name), 16)
            where[number] = int(name[1:]) if name[0] == "p" else "Trunk" + name[3:]
        with open("/sys/class/net/br0/brforward", "rb") as f:
            table = f.read()
        rows = []
        for at in range(0, len(table) - 15, 16):
            entry = table[at:at + 16]
            port = where.get(entry[6] | entry[12] << 8)
            if not entry[7] and port is not None:
                rows.append((":".join("%02X" % b for b in entry[:6]), 1, "dynamic", port))
        return sorted(rows, key=lambda r: r[0])

    def clear_macs(self):
        with open("/sys/class/net/br0/bridge/flush", "w", encoding="ascii") as f:
            f.write("1")

    def aggregated(self, group):
        try:
            ports = [int(dev[1:]) for dev in bonding.bundled(bonding.read("lag%d" % group))]
        except FileNotFoundError:
            return []
        return ports if len(ports) > 1 else []

    def control(self, request):
        """{} : how long the last change took, and what the bonds say."""
        return {"applied_seconds": self.applied_seconds,
                "bonds": {"lag%d" % g: bonding.read("lag%d" % g) for g in self.now["groups"]}}
