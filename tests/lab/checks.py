# SPDX-License-Identifier: MIT
"""checks.py - what the checks of the programs share: verdicts, a guest around them, the programs, and what ip(8) says.

    CHECKS = (one, two)
    sys.exit(checks.main(__file__, CHECKS, timeout=200))

The programs are those of $BIN (default: the checkout's build/bin).
"""
import json
import os
import sys
import time
import traceback

import uml

BIN = os.path.realpath(os.environ.get("BIN") or os.path.join(uml.CHECKOUT, "build/bin"))
PASSWORD = {"SWITCHCTL_PASSWORD": "admin"}
counts = {"ok": 0, "FAIL": 0}


def check(name, good, detail=""):
    verdict = "ok" if good else "FAIL"
    counts[verdict] += 1
    print("%-4s %-46s %s" % (verdict, name, detail), flush=True)
    return bool(good)


def equal(name, got, want):
    """Exactly this; the difference is the detail."""
    if got == want:
        return check(name, True, "" if isinstance(want, (dict, list, set)) else repr(want))
    return check(name, False, difference(want, got))


def difference(want, got):
    if isinstance(want, dict) and isinstance(got, dict):
        keys = [k for k in list(want) + [k for k in got if k not in want] if want.get(k) != got.get(k)]
        return "; ".join("%s: %s" % (k, difference(want.get(k), got.get(k))) for k in keys)
    if isinstance(want, list) and isinstance(got, list):
        return "missing %s, unexpected %s" % ([x for x in want if x not in got], [x for x in got if x not in want])
    return "want %r, got %r" % (want, got)


def main(path, functions, timeout):
    """Run the checks named on the command line (default: all) in a guest; 0, 1, or uml.SKIP."""
    if not os.path.exists("/sys/module/bonding") or os.uname().nodename != "guest":
        try:
            return uml.run([os.path.realpath(path)] + sys.argv[1:], timeout=timeout, env={"BIN": BIN}, mem="768M")
        except uml.Missing as e:
            print("%s: skipped: %s" % (os.path.basename(path), e), file=sys.stderr)
            return uml.SKIP
    began = time.monotonic()
    for function in functions:
        if not sys.argv[1:] or function.__name__ in sys.argv[1:]:
            print("-- " + function.__name__.replace("_", " "), flush=True)
            try:
                function()
            except Exception as e:                          # noqa: BLE001
                at = [f for f in traceback.extract_tb(e.__traceback__) if f.name != "main"]
                check(function.__name__, False, "%s at %s: %s" % (type(e).__name__, ", ".join("%s:%d" % (f.name, f.lineno) for f in at[:3]),
                                                                  str(e)[:400]))
    print("%d passed, %d failed  (%.1f s)" % (counts["ok"], counts["FAIL"], time.monotonic() - began))
    return 1 if counts["FAIL"] else 0


# ---- the programs ---------------------------------------------------------------------------------------------------
def program(name):
    return os.path.join(BIN, name)


def environment(more=None):
    return {**os.environ, **PASSWORD, **(more or {})}


def linkctl(w, *args, ns="nas", **more):
    return w.run(ns, [program("linkctl")] + list(args), env=environment(more.pop("env", None)), **more)


def switchctl(w, *args, ns="nas", **more):
    return w.run(ns, [program("switchctl")] + list(args), env=environment(more.pop("env", None)), **more)


def said(done):
    """Its words in one line, for a detail."""
    return "exit %d: %s" % (done.returncode, " / ".join((done.stdout + done.stderr).split("\n"))[-700:])


def exits(name, done, status, *words):
    """This exit status, and each of the words on stdout or stderr."""
    text = done.stdout + done.stderr
    missing = [word for word in words if word not in text]
    good = done.returncode == status and not missing
    return check(name, good, "exit %d" % status if good else "want exit %d%s; %s" % (status, "".join(", " + repr(m) for m in missing), said(done)))


def document(done, kind):
    """The one JSON document on stdout, of this kind."""
    doc = json.loads(done.stdout)
    if doc.get("kind") != kind or doc.get("schema") != 1:
        raise AssertionError("no document of kind %s: %s" % (kind, said(done)))
    return doc


# ---- what a namespace looks like ------------------------------------------------------------------------------------
VOLATILE = {"ifindex", "link_index", "expires", "valid_life_time", "preferred_life_time", "cache_info", "used", "updated",
            "confirmed", "refcnt", "probes", "pref", "stats64", "stats", "operstate", "flags", "qdisc", "txqlen"}


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in VOLATILE}
    return [plain(v) for v in value] if isinstance(value, list) else value


def ip_json(w, ns, *args):
    done = w.run(ns, ["ip", "-j"] + list(args))
    return json.loads(done.stdout or "[]")


def listed(rows):
    return sorted(json.dumps(plain(row), sort_keys=True) for row in rows)


def picture(w, ns="nas"):
    """Everything that a change must leave alone, by name, in a form that compares."""
    addresses = ip_json(w, ns, "-d", "addr", "show")
    devices = {}
    for row in addresses:
        info = row.get("linkinfo", {})
        member = info.get("info_slave_data", {}) if info.get("info_slave_kind") == "bond" else {}
        devices[row["ifname"]] = {
            "mac": row.get("address"), "mtu": row["mtu"], "up": "UP" in row["flags"], "master": row.get("master"),
            "kind": info.get("info_kind"), "queue_id": member.get("queue_id"), "prio": member.get("prio")}
    out = {"devices": devices, "addresses": listed([{"dev": row["ifname"], **a} for row in addresses for a in row["addr_info"]])}
    for name, args in (("routes", ("route", "show", "table", "all")), ("routes6", ("-6", "route", "show", "table", "all")),
                       ("rules", ("rule",)), ("rules6", ("-6", "rule")),
                       ("neighbours", ("neigh", "show", "nud", "permanent")), ("neighbours6", ("-6", "neigh", "show", "nud", "permanent"))):
        out[name] = listed(ip_json(w, ns, *args))
    return out


def bond_picture(w, dev="bond0", ns="nas"):
    """A bond's options by ip(8), and its members in join order."""
    rows = ip_json(w, ns, "-d", "link", "show", dev)
    if not rows:
        return None
    data = {k: v for k, v in rows[0]["linkinfo"]["info_data"].items() if k not in ("active_slave", "ad_info")}
    return {"options": data, "members": list(w.bond(ns, dev)["members"])}


def whole(w, ns="nas", dev="bond0"):
    return {**picture(w, ns), "bond": bond_picture(w, dev, ns)}


def mode(w, dev="bond0"):
    return w.bond("nas", dev)["mode"].split(" (")[0] if w.bond("nas", dev)["mode"] else None
