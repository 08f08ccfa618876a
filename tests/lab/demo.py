#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""demo.py - the play behind ./demo, in a guest: every command is real, and so is what it answers.

demo.py [--color=always|never] [--json]
"""
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import checks                                                                           # noqa: E402
import gap                                                                              # noqa: E402
import uml                                                                              # noqa: E402
from world import NAS, PC, PEERS, SWITCH, World                                         # noqa: E402

URL = "http://" + SWITCH
STEPS = 5
TIMEOUT_SECONDS = 170
IMPOSSIBLE_MTU = "70000"
BOLD, DIM, RED, GREEN, CYAN, PLAIN = "1", "2", "31", "32", "36", "0"


class Stage:
    """What the audience sees."""

    def __init__(self, color, silent):
        self.color, self.silent = color, silent

    def style(self, code, text):
        return "\033[%sm%s\033[0m" % (code, text) if self.color else text

    def line(self, text=""):
        if not self.silent:
            print(text, flush=True)

    def step(self, number, title):
        done = "".join("●" if n < number else "◉" if n == number else "○" for n in range(1, STEPS + 1)) if self.color else "%d/%d" % (number, STEPS)
        self.line()
        self.line(self.style(BOLD, "%s  %s" % (done, title)) if self.color else "== %s  %s" % (done, title))

    def say(self, text):
        self.line(self.style(DIM, text) if self.color else text)

    def verdict(self, good, text):
        self.line(self.style(GREEN if good else RED, "%s %s" % ("✓" if good else "✗", text)) if self.color
                  else "%s: %s" % ("ok" if good else "WRONG", text))

    def peers(self, alive):
        cells = [(self.style(GREEN, "%d" % n) if n in alive else self.style(RED, "%d" % n)) if self.color
                 else ("%d" % n if n in alive else "(%d)" % n) for n in PEERS]
        self.line("  peers, %s:  %s" % ("red = dead" if self.color else "( ) = dead", " ".join(cells)))


class Play:
    def __init__(self, stage):
        self.stage, self.faults = stage, []
        self.doc = {"schema": 1, "kind": "demo", "flows_before": {"passed": None, "of": 16}, "finding": None,
                    "flows_after": {"passed": None, "of": 16}, "align_exit": None, "mtu_proven_bytes": None,
                    "throughput_mbps": {"before": None, "after": None}, "impossible": {"exit": None, "unchanged": None}, "seconds": None}

    def sure(self, good, text):
        self.stage.verdict(good, text)
        if not good:
            self.faults.append(text)

    def run(self, w, ns, *command, keep=None, once=False):
        """Show the command, run it, show its answer as it comes; its status and text.  keep: lines that match only; once:
        no line twice (align tells its steps as it goes, and lists them at the end)."""
        shown = " ".join(command)
        self.stage.line()
        self.stage.line("%s %s" % (self.stage.style(CYAN, ns + "#"), self.stage.style(BOLD, shown)) if self.stage.color else "%s# %s" % (ns, shown))
        argv, text = list(command), ""
        if command[0] in ("linkctl", "switchctl"):
            argv = [checks.program(command[0]), "--color=" + ("always" if self.stage.color else "never"), *command[1:]]
        with subprocess.Popen(["ip", "netns", "exec", ns] + argv, env=checks.environment(), text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as p:
            for row in p.stdout:
                bare = re.sub(r"\033\[[0-9;]*m", "", row)
                if bare.strip() and (keep is None or re.search(keep, bare)) and not (once and bare.strip() in text):
                    self.stage.line("  " + row.rstrip())
                text += bare
        if p.returncode:
            self.stage.say("  (exit status %d)" % p.returncode)
        return p.returncode, text

    def iperf(self, w):
        server = w.start("nas", ["iperf3", "-s", "-1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        w.wait(lambda: ":5201 " in w.run("nas", ["ss", "-ltn"]).stdout, 5, "iperf3 server")
        _, text = self.run(w, "pc", "iperf3", "-c", NAS, "-t", "3", "-f", "m", keep="receiver")
        server.kill()
        found = re.search(r"([\d.]+) Mbits/sec +receiver", text)
        return float(found.group(1)) if found else None

    def counted(self, w, want):
        alive = w.peers()
        if len(alive) != want:                  # a link that is just settling: once more
            time.sleep(1)
            alive = w.peers()
        self.stage.peers(alive)
        return len(alive)

    # ---- the five steps --------------------------------------------------------------------------------------------
    def wrong(self, w):
        self.stage.step(1, "What is wrong?")
        self.stage.say("A NAS with two ports in a bond, a cheap managed switch, sixteen peers.  Some reach the NAS, some do not:")
        self.doc["flows_before"]["passed"] = n = self.counted(w, 8)
        self.sure(n == 8, "%d of 16 peers reach the NAS" % n)

    def why(self, w):
        self.stage.step(2, "Why?")
        self.stage.say("On the NAS, which cannot reach the switch's page either:")
        status, text = self.run(w, "nas", "linkctl", "doctor", "bond0")
        found = re.findall(r"(lag\.[a-z-]+)  \((certain|likely|possible)\)", text)
        self.sure(status == 3 and {f[0] for f in found} == {"lag.no-partner", "lag.host-lacp-switch-static"}, "two candidates, and a first aid")
        aid = re.search(r"^\s+(ip link set (\w+) down)$", text, re.M)
        leg = aid.group(2) if aid else "eth2"
        self.run(w, "nas", "ip", "link", "set", leg, "down")
        w.wait(lambda: len(w.peers(1)) == 16, 5, "16 of 16")
        self.stage.say("  One leg carries all, and the switch answers.  Now it can be asked:")
        status, text = self.run(w, "nas", "linkctl", "doctor", "bond0", "--switch", URL)
        found = re.findall(r"(lag\.[a-z-]+)  \((certain|likely|possible)\)", text)
        self.doc["finding"] = found[0][0] if found else None
        self.sure(found == [("lag.host-lacp-switch-static", "certain")], "the cause: the NAS speaks LACP, the switch's group is static")
        self.run(w, "nas", "ip", "link", "set", leg, "up")
        w.wait(lambda: len(w.peers(1)) == 8, 5, "the mismatch")

    def align(self, w):
        self.stage.step(3, "Set both ends right")
        with gap.Gap(w, peers=sorted(w.peers())) as g:
            self.doc["align_exit"], _ = self.run(w, "nas", "switchctl", "--yes", "-s", URL, "align", "--bond", "bond0", "--mode", "lacp", once=True)
        self.doc["flows_after"]["passed"] = n = self.counted(w, 16)
        self.sure(n == 16 and self.doc["align_exit"] == 0, "%d of 16 peers reach the NAS" % n)
        worst = g.report["worst_ms"]
        self.sure(worst <= 1000, "gap seen by the peers that worked before: %d ms" % worst)
        b = w.bond()
        self.sure(b["ports"] == 2, "LACP bundles %s ports, partner %s" % (b["ports"], b["partner_mac"]))

    def jumbo(self, w):
        self.stage.step(4, "Jumbo frames, with proof")
        speed = self.doc["throughput_mbps"]
        speed["before"] = self.iperf(w)
        self.run(w, "nas", "switchctl", "--yes", "-s", URL, "jumbo", "set", "--mtu", "9000")
        self.run(w, "nas", "linkctl", "mtu", "set", "bond0", "9000", "--stack")
        self.run(w, "pc", "linkctl", "mtu", "set", "eth0", "9000")
        proven = []
        for ns, host in (("nas", PC), ("pc", NAS)):
            status, text = self.run(w, ns, "linkctl", "mtu", "probe", host)
            found = re.search(r"up to (\d+) bytes", text)
            proven.append(int(found.group(1)) if found and status == 0 else 0)
        self.doc["mtu_proven_bytes"] = min(proven)
        self.sure(min(proven) == 9000, "packets of %d bytes get through whole, both ways" % min(proven))
        self.run(w, "nas", "switchctl", "--yes", "-s", URL, "save")
        speed["after"] = self.iperf(w)
        self.sure(bool(speed["before"] and speed["after"]), "TCP: %s Mb/s before, %s Mb/s after" % (speed["before"], speed["after"]))

    def safety(self, w):
        self.stage.step(5, "What cannot be done is not begun, what fails is taken back")
        before = self.everything(w)
        status, _ = self.run(w, "nas", "linkctl", "mtu", "set", "bond0", IMPOSSIBLE_MTU, "--stack")
        same = self.everything(w) == before
        self.doc["impossible"] = {"exit": status, "unchanged": same}
        self.sure(status == 5 and same, "refused before anything was written")
        self.stage.say("Somebody sets the switch's group back to static ...")
        self.run(w, "pc", "switchctl", "--yes", "-s", URL, "lag", "set", "1", "--mode", "static", "--ports", "1,2", keep="group")
        w.wait(lambda: len(w.peers(1)) == 8, 10, "the mismatch")
        before = self.everything(w)
        self.stage.say("... and this time the switch drops its answer half-way, and is gone for 2 seconds:")
        w.switch.post("/fault", {"fault": "closed", "method": "POST", "path": "/trunk.cgi", "s": 2})
        status, _ = self.run(w, "nas", "switchctl", "--yes", "-s", URL, "align", "--bond", "bond0", "--mode", "lacp", once=True)
        hits = w.switch.get("/state")["hits"]
        w.wait(lambda: self.everything(w) == before, 5, "the old state")
        self.sure(status == 4 and len(hits) == 1, "rolled back (exit status 4): both ends as they were before")

    @staticmethod
    def everything(w):
        return checks.whole(w), w.switch.get("/state")["running"]

    def perform(self):
        began = time.monotonic()
        with World("802.3ad", "static") as w:
            w.wait(lambda: w.bond()["members"]["eth1"]["actor"] == 79, 5, "lone LACP port")
            for act in (self.wrong, self.why, self.align, self.jumbo, self.safety):
                try:
                    act(w)
                except Exception as e:                          # noqa: BLE001
                    self.sure(False, "%s: %s: %s" % (act.__name__, type(e).__name__, e))
                    break
        self.doc["seconds"] = round(time.monotonic() - began, 1)


def main():
    color, as_json = "--color=always" in sys.argv[1:], "--json" in sys.argv[1:]
    if os.uname().nodename != "guest" or not os.path.exists("/sys/module/bonding"):
        try:
            return uml.run([os.path.realpath(__file__)] + sys.argv[1:], timeout=TIMEOUT_SECONDS, env={"BIN": checks.BIN}, mem="768M")
        except uml.Missing as e:
            if as_json:
                print(json.dumps({"schema": 1, "kind": "error", "error": {
                    "id": "unsupported", "where": "demo", "message": "no guest can run here: %s" % e,
                    "hint": "the demo needs amd64 and the package user-mode-linux"}}))
            print("demo: cannot run here: %s\n  all that needs no guest: ./test unit, ./test emu" % e, file=sys.stderr)
            return 5
    play = Play(Stage(color, as_json))
    play.perform()
    if as_json:
        print(json.dumps(play.doc))
        for fault in play.faults:
            print("demo: " + fault, file=sys.stderr)
    else:
        play.stage.line()
        play.stage.verdict(not play.faults, "the demo took %.0f s%s" % (play.doc["seconds"], "" if not play.faults else "; not as it should be: " + "; ".join(play.faults)))
    return 1 if play.faults else 0


if __name__ == "__main__":
    sys.exit(main())
