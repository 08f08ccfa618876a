#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_lab.py - the lab's own test: is the office broken, and whole, in the ways that the tests rely on?

The host's side is driven by plain ip(8) commands and the switch's by its web pages.  Without a guest around it, it boots
one and runs itself there.  Prints "ok NAME  detail" or "FAIL NAME  detail" for each check; the figures are the measured ones.

What the measurements of changing the switch's group taught (6.1; 7.2 is the same):
- static -> LACP with the host on one leg costs about 0.1 s, not the 2 s that negotiation takes.  The switch side is a new
  802.3ad bond; while neither end knows a partner, bonding lets the lone port of the active aggregator carry traffic
  (79/0), and it goes on doing so through WAITING and ATTACHED, because the port never leaves its aggregator.  So nothing
  in the switch needs to be held open by a trick: the gap is the re-grouping itself (50 ms) and the first miimon round.
- With both legs up the same change costs the flows of the second leg 1.05 s, and LACP -> static kills every flow, for more
  than 4 s, unless the host follows within the 3 s that its partner information lives.
- The second leg coming back costs 0.2 s for the flows that hash to it: the side whose mux is first distributes before the
  other collects.  That is bonding's coupled control, on hardware as well.
- lacp_rate does not matter for either: bonding sends at once whenever something changes.  The switch has "fast" so that a
  partner that falls silent is noticed in 3 s instead of 90.
"""
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)

import gap                                                                              # noqa: E402
import uml                                                                              # noqa: E402
from world import NAS, NAS6, PEERS, SWITCH, World                                       # noqa: E402

ALL, ALIVE = set(PEERS), set(PEERS) - set(range(2, 17, 2))
CONVERGED, TIMEOUT_SECONDS = 63, 100
NEGOTIATE_SECONDS = 6.0
TO_LACP_MS, LEG_UP_MS, TO_STATIC_MS, REGROUP_SECONDS, CARRIER_SECONDS = 1000, 1000, 4000, 0.5, 0.25

counts = {"ok": 0, "FAIL": 0}


def check(name, good, detail=""):
    verdict = "ok" if good else "FAIL"
    counts[verdict] += 1
    print("%-4s %-34s %s" % (verdict, name, detail), flush=True)


def guarded(function):
    """A broken check is one failure, not the end of the others."""
    try:
        function()
    except Exception as e:                              # noqa: BLE001
        check(function.__name__, False, "%s: %s" % (type(e).__name__, e))


def converged(w, ports=2):
    b = w.bond()
    return b["ports"] == ports and sum(m["actor"] == CONVERGED and m["partner"] == CONVERGED for m in b["members"].values()) == ports


def listed(numbers):
    return ",".join(map(str, sorted(numbers))) or "none"


def change_mode(w, mode, options):
    """The host's side of a live mode change, as one batch."""
    w.ip("nas", "link set eth1 nomaster", "link set eth2 nomaster", "link set bond0 down",
         "link set bond0 type bond mode " + mode, *(["link set bond0 type bond " + options] if options else []),
         "link set eth1 down", "link set eth1 master bond0", "link set eth2 down", "link set eth2 master bond0", "link set bond0 up")


# ---- mismatch, first aid, and the change to LACP --------------------------------------------------------------------
def mismatch():
    began = time.monotonic()
    with World("802.3ad", "static") as w:
        check("world is built", True, "%.2f s" % (time.monotonic() - began))
        World.wait(lambda: w.bond()["members"]["eth1"]["actor"] == 79, 5, "lone LACP port")
        b = w.bond()
        check("mismatch: lone aggregators", b["ports"] == 1 and b["partner_mac"] == "00:00:00:00:00:00",
              "ports %s, actor states %s" % (b["ports"], "/".join(str(m["actor"]) for m in b["members"].values())))
        began = time.monotonic()
        alive = w.peers()
        check("mismatch: 8 of 16 peers", alive == ALIVE, "dead: %s  (%.2f s)" % (listed(ALL - alive), time.monotonic() - began))
        check("mismatch: management dead", not w.reaches("nas", "bond0", SWITCH, 2) and w.reaches("pc", "eth0", SWITCH),
              "from the NAS; the PC reaches it")
        check("mismatch: IPv6 of the PC dead", not ping6(w), "its solicitation hashes to the idle leg")
        page = w.web().get("/trunk.cgi?page=group")
        check("mismatch: the page shows no hint", "<td >static</td>\n\t\t<td>1-2</td>\n\t\t<td>1-2</td>" in page, "static, 1-2, 1-2")
        idle_leg_down(w)
        carrier(w)
        to_lacp(w)
        leg_back(w)
        to_static(w)


def idle_leg_down(w):
    with gap.Gap(w, peers=sorted(ALIVE)) as g:
        w.link("nas", "eth2", False)
        took = World.wait(lambda: w.peers(1) == ALL, 3, "16 of 16")
    check("idle leg down: 16 of 16", True, "after %.2f s; those alive before: %s" % (took, gap.line(g.report)))
    check("idle leg down: management alive", w.reaches("nas", "bond0", SWITCH))


def carrier(w):
    """Link loss at the NIC reaches the port behind the switch, and back."""
    with_link = lambda up: w.bond("switch", "lag1")["members"]["p2"]["mii"] == up     # noqa: E731
    w.link("nas", "eth2", True)
    up = World.wait(lambda: with_link("up"), 2, "link")
    w.link("nas", "eth2", False)
    down = World.wait(lambda: with_link("down"), 2, "loss of link")
    check("carrier is copied", max(up, down) <= CARRIER_SECONDS, "seen by the switch's bond after %.0f and %.0f ms" % (1000 * up, 1000 * down))


def to_lacp(w):
    web = w.web()
    web.get("/")
    flaps = flap_count(w)
    with gap.Gap(w) as g:
        began = time.monotonic()
        web.group(1, True, [1, 2])
        World.wait(lambda: converged(w, 1), NEGOTIATE_SECONDS, "LACP on one leg")
        took = time.monotonic() - began
    check("static to LACP on one leg: gap", g.report["worst_ms"] <= TO_LACP_MS, gap.line(g.report) + "; negotiated after %.1f s" % took)
    applied = w.switch.post("/backend")["applied_seconds"]
    check("re-grouping is quick", applied <= REGROUP_SECONDS, "%.3f s" % applied)
    check("re-grouping: no link flap at host", flap_count(w) == flaps)
    check("one leg bundled: page shows none", "<td >LACP</td>\n\t\t<td>1-2</td>\n\t\t<td></td>" in web.get("/trunk.cgi"),
          "Aggregated Port is empty below two")


def ping6(w):
    return w.run("pc", ["ping", "-6", "-c", "2", "-i", "0.2", "-W", "1", NAS6]).returncode == 0


def flap_count(w):
    return w.run("nas", ["cat", "/sys/class/net/eth1/carrier_changes"]).stdout.strip()


def leg_back(w):
    with gap.Gap(w) as g:
        w.link("nas", "eth2", True)
        took = World.wait(lambda: converged(w), NEGOTIATE_SECONDS, "LACP on two legs")
        time.sleep(0.3)                                 # the flows that move do so just after
    check("second leg back: gap", g.report["worst_ms"] <= LEG_UP_MS, gap.line(g.report) + "; bundled after %.1f s" % took)
    healthy(w)


def healthy(w):
    b = w.bond()
    states = "/".join("%s-%s" % (m["actor"], m["partner"]) for m in b["members"].values())
    same = {m["aggregator"] for m in b["members"].values()} == {b["aggregator"]}
    check("LACP-LACP: one aggregator, 63", converged(w) and same, "ports %s, states %s" % (b["ports"], states))
    World.wait(lambda: w.switch.get("/state")["aggregated"].get("1") == [1, 2], 2, "two aggregated ports")
    check("LACP-LACP: Aggregated Port", "<td >LACP</td>\n\t\t<td>1-2</td>\n\t\t<td>1-2</td>" in w.web().get("/trunk.cgi"), "1-2")
    alive = w.peers()
    check("LACP-LACP: 16 of 16", alive == ALL, "dead: " + listed(ALL - alive))
    check("LACP-LACP: IPv6 alive", ping6(w))
    check("LACP-LACP: management alive", w.reaches("nas", "bond0", SWITCH))
    rows = w.web().get("/mac.cgi?page=fwd_tbl")
    check("MAC table shows Trunk1", "<td >Trunk1</td>" in rows and "<td >5</td>" in rows, "%d rows" % rows.count("dynamic"))
    check("LACPDUs stay on their link", w.switch.post("/backend")["bonds"]["lag1"]["partner_mac"] == "02:00:00:00:01:13")


def to_static(w):
    """The switch first; the host at once, as far as ip(8) can."""
    web = w.web()
    web.get("/")
    w.link("nas", "eth2", False)
    w.wait(lambda: w.bond("switch", "lag1")["members"]["p2"]["mii"] == "down", 2, "loss of link")
    with gap.Gap(w) as g:
        web.group(1, False, [1, 2])
        # Releasing the members takes addresses' routes with it for a moment; the MAC address stays that of eth1.
        change_mode(w, "balance-xor", "xmit_hash_policy layer2")
        World.wait(lambda: w.peers(1) == ALL, 5, "16 of 16")
    check("LACP to static: gap", g.report["worst_ms"] <= TO_STATIC_MS, gap.line(g.report))
    alive = w.peers()
    check("static-static: 16 of 16", alive == ALL, "dead: " + listed(ALL - alive))


# ---- other worlds ---------------------------------------------------------------------------------------------------
def no_group():
    with World("802.3ad", None) as w:
        World.wait(lambda: w.bond()["members"]["eth1"]["actor"] == 79, 5, "lone LACP port")
        alive = w.peers()
        check("no group, LACP host: 16 of 16", alive == ALL, "one leg carries all; the other is idle")
        check("no group, LACP host: management", w.reaches("nas", "bond0", SWITCH))
        rows = w.web().get("/mac.cgi?page=fwd_tbl").upper()
        check("no group: NAS is behind port 1", "02:00:00:00:01:13</TD>\n\t<TD >1</TD>\n\t<TD >DYNAMIC</TD>\n\t<TD >1</TD>" in rows)


def frame_limit():
    with World("balance-xor", "static", mtu=9000) as w:
        def passes(size):
            return w.run("pc", ["ping", "-M", "do", "-c", "2", "-i", "0.2", "-W", "1", "-s", str(size), NAS]).returncode == 0
        check("frame limit 1522: 1472 passes", passes(1472), "ping payload, DF")
        check("frame limit 1522: 1476 is the most", passes(1476) and not passes(1477), "untagged: 4 bytes for a tag are free")
        check("frame limit 1522: 8972 fails", not passes(8972))
        server = w.start("nas", ["iperf3", "-s", "-1"], stdout=subprocess.DEVNULL)
        World.wait(lambda: listening(w), 5, "iperf3 server")
        stuck = w.run("pc", ["timeout", "4", "iperf3", "-c", NAS, "-t", "2", "--connect-timeout", "1000"])
        moved = 0.0 if stuck.returncode else sum_mbps(stuck.stdout)
        check("frame limit 1522: TCP of 9000 stalls", moved < 1, "%.1f Mb/s" % moved)
        server.kill()
        w.web().post("/fwd.cgi?page=jumboframe", "jumboframe=3&cmd=jumboframe")
        check("frame limit 9216: 8972 passes", passes(8972))
        w.start("nas", ["iperf3", "-s", "-1"], stdout=subprocess.DEVNULL)
        World.wait(lambda: listening(w), 5, "iperf3 server")
        ran = w.run("pc", ["iperf3", "-c", NAS, "-t", "1"])
        check("frame limit 9216: TCP runs", ran.returncode == 0 and sum_mbps(ran.stdout) > 50, "%.0f Mb/s" % sum_mbps(ran.stdout))


def listening(w):
    return "5201" in w.run("nas", ["ss", "-ltn"]).stdout


def sum_mbps(text):
    for row in text.splitlines():
        words = row.split()
        if "receiver" in words:
            at = next(i for i, word in enumerate(words) if word.endswith("bits/sec"))
            return float(words[at - 1]) * {"bits/sec": 1e-6, "Kbits/sec": 1e-3, "Mbits/sec": 1, "Gbits/sec": 1e3}[words[at]]
    return 0.0


def reboot():
    with World("802.3ad", "static", settings={"reboot_s": 1.5}) as w:
        web = w.web()
        web.group(2, True, [3, 4])
        check("unsaved is seen", w.switch.get("/state")["unsaved"])
        web.post("/reboot.cgi", "cmd=reboot")
        World.wait(lambda: not w.carrier("nas", "eth1"), 2, "loss of link during the reboot")
        World.wait(lambda: w.carrier("nas", "eth1"), 5, "link after the reboot")
        w.wait(lambda: w.switch.get("/state")["listening"], 5, "the switch")
        groups = w.switch.get("/state")["running"]["groups"]
        check("unsaved is lost at reboot", list(groups) == ["1"], "groups: " + listed(groups))
        check("reboot logs all out", 'replace("/login.cgi")' in web.exchange("GET", "/info.cgi", ""))
        check("host saw the reboot as link loss", int(flap_count(w)) >= 3, "carrier changes: " + flap_count(w))


CHECKS = (mismatch, no_group, frame_limit, reboot)


def main():
    if not os.path.exists("/sys/module/bonding") or os.uname().nodename != "guest":
        try:
            return uml.run([os.path.realpath(__file__)] + sys.argv[1:], timeout=TIMEOUT_SECONDS, console=None)
        except uml.Missing as e:
            print("check_lab: skipped: " + str(e), file=sys.stderr)
            return uml.SKIP
    began = time.monotonic()
    for function in CHECKS:
        if not sys.argv[1:] or function.__name__ in sys.argv[1:]:
            guarded(function)
    print("%d passed, %d failed  (%.1f s)" % (counts["ok"], counts["FAIL"], time.monotonic() - began))
    return 1 if counts["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
