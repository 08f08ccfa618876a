#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""check_align.py - the main job on a real kernel: find the mismatch, set both ends right, jumbo, and take all back.

Each step of the demo with exact expectations, what must be refused, and what happens when the switch or align dies
half-way.  The switch is the emulator with real wires; what it runs is read at its side door.
"""
import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import checks                                                                           # noqa: E402
import gap                                                                              # noqa: E402
import netns                                                                            # noqa: E402
from checks import check, document, equal, exits, linkctl, picture, program, said, switchctl, whole     # noqa: E402
from stepper import Stepper                                                             # noqa: E402
from world import NAS, NAS6, PC, PC6, PEERS, SWITCH, World                              # noqa: E402

URL = "http://" + SWITCH
S = ("--yes", "-s", URL)
ALIGN = S + ("align", "--bond", "bond0", "--mode", "lacp")
ALL = set(PEERS)
STATIC_GROUP, LACP_GROUP = {"1": {"lacp": False, "ports": [1, 2]}}, {"1": {"lacp": True, "ports": [1, 2]}}
CERTAIN = [("lag.host-lacp-switch-static", "certain")]
RESTORE_SECONDS, GAP_MS = 10, 1000


def mismatch(**more):
    w = World("802.3ad", "static", **more)
    w.wait(lambda: w.bond()["members"]["eth1"]["actor"] == 79, 5, "lone LACP port")
    return w


def running(w):
    return w.switch.get("/state")["running"]


def everything(w):
    return {"host": whole(w), "switch": running(w)}


def as_before(name, w, before, seconds=RESTORE_SECONDS):
    """Both ends are, within the time, exactly what they were."""
    try:
        took = w.wait(lambda: everything(w) == before, seconds, "old state", poll=0.1)
        check(name + ": both ends as before", True, "after %.1f s" % took)
    except TimeoutError:
        now = everything(w)
        check(name + ": both ends as before", False, "; ".join(checks.difference(before[k], now[k]) for k in before if now[k] != before[k]))


def writes(w):
    """How many requests have changed something."""
    return sum(n for what, n in w.switch.get("/state")["requests"].items() if what.startswith("POST") and "login" not in what)


def findings(done):
    doc = document(done, "findings")
    return [(f["id"], f["confidence"]) for f in doc["findings"]], doc


# ---- the doctor -----------------------------------------------------------------------------------------------------
def doctor():
    with mismatch() as w:
        before = everything(w)
        done = linkctl(w, "--json", "doctor", "bond0")
        found, doc = findings(done)
        equal("without the switch: two candidates", {f[0] for f in found}, {"lag.no-partner", "lag.host-lacp-switch-static"})
        check("without the switch: neither is certain", all(f[1] != "certain" for f in found), str(found))
        equal("without the switch: exit, verdict", (done.returncode, doc["verdict"]), (3, "faults"))
        aid = [r["command"] for f in doc["findings"] for r in f["remedy"]]
        check("first aid: the idle leg", "ip link set eth2 down" in aid, str(aid))
        check("what would decide is said", any("switch" in need for s in doc["skipped"] for need in s["needs"]), str(doc["skipped"]))
        shown = switchctl(w, "--json", "-s", URL, "show", ns="pc")
        state = document(shown, "switch-state")
        equal("the PC sees the group", [(g["group"], g["mode"], g["ports"]) for g in state["lags"]], [(1, "static", [1, 2])])
        with open("/tmp/switch.json", "w", encoding="utf-8") as f:
            f.write(shown.stdout)
        done = linkctl(w, "--json", "doctor", "bond0", "--evidence", "/tmp/switch.json")
        equal("with evidence from the PC: the cause", (done.returncode, findings(done)[0]), (3, CERTAIN))
        done = linkctl(w, "--json", "doctor", "bond0", "--switch", URL)
        check("the switch is on the dead half: said", done.returncode == 3 and CERTAIN[0] not in findings(done)[0] and "does not answer" in done.stderr, said(done))
        equal("looking changes nothing", {**everything(w)}, before)
        with gap.Gap(w, peers=range(1, 17, 2)) as g:
            w.link("nas", "eth2", False)
            w.wait(lambda: w.peers(1) == ALL, 5, "16 of 16")
        check("first aid costs nobody anything", g.report["worst_ms"] <= 100, gap.line(g.report))
        done = linkctl(w, "--json", "doctor", "bond0", "--switch", URL)
        equal("with the switch: the cause", (done.returncode, findings(done)[0]), (3, CERTAIN))
        check("it rules out no-partner", any("lag.no-partner" in r for r in findings(done)[1]["findings"][0]["rules_out"]))
    with World("802.3ad", "lacp") as w:
        w.wait(lambda: w.bond()["ports"] == 2, 8, "LACP")
        time.sleep(1)
        done = linkctl(w, "--json", "doctor", "bond0", "--switch", URL)
        equal("a good pair: ok", (done.returncode, findings(done)[0], findings(done)[1]["verdict"]), (0, [], "ok"))
    with World("802.3ad", None) as w:
        w.wait(lambda: w.bond()["members"]["eth1"]["actor"] == 79, 5, "lone LACP port")
        done = linkctl(w, "--json", "doctor", "bond0", "--switch", URL)
        equal("no group at all: no partner, certain", (done.returncode, findings(done)[0]), (3, [("lag.no-partner", "certain")]))


# ---- the repair -----------------------------------------------------------------------------------------------------
def repair():
    with mismatch() as w:
        host, before = picture(w), everything(w)
        plan = switchctl(w, "--json", *ALIGN, "--dry-run")
        check("dry run: a plan", plan.returncode == 0 and document(plan, "plan")["changed"] is True, said(plan))
        equal("dry run: nothing changed", (everything(w) == before, writes(w)), (True, 0))
        with gap.Gap(w, peers=range(1, 17, 2)) as g:
            done = switchctl(w, "--json", *ALIGN)
        check("align: exit 0", done.returncode == 0, said(done))
        result = document(done, "result")
        check("align: changed, verified", result["changed"] and result["verified"])
        check("align: measured gap", result["gap_ms"] is not None and result["gap_ms"] <= GAP_MS, "%s ms" % result["gap_ms"])
        check("align: gap of those alive before", g.report["worst_ms"] <= GAP_MS, gap.line(g.report))
        equal("16 of 16", w.peers(), ALL)
        b = w.bond()
        equal("one aggregator with two ports", (b["ports"], {m["aggregator"] for m in b["members"].values()}), (2, {b["aggregator"]}))
        equal("both ends in sync", [(m["actor"], m["partner"]) for m in b["members"].values()], [(63, 63)] * 2)
        equal("the host is otherwise as before", picture(w), host)
        state = w.switch.get("/state")
        equal("the switch runs and has saved it", (state["running"]["groups"], state["saved"]["groups"], state["unsaved"]), (LACP_GROUP, LACP_GROUP, False))
        page = w.web().get("/trunk.cgi?page=group")
        check("the page: LACP, both aggregated", "<td >LACP</td>\n\t\t<td>1-2</td>\n\t\t<td>1-2</td>" in page)
        equal("nothing dangerous was asked for", state["dangerous"], [])
        posts = writes(w)
        again = switchctl(w, *ALIGN)
        exits("second run", again, 0, "nothing to do")
        equal("second run: nothing written", writes(w), posts)
        check("a good pair: the doctor is content", linkctl(w, "--json", "doctor", "bond0", "--switch", URL).returncode == 0)


def static_host():
    """Both ends static: align changes the host's mode, too."""
    with World("balance-xor", "static", options="miimon 100 xmit_hash_policy layer2") as w:
        w.wait(lambda: w.peers(1) == ALL, 5, "16 of 16")
        host = picture(w)
        with gap.Gap(w) as g:
            done = switchctl(w, *ALIGN)
        exits("static host: align", done, 0)
        equal("static host: LACP now", (w.bond()["ports"], checks.bond_picture(w)["options"]["mode"]), (2, "802.3ad"))
        check("static host: gap", g.report["worst_ms"] <= GAP_MS, gap.line(g.report))
        equal("static host: 16 of 16", w.peers(), ALL)
        equal("static host: otherwise as before", picture(w), host)


# ---- jumbo ----------------------------------------------------------------------------------------------------------
def jumbo():
    with World("802.3ad", "lacp") as w:
        w.wait(lambda: w.bond()["ports"] == 2, 8, "LACP")
        frame = lambda: w.switch.get("/state")["frame_bytes"]                           # noqa: E731
        exits("dry run", switchctl(w, *S, "jumbo", "set", "--mtu", "9000", "--dry-run"), 0)
        equal("dry run: nothing written", (frame(), writes(w)), (1522, 0))
        exits("hosts first: MTU 9000", linkctl(w, "mtu", "set", "bond0", "9000", "--stack"), 0)
        exits("hosts first: the PC", linkctl(w, "mtu", "set", "eth0", "9000", ns="pc"), 0)
        probe = document(linkctl(w, "--json", "mtu", "probe", PC), "mtu-probe")
        equal("the switch is the edge", (probe["mtu_bytes"], probe["edge_found"]), (1504, True))
        exits("jumbo set", switchctl(w, *S, "jumbo", "set", "--mtu", "9000"), 0, "9216", "9194")
        equal("the switch's frame limit", frame(), 9216)
        exits("jumbo set again", switchctl(w, *S, "jumbo", "set", "--mtu", "9000"), 0, "nothing to do")
        for ns, host, name in (("nas", PC, "NAS to PC, IPv4"), ("pc", NAS, "PC to NAS, IPv4"), ("nas", PC6, "NAS to PC, IPv6"),
                               ("pc", NAS6, "PC to NAS, IPv6")):
            done = linkctl(w, "--json", "mtu", "probe", host, ns=ns)
            probe = document(done, "mtu-probe")
            equal("proven: " + name, (done.returncode, probe["mtu_bytes"], probe["edge_found"]), (0, 9000, False))
        mtus = {d: p["mtu"] for d, p in picture(w)["devices"].items() if d != "lo"}
        equal("every device of the NAS", mtus, {"eth1": 9000, "eth2": 9000, "bond0": 9000})
        check("not saved yet", w.switch.get("/state")["unsaved"])
        exits("save", switchctl(w, *S, "save"), 0)
        check("saved", not w.switch.get("/state")["unsaved"])
        equal("LACP is unharmed", (w.bond()["ports"], w.peers()), (2, ALL))
        document_of_frames(w)


def document_of_frames(w):
    done = switchctl(w, "--json", "-s", URL, "show")
    frames = document(done, "switch-state")["frame_size"]
    equal("show --json: frame size", (frames["bytes"], frames["choices"]), (9216, [1522, 1536, 1552, 9216, 16383]))


# ---- refused before anything is written -----------------------------------------------------------------------------
def impossible():
    with mismatch() as w:
        before = everything(w)

        def refused(name, status, words, *args, ns="nas", **more):
            exits(name, switchctl(w, *args, ns=ns, **more), status, *words)
            now = everything(w)
            check(name + ": nothing written", now == before and writes(w) == 0,
                  "; ".join(checks.difference(before[k], now[k]) for k in before if now[k] != before[k]))

        refused("MTU that the switch cannot", 5, ["16383", "16361"], *S, "jumbo", "set", "--mtu", "20000", ns="pc")
        refused("group that is not there", 5, ["9"], *S, "lag", "set", "9", "--mode", "lacp", "--ports", "3,4", ns="pc")
        refused("ports that are not there", 5, ["port 8", "6 ports"], *S, "lag", "set", "2", "--mode", "lacp", "--ports", "8,9", ns="pc")
        refused("one port is no group", 5, [], *S, "lag", "set", "2", "--mode", "lacp", "--ports", "3", ns="pc")
        refused("port of another group", 5, ["1"], *S, "lag", "set", "2", "--mode", "lacp", "--ports", "2,3", ns="pc")
        refused("no yes, no terminal", 8, ["--yes"], "-s", URL, "jumbo", "set", "--mtu", "9000", ns="pc")
        refused("wrong password", 1, ["password"], *S, "jumbo", "set", "--mtu", "9000", ns="pc", env={"SWITCHCTL_PASSWORD": "guess"})
        refused("nobody at this address", 6, ["192.168.10.250"], "--yes", "-s", "http://192.168.10.250", "show", ns="pc")
        refused("no such bond", 2, ["bond7"], *S, "align", "--bond", "bond7", "--mode", "lacp")
        refused("no bond", 2, ["eth1"], *S, "align", "--bond", "eth1", "--mode", "lacp")
        refused("no --bond", 2, ["--bond"], *S, "align", "--mode", "lacp")
        refused("a mode that is to come", 5, ["static"], *S, "align", "--bond", "bond0", "--mode", "static")
        refused("no such mode", 2, ["lacpp"], *S, "align", "--bond", "bond0", "--mode", "lacpp")
        tries = w.switch.get("/state")["requests"]
        exits("impossible MTU of the host", linkctl(w, "mtu", "set", "bond0", "70000", "--stack"), 5, "bond0", "65535")
        equal("impossible MTU of the host: nothing changed", everything(w), before)
        switchctl(w, *S, "show", ns="pc", env={"SWITCHCTL_PASSWORD": "guess"})
        now = w.switch.get("/state")["requests"]
        equal("a wrong password is tried once", now["POST /login.cgi"] - tries["POST /login.cgi"], 1)


# ---- what breaks half-way -------------------------------------------------------------------------------------------
def answers_lost():
    """The answer to the writing of the group is lost: what was applied is found out and kept, or all is taken back."""
    with mismatch() as w:
        for name, faults in (("silent", [{"fault": "silent", "method": "POST", "path": "/trunk.cgi", "s": 4}]),
                             ("closed", [{"fault": "closed", "method": "POST", "path": "/trunk.cgi", "s": 2}]),
                             ("error page", [{"fault": "error-page", "method": "POST", "path": "/trunk.cgi", "text": "Operation failed"}]),
                             ("no answer to the read-back", [{"fault": "drop-answer", "method": "POST", "path": "/trunk.cgi"},
                                                             {"fault": "foreign", "method": "GET", "path": "/trunk.cgi", "nth": 2, "count": 3}])):
            before = everything(w)
            alive = w.peers()
            w.switch.post("/clear")
            for fault in faults:
                w.switch.post("/fault", fault)
            done = switchctl(w, *ALIGN, timeout=90)
            hits = w.switch.get("/state")["hits"]
            exits(name + ": rolled back", done, 4, "as they were before")
            check(name + ": the fault was met", bool(hits), ", ".join(hits))
            as_before(name, w, before)
            w.wait(lambda: w.peers(1) == alive, 5, "the same peers")
            w.switch.post("/clear")
        done = None
        w.switch.post("/fault", {"fault": "drop-answer", "method": "POST", "path": "/trunk.cgi"})
        done = switchctl(w, *ALIGN, timeout=90)
        exits("drop-answer, read-back works: done", done, 0)
        equal("drop-answer: both ends LACP", (running(w)["groups"], w.bond()["ports"], w.peers()), (LACP_GROUP, 2, ALL))


def hold(w, moment):
    s = Stepper(["ip", "netns", "exec", "nas", program("switchctl")] + list(ALIGN), env=checks.environment())
    with netns.inside("nas"):
        return s, s.until(moment)


def between(w):
    """The switch is new, the host's second leg is still down."""
    return lambda: running(w)["groups"] == LACP_GROUP


def killed():
    with mismatch() as w:
        before = everything(w)
        alive = w.peers()
        s, in_time = hold(w, between(w))
        s.kill()
        began = time.monotonic()
        status = s.finish()
        check("kill -9 between the ends", in_time and status == -signal.SIGKILL, "exit %d: %s" % (status, " / ".join(s.text.split("\n"))[-300:]))
        as_before("keeper", w, before)
        check("keeper: within %d s" % RESTORE_SECONDS, time.monotonic() - began <= RESTORE_SECONDS + 1, "%.1f s" % (time.monotonic() - began))
        w.wait(lambda: w.peers(1) == alive, 5, "the same peers")
        exits("keeper: the journal tells", switchctl(w, "journal"), 0, "undone", "align bond0")
        exits("and then align works", switchctl(w, *ALIGN), 0)
        equal("16 of 16", w.peers(), ALL)


def killed_with_keeper():
    with mismatch() as w:
        before = everything(w)
        for name, command in (("rollback", ("--yes", "-s", URL, "rollback")), ("align", ALIGN)):
            s, in_time = hold(w, between(w))
            for keeper in s.children():
                os.kill(keeper, signal.SIGKILL)
            s.kill()
            status = s.finish()
            check(name + ": align and keeper killed", in_time and status == -signal.SIGKILL, "exit %d: %s" % (status, " / ".join(s.text.split("\n"))[-300:]))
            time.sleep(1)
            check(name + ": nobody restores by itself", running(w)["groups"] == LACP_GROUP)
            done = switchctl(w, *command, timeout=90)
            exits("the next run: " + name, done, 0)
            if name == "rollback":
                as_before(name, w, before)
        check("the next run says what it found", "cut off" in done.stderr and "taken back" in done.stderr, "" if "taken back" in done.stderr else said(done))
        equal("and aligns: both ends LACP", (running(w)["groups"], w.bond()["ports"], w.peers()), (LACP_GROUP, 2, ALL))
        exits("nothing is left open", linkctl(w, "bond", "set", "bond0", "--mode", "lacp"), 0, "nothing to do")


def unconfirmed():
    with mismatch() as w:
        before = everything(w)
        exits("unconfirmed: done at first", switchctl(w, *ALIGN, "--confirm-within", "3"), 0, "confirm")
        equal("unconfirmed: not saved on the switch", w.switch.get("/state")["saved"]["groups"], STATIC_GROUP)
        as_before("unconfirmed", w, before, 3 + RESTORE_SECONDS)
        exits("confirmed: done", switchctl(w, *ALIGN, "--confirm-within", "20"), 0, "confirm")
        exits("confirm", switchctl(w, *S, "confirm"), 0)
        time.sleep(1)
        equal("confirmed: both ends LACP", (running(w)["groups"], w.peers()), (LACP_GROUP, ALL))
        exits("save", switchctl(w, *S, "save"), 0)
        equal("saved", w.switch.get("/state")["saved"]["groups"], LACP_GROUP)


CHECKS = (doctor, repair, static_host, jumbo, impossible, answers_lost, killed, killed_with_keeper, unconfirmed)

if __name__ == "__main__":
    sys.exit(checks.main(__file__, CHECKS, timeout=600))
