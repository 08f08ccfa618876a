#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""world.py - the office: a NAS with a bond, a managed switch, a PC, and sixteen peers behind the PC's port.

    namespace nas      eth1, eth2 ... (switch ports 1, 2 ...) in bond0   192.168.10.2/24   fd00:10::2/64
    namespace switch   the emulated switch, management                   192.168.10.12/24  admin / admin
    namespace pc       eth0 (switch port 5)                              192.168.10.100/24 fd00:10::100/64
                       p1..p16, macvlans on eth0                         192.168.10.101-116

    with World(mode="802.3ad", group="static") as w:
        w.peers()                               -> {1, 3, 5, ...}: those that reach the NAS
        w.run("nas", ["ip", "link"])            -> subprocess.CompletedProcess
        w.switch.get("/state")                  the emulator's side door (tests/emu/rtl837x_cgi.py)

As a program: world.py [--mode M] [--group G] [--nics N] [--frame F] [--mtu N] [--in NS] -- CMD...  builds it, runs CMD in
a namespace (default nas) with LAB_SWITCH=unix:/... in its environment, and takes all down.  Needs root and the bonding
driver: run it in a guest (uml.py).

The addresses are chosen for one thing.  The kernel's layer2 hash, which the switch's groups use, sends a frame to link
(last octet of source ^ of destination) mod 2.  The NAS's last octet is odd and so is that of a broadcast, so ARP and data
of a peer always take the same link: odd peers the first, even ones the second, and so does the switch's own address, which
is even.  When the host speaks LACP and the switch's group is static, the host hears the first link only: the peers 2, 4 ...
16 are dead, and so is the switch's management.  (IPv6 has an odd EtherType, and
asks by other multicast addresses: no such rule there.)
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "emu")]

import bonding                                                                          # noqa: E402
import control                                                                          # noqa: E402
import dataplane                                                                        # noqa: E402
import netns                                                                            # noqa: E402
import reach                                                                            # noqa: E402
import web                                                                              # noqa: E402

NAS, PC, SWITCH = "192.168.10.2", "192.168.10.100", "192.168.10.12"
NAS6, PC6 = "fd00:10::2", "fd00:10::100"
SWITCH_MAC = "02:00:5e:00:00:0c"
PEERS = range(1, 17)
PC_PORT = 5
NAMESPACES = ("nas", "switch", "pc")
QUIET_V6 = {"net/ipv6/conf/%s/%s" % (which, key): value for which in ("all", "default") for key, value in
            (("accept_ra", 0), ("accept_dad", 0), ("autoconf", 0), ("router_solicitations", 0))}
# Peers answer and ask with their own address only, and ask again soon.
PC_SYSCTL = {"net/ipv4/conf/%s/%s" % (which, key): value for which in ("all", "default") for key, value in
             (("arp_ignore", 1), ("arp_announce", 2), ("rp_filter", 0))}
PC_SYSCTL["net/ipv4/neigh/default/retrans_time_ms"] = 200
BOND_OPTIONS = {"802.3ad": "miimon 100 lacp_rate fast xmit_hash_policy layer2"}
BOOT_SECONDS = 10


def nas_mac(nic):
    return "02:00:00:00:01:%02x" % (0x11 + 2 * nic)         # eth1 = :13; all odd


def peer_mac(n):
    return "02:00:00:00:02:%02x" % n


def peer_address(n):
    return "192.168.10.%d" % (100 + n)


class World:
    """mode: a kernel bonding mode, or None for plain NICs.  group: 'static', 'lacp' or None, of 'members' (switch ports).
    nics: how many the NAS has, on ports 1...  frame: the switch's limit in bytes.  mtu: of NAS and PC.  options: for
    "ip link add ... type bond mode MODE".  settings: the emulator's ({'pace_ms': 300 ...})."""

    def __init__(self, mode="802.3ad", group="static", members=(1, 2), nics=2, frame=1522, mtu=1500, options=None, settings=None):
        self.mode, self.nics, self.mtu = mode, nics, mtu
        self.group = {"1": {"lacp": group == "lacp", "ports": list(members)}} if group else {}
        self.options = options if options is not None else BOND_OPTIONS.get(mode, "miimon 100")
        self.started, self.sockets = [], {}
        self.folder = tempfile.mkdtemp(prefix="lab-world.")
        try:
            self.build(frame)
            self.boot(frame, settings or {})
        except BaseException:
            self.close()
            raise

    # ---- building --------------------------------------------------------------------------------------------------
    def build(self, frame):
        dataplane.batch("ip", ["netns add " + ns for ns in NAMESPACES])
        self.made = True
        for ns in NAMESPACES:
            with netns.inside(ns):
                netns.sysctl({"net/ipv6/conf/all/disable_ipv6": 1, "net/ipv6/conf/default/disable_ipv6": 1} if ns == "switch"
                             else QUIET_V6 | (PC_SYSCTL if ns == "pc" else {}))
        lines = ["link add name o%d mtu %d netns switch type veth peer name eth%d address %s mtu %d netns nas"
                 % (n, dataplane.OUTER_MTU, n, nas_mac(n), self.mtu) for n in range(1, self.nics + 1)]
        lines.append("link add name o%d mtu %d netns switch type veth peer name eth0 address 02:00:00:00:02:64 mtu %d netns pc"
                     % (PC_PORT, dataplane.OUTER_MTU, self.mtu))
        dataplane.batch("ip", lines)
        with netns.inside("nas"):
            netns.no_offloads(["eth%d" % n for n in range(1, self.nics + 1)])
            dataplane.batch("ip", self.nas_lines())
        with netns.inside("pc"):
            netns.no_offloads(["eth0"])
            dataplane.batch("ip", self.pc_lines())

    def nas_lines(self):
        nics = ["eth%d" % n for n in range(1, self.nics + 1)]
        lines, top = ["link set lo up"], nics[0]
        if self.mode:
            top = "bond0"
            lines.append("link add name bond0 mtu %d type bond mode %s %s" % (self.mtu, self.mode, self.options))
            lines += ["link set %s master bond0" % nic for nic in nics]
        lines += ["link set %s up" % nic for nic in nics] if not self.mode else ["link set bond0 up"]
        return lines + ["addr add %s/24 dev %s" % (NAS, top), "addr add %s/64 dev %s nodad" % (NAS6, top)]

    def pc_lines(self):
        lines = ["link set lo up", "link set eth0 up", "addr add %s/24 dev eth0" % PC, "addr add %s/64 dev eth0 nodad" % PC6]
        for n in PEERS:
            lines += ["link add link eth0 name p%d address %s type macvlan mode bridge" % (n, peer_mac(n)),
                      "addr add %s/24 dev p%d" % (peer_address(n), n), "link set p%d up" % n]
        return lines

    def boot(self, frame, settings):
        endpoint = "unix:" + self.folder + "/switch"
        argv = [HERE + "/switch.py", "--address", SWITCH, "--port", "80", "--control", endpoint, "--mac", SWITCH_MAC,
                "--frame", str(frame)]
        server = self.start("switch", argv, stdout=subprocess.PIPE, text=True)
        self.switch = control.Client(endpoint)
        for _ in range(2):
            if not server.stdout.readline():
                raise RuntimeError("the switch did not start")
        if settings:
            self.switch.post("/settings", settings)
        if self.group:
            self.switch.post("/state", {"running": {"groups": self.group}, "saved": {"groups": self.group}})
        self.wait(lambda: self.carrier("pc", "eth0"), BOOT_SECONDS, "a link at the PC")
        with netns.inside("pc"):
            self.sockets = {n: reach.open_socket("p%d" % n, NAS) for n in PEERS}

    def close(self):
        for process in reversed(self.started):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            if process.stdout:
                process.stdout.close()
        for s in self.sockets.values():
            s.close()
        if getattr(self, "made", False):
            subprocess.run(["ip", "-batch", "-"], input="".join("netns del %s\n" % ns for ns in NAMESPACES), text=True,
                           stderr=subprocess.DEVNULL, timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- using -----------------------------------------------------------------------------------------------------
    def run(self, ns, command, timeout=60, **more):
        """Run to the end; stdout and stderr as text in the result unless told otherwise."""
        kept = {} if {"stdout", "stderr", "capture_output"} & set(more) else {"capture_output": True}
        return subprocess.run(["ip", "netns", "exec", ns] + list(command), timeout=timeout, **{"text": True, **kept, **more})

    def start(self, ns, command, **more):
        """Start, and end with the world."""
        process = subprocess.Popen(["ip", "netns", "exec", ns] + list(command), start_new_session=True, **more)
        self.started.append(process)
        return process

    def ip(self, ns, *lines):
        """ip commands in a namespace, by one program."""
        with netns.inside(ns):
            dataplane.batch("ip", lines)

    def link(self, ns, dev, up):
        self.ip(ns, "link set %s %s" % (dev, "up" if up else "down"))

    def carrier(self, ns, dev):
        """Carrier of a device that is up, from any namespace."""
        with netns.inside(ns):
            return netns.has_carrier(dev)

    def bond(self, ns="nas", dev="bond0"):
        """See bonding.py; of the switch's side: bond('switch', 'lag1')."""
        with netns.inside(ns):
            return bonding.read(dev)

    def peers(self, tries=reach.TRIES):
        """The numbers of the peers that reach the NAS."""
        return reach.reachable(self.sockets, tries)

    def reaches(self, ns, dev, target, tries=reach.TRIES):
        """Does 'target' answer an echo sent from 'dev'?"""
        with netns.inside(ns):
            s = reach.open_socket(dev, target)
        with s:
            return bool(reach.reachable({0: s}, tries))

    def web(self, ns="pc", **more):
        """A client for the switch's pages, sitting in namespace 'ns'."""
        return web.Web(ns, SWITCH, **more)

    @staticmethod
    def wait(condition, seconds, what, poll=0.02):
        """Poll until it holds; how long that took.  TimeoutError after 'seconds'."""
        began = time.monotonic()
        while not condition():
            if time.monotonic() - began > seconds:
                raise TimeoutError("no %s within %g s" % (what, seconds))
            time.sleep(poll)
        return time.monotonic() - began


def main():
    usage = argparse.ArgumentParser(description="Build the office, run a command in it, take it down.")
    usage.add_argument("--mode", default="802.3ad", help="of the NAS's bond, or none (default 802.3ad)")
    usage.add_argument("--group", default="static", choices=("static", "lacp", "none"), help="of switch ports 1 and 2")
    usage.add_argument("--nics", type=int, default=2)
    usage.add_argument("--frame", type=int, default=1522, help="the switch's frame limit (1522 1536 1552 9216 16383)")
    usage.add_argument("--mtu", type=int, default=1500, help="of NAS and PC")
    usage.add_argument("--in", dest="ns", default="nas", choices=NAMESPACES + ("root",), help="where CMD runs")
    usage.add_argument("command", nargs="+", metavar="CMD")
    a = usage.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    none = {"none": None}
    with World(none.get(a.mode, a.mode), none.get(a.group, a.group), nics=a.nics, frame=a.frame, mtu=a.mtu) as w:
        env = dict(os.environ, LAB_SWITCH=w.switch.endpoint)
        command = a.command if a.ns == "root" else ["ip", "netns", "exec", a.ns] + a.command
        return subprocess.run(command, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
