#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""test_switchctl.py - switchctl against the emulated RTL837x switch on loopback.

    test_switchctl.py [CLASS[.TEST]]...        BIN = folder of the programs, JOBS = tests side by side

Needs no root.  Each quirk of the device has a test that fails when the driver ignores it.
"""
import json
import os
import pty
import select
import signal
import socket
import stat
import subprocess
import sys
import termios
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import emulated                                                                         # noqa: E402
from emulated import BIN, DIGEST, PASSWORD, Case                                        # noqa: E402

LACP12 = {"groups": {"1": {"lacp": True, "ports": [1, 2]}}}
COUNTERS = {"tx_good": 4294967297, "tx_bad": 1, "rx_good": 3400, "rx_bad": 2}


def port(number, lag=None, **known):
    p = {"number": number, "name": "Port %d" % number, "link": False, "speed_mbps": None, "duplex": None, "enabled": True,
         "frame_size_bytes": 1522, "lag": lag, "lacp": None,
         "counters": {"tx_good_packets": 0, "tx_bad_packets": 0, "rx_good_packets": 0, "rx_bad_packets": 0, "wraps_at_32_bits": True}}
    if lag:
        p.update(link=True, enabled=None, counters=None)
    p.update(known)
    return p


class Reading(Case):
    settings = LACP12

    def test_show(self):
        self.side.post("/backend", {"counters": {"5": COUNTERS}})
        self.assertEqual(self.run_ctl("show"), """\
SKS3200M-4GPY2XF  firmware V1.9  (rtl837x-cgi, proven on an emulator only)
group 1: lacp, ports 1,2; bundled now: 1,2
largest frame: 1522 bytes with FCS, carries IP MTU 1500 with one VLAN tag
choices: 1522 1536 1552 9216 16383
PORT     LINK          Mb/s  GROUP      RX PACKETS     TX PACKETS
1        up               -  1                   -              -
2        up               -  1                   -              -
3        down             -  -                   0              0
4        down             -  -                   0              0
5        up           10000  -                3400              1
6        down             -  -                   0              0
""")
        self.assertEqual(self.err, "")
        self.assertEqual(self.writes(), [])

    def test_show_json(self):
        self.side.post("/backend", {"counters": {"5": COUNTERS}})
        busy = {"tx_good_packets": 1, "tx_bad_packets": 1, "rx_good_packets": 3400, "rx_bad_packets": 2, "wraps_at_32_bits": True}
        self.assertEqual(self.run_json("show"), {
            "schema": 1, "kind": "switch-state", "model": "SKS3200M-4GPY2XF", "firmware": "V1.9", "mac": "02:00:5e:00:00:01",
            "dialect": "rtl837x-cgi", "proven": "emulated",
            "ports": [port(1, 1), port(2, 1), port(3), port(4),
                      port(5, link=True, speed_mbps=10000, duplex="full", counters=busy), port(6)],
            "lags": [{"group": 1, "mode": "lacp", "ports": [1, 2], "up_ports": [1, 2]}],
            "frame_size": {"bytes": 1522, "counts_fcs": True, "scope": "switch", "choices": [1522, 1536, 1552, 9216, 16383],
                           "mtu_bytes": 1500},
            "capabilities": ["read", "lag-write", "lacp", "frame-size-write", "mac-table", "save", "backup"],
            "limits": {"groups": 2, "members_min": 2, "members_max": 4}, "unsaved": None,
            "macs": [{"mac": "02:00:5e:00:10:01", "vlan": 1, "port": None, "lag": 1, "static": False},
                     {"mac": "02:00:5e:00:10:02", "vlan": 1, "port": None, "lag": 1, "static": False},
                     {"mac": "02:00:5e:00:10:05", "vlan": 1, "port": 5, "lag": None, "static": False}]})

    def test_members_that_vanish_from_the_port_page_are_shown(self):
        self.running(groups={"1": {"lacp": False, "ports": [3, 4]}, "2": {"lacp": True, "ports": [1, 2, 5, 6]}})
        s = self.run_json("ports", kind="switch-state")
        self.assertEqual([(p["number"], p["lag"], p["link"]) for p in s["ports"]],
                         [(1, 2, True), (2, 2, True), (3, 1, False), (4, 1, False), (5, 2, True), (6, 2, False)])
        self.assertEqual({p["counters"] for p in s["ports"]}, {None})   # the sum of a group is nobody's

    def test_lacp_without_partner(self):
        self.side.post("/backend", {"partners": [1]})
        self.assertEqual(self.run_ctl("lag", "show"), "group 1: lacp, ports 1,2; bundled now: none\n")
        self.assertEqual(self.run_json("lag", "show")["lags"], [{"group": 1, "mode": "lacp", "ports": [1, 2], "up_ports": []}])

    def test_no_groups(self):
        self.running(groups={})
        self.assertEqual(self.run_ctl("lag", "show"), "no LAG groups\n")
        self.assertEqual(self.run_json("lag", "show")["lags"], [])

    def test_ports_disabled(self):
        ports = self.state()["running"]["ports"]
        ports[2]["enabled"] = False
        self.running(ports=ports)
        self.assertIn("\n3        disabled ", self.run_ctl("ports"))

    def test_jumbo_show(self):
        self.running(jumbo=3)
        self.assertEqual(self.run_ctl("jumbo", "show"), "largest frame: 9216 bytes with FCS, carries IP MTU 9194 with one VLAN tag\n"
                                                        "choices: 1522 1536 1552 9216 16383\n")
        self.assertEqual(self.run_json("jumbo", "show")["frame_size"]["mtu_bytes"], 9194)

    def test_mac(self):
        self.assertEqual(self.run_ctl("mac"), "MAC                 VLAN  AT       TYPE\n"
                                              "02:00:5e:00:10:01      1  group 1  learned\n"
                                              "02:00:5e:00:10:02      1  group 1  learned\n"
                                              "02:00:5e:00:10:05      1  port 5   learned\n")

    def test_mac_table_of_many_pages_is_read_and_not_cleared(self):
        rows = [["02:00:5E:01:%02X:%02X" % (n >> 8, n & 255), 1 + n % 3, "static" if n == 7 else "dynamic", 3 + n % 4] for n in range(193)]
        self.side.post("/backend", {"macs": rows})
        got = self.run_json("mac", kind="switch-state")["macs"]
        self.assertEqual([(m["mac"].upper(), m["vlan"], "static" if m["static"] else "dynamic", m["port"]) for m in got],
                         [tuple(r) for r in rows])
        self.assertEqual(self.count("POST /mac.cgi"), 3)
        self.assertEqual(len(self.side.post("/backend", {})["macs"]), 193)

    def test_backup(self):
        file = self.path("sw.bin")
        self.assertEqual(self.run_ctl("backup", file),
                         "done:\n  2626 bytes written to %s (mode 0600: it holds the device's password)\n" % file)
        with open(file, "rb") as f:
            data = f.read()
        self.assertEqual((len(data), data[:4]), (2626, b"HRCF"))
        self.assertEqual(stat.S_IMODE(os.stat(file).st_mode), 0o600)

    def test_backup_that_is_no_backup(self):
        file = self.path("sw.bin")
        self.fault("error-page", path="/config_back.cgi", count=0, text="Flash busy")
        self.assertIn("Flash busy", self.run_error("backup", file, status=1)["message"])
        self.side.post("/clear")
        self.fault("foreign", path="/config_back.cgi", count=0)
        self.run_error("backup", file, status=7)
        self.side.post("/clear")
        self.fault("cut", path="/config_back.cgi", count=1)
        self.run_error("backup", file, status=7)
        self.assertFalse(os.path.exists(file))

    def test_discover_does_not_log_in(self):
        code, out, _ = self.raw("discover", self.url)
        self.assertEqual((code, out.split()), (0, [self.url, "SKS3200M-4GPY2XF", "(rtl837x-cgi)"]))
        code, out, _ = self.raw("--json", "discover", self.url, "http://127.0.0.1:1")
        found = json.loads(out)
        self.assertEqual((code, found["kind"], found["found"][0]),
                         (6, "discovery", {"url": self.url, "dialect": "rtl837x-cgi", "model": "SKS3200M-4GPY2XF", "problem": None}))
        self.assertEqual(self.count("POST"), 0)

    def test_dialects(self):
        code, out, _ = self.raw("--json", "dialects")
        d = json.loads(out)
        self.assertEqual((code, d["kind"], d["dialects"][0]["name"], d["dialects"][0]["proven"]), (0, "dialects", "rtl837x-cgi", "emulated"))
        code, out, _ = self.raw("dialects")
        self.assertEqual((code, out.split("\n")[0]), (0, "rtl837x-cgi"))

    def test_trace(self):
        out = self.run_ctl("lag", "show")
        with open(self.path("trace")) as f:
            text = f.read()
        self.assertEqual([line for line in text.split("\n") if line.startswith("> ")],
                         ["> GET /", "> POST /login.cgi (not shown)", "> GET /info.cgi", "> GET /trunk.cgi?page=group", "> GET /panel.cgi",
                          "> GET /port.cgi", "> GET /port.cgi?page=stats", "> GET /fwd.cgi?page=jumboframe"])
        self.assertEqual(text.count("\n< 200\n"), 8)
        self.assertIn("\n|<title>Trunking Information</title>\n", text)
        code, again, err = self.raw("-s", "replay:" + self.path("trace"), "lag", "show", password=None)
        self.assertEqual((code, again), (0, out), err)

    def replayed(self, *words, status=0):
        """Runs with a trace, then the same from the trace: same status, same output; no switch is asked."""
        file, before = self.path("own"), None
        if os.path.exists(file):
            os.remove(file)
        first = self.raw("-s", self.url, "--trace", file, *words)
        self.assertEqual(first[0], status, first)
        before = self.state()["requests"]
        again = self.raw("-s", "replay:" + file, *words, password=None)
        self.assertEqual((again[0], again[1]), (first[0], first[1]), again)
        self.assertEqual(self.state()["requests"], before)
        return again

    def test_replay(self):
        self.replayed("--json", "show")
        self.replayed("mac")
        self.replayed("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "3,4")
        self.replayed("--yes", "jumbo", "set", "--mtu", "9000")
        self.replayed("--yes", "save")
        self.running(groups={"1": {"lacp": True, "ports": [1, 2]}}, mirror=3)
        self.replayed("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,3", status=4)
        self.fault("cut", path="/trunk.cgi")
        self.replayed("lag", "show")

    def test_replay_off_the_track(self):
        self.run_ctl("lag", "show")
        e = json.loads(self.raw("--json", "-s", "replay:" + self.path("trace"), "mac", password=None)[1])["error"]
        self.assertEqual(e["id"], "malformed")
        self.assertIn("the transcript goes on with", e["message"])
        code, out, _ = self.raw("-s", self.url, "--trace", self.path("own"), "backup", self.path("b"))
        code, out, _ = self.raw("--json", "-s", "replay:" + self.path("own"), "backup", self.path("c"), password=None)
        self.assertEqual(code, 5, out)
        self.assertFalse(os.path.exists(self.path("c")))
        code, out, _ = self.raw("--json", "-s", "replay:" + self.path("nowhere"), "show", password=None)
        self.assertEqual(json.loads(out)["error"]["id"], "not-found")


class Writing(Case):
    def test_lag_set_twice_and_del_twice(self):
        self.assertEqual(self.run_ctl("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1-2"),
                         "done:\n  group 1: lacp, ports 1,2\nverified by reading back\n")
        self.assertIn("not saved", self.err)
        self.assertEqual(self.groups(), {"1": (True, [1, 2])})
        writes = self.writes()
        self.assertEqual(self.run_ctl("lag", "set", "1", "--mode", "lacp", "--ports", "2,1"), "nothing to do\n")
        self.assertEqual(self.run_json("lag", "set", "1", "--mode", "lacp", "--ports", "1,2"),
                         {"schema": 1, "kind": "result", "changed": False, "steps": [], "verified": False, "gap_ms": None})
        self.assertEqual(self.writes(), writes)
        self.assertEqual(self.run_json("--yes", "lag", "del", "1"),
                         {"schema": 1, "kind": "result", "changed": True, "steps": ["group 1 removed"], "verified": True, "gap_ms": None})
        self.assertEqual(self.groups(), {})
        self.assertEqual(self.run_ctl("lag", "del", "1"), "nothing to do\n")
        self.assertEqual(self.count("POST /trunk.cgi"), 2)

    def test_group_two_is_group_two(self):
        self.run_ctl("--yes", "lag", "set", "2", "--mode", "static", "--ports", "3,4")
        self.run_ctl("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,2,5,6")
        self.assertEqual(self.groups(), {"1": (True, [1, 2, 5, 6]), "2": (False, [3, 4])})
        self.run_ctl("--yes", "lag", "del", "2")
        self.assertEqual(self.groups(), {"1": (True, [1, 2, 5, 6])})
        self.run_ctl("--yes", "lag", "set", "1", "--mode", "static", "--ports", "1,2")
        self.assertEqual(self.groups(), {"1": (False, [1, 2])})

    def test_jumbo(self):
        self.assertEqual(self.run_ctl("--yes", "jumbo", "set", "--mtu", "9000"),
                         "done:\n  largest frame 1522 -> 9216 bytes: carries IP MTU 9194 with one VLAN tag\nverified by reading back\n")
        self.assertEqual(self.state()["frame_bytes"], 9216)
        for again in (["--mtu", "9000"], ["--frame", "9216"], ["on"]):
            self.assertEqual(self.run_ctl("jumbo", "set", *again), "nothing to do\n")
        self.assertEqual(self.count("POST /fwd.cgi"), 1)
        self.run_ctl("--yes", "jumbo", "set", "off")
        self.assertEqual(self.state()["frame_bytes"], 1522)
        self.run_ctl("--yes", "jumbo", "set", "--frame", "1552")
        self.assertEqual(self.state()["frame_bytes"], 1552)

    def test_impossible_is_found_before_writing(self):
        self.running(groups={"2": {"lacp": True, "ports": [3, 4]}})
        for words, text in ((["lag", "set", "3", "--mode", "lacp", "--ports", "1,2"], "groups 1 to 2"),
                            (["lag", "del", "3"], "groups 1 to 2"),
                            (["lag", "set", "1", "--mode", "lacp", "--ports", "1"], "2 to 4 ports, not 1"),
                            (["lag", "set", "1", "--mode", "lacp", "--ports", "1,2,5,6,7"], "2 to 4 ports, not 5"),
                            (["lag", "set", "1", "--mode", "lacp", "--ports", "1,7"], "no port 7"),
                            (["lag", "set", "1", "--mode", "lacp", "--ports", "1,3"], "port 3 belongs to group 2"),
                            (["lag", "set", "1", "--mode", "static", "--ports", "1,5"], "equal speeds"),
                            (["jumbo", "set", "--mtu", "16400"], "at most 16383"),
                            (["jumbo", "set", "--frame", "9000"], "no frame size 9000")):
            for how in ([], ["--yes"], ["--dry-run"]):
                e = self.run_error(*how[:how == ["--yes"]], *words, *how[how == ["--yes"]:], status=5)
                self.assertEqual((e["id"], text in e["message"]), ("impossible", True), e)
                self.assertNotEqual(e["hint"], "")
        e = self.run_error("lag", "set", "1", "--mode", "lacp-passive", "--ports", "1,2", status=5)
        self.assertEqual(e["id"], "unsupported")
        self.assertIn("16361", self.run_error("jumbo", "set", "--mtu", "20000", status=5)["hint"])
        self.assertEqual(self.writes(), [])

    def test_ports_of_a_static_group_that_are_set_differently(self):
        ports = self.state()["running"]["ports"]
        ports[2]["speed_duplex"] = 5
        self.running(ports=ports)
        e = self.run_error("--yes", "lag", "set", "1", "--mode", "static", "--ports", "3,4", status=5)
        self.assertIn("a static group needs equal settings", e["message"])
        self.assertEqual(self.writes(), [])
        self.run_ctl("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "3,4")
        self.assertEqual(self.groups(), {"1": (True, [3, 4])})

    def test_dry_run_writes_nothing(self):
        for words, step in ((["lag", "set", "1", "--mode", "lacp", "--ports", "1,2"], "group 1: lacp, ports 1,2"),
                            (["save"], "running setting saved: it survives a power cycle"),
                            (["jumbo", "set", "--mtu", "9000"], "largest frame 1522 -> 9216 bytes: carries IP MTU 9194 with one VLAN tag")):
            self.assertEqual(self.run_ctl(*words, "--dry-run"), "would do (nothing was changed):\n  %s\n" % step)
            self.assertEqual(self.run_json(*words, "--dry-run"), {"schema": 1, "kind": "plan", "changed": True, "steps": [step]})
        self.assertEqual(self.run_json("lag", "del", "1", "--dry-run"), {"schema": 1, "kind": "plan", "changed": False, "steps": []})
        self.assertEqual(self.writes(), [])

    def test_unconfirmed_is_refused(self):
        for words in (["lag", "set", "1", "--mode", "lacp", "--ports", "1,2"], ["jumbo", "set", "on"], ["save"]):
            e = self.run_error(*words, status=8)
            self.assertEqual((e["id"], e["hint"]), ("refused", "say so in advance with --yes"))
            self.assertEqual(self.run_ctl(*words, status=8), "")
            self.assertIn("--yes", self.err)
        self.assertEqual(self.writes(), [])

    def test_nothing_is_kept_without_save_and_all_with_it(self):
        self.run_ctl("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,2")
        self.assertTrue(self.state()["unsaved"])
        self.power_cycle()
        self.assertEqual(self.groups(), {})
        self.run_ctl("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,2")
        self.assertEqual(self.run_json("--yes", "save")["changed"], True)
        self.assertFalse(self.state()["unsaved"])
        self.power_cycle()
        self.assertEqual(self.groups(), {"1": (True, [1, 2])})
        self.assertEqual(self.run_ctl("lag", "show"), "group 1: lacp, ports 1,2; bundled now: 1,2\n")

    def test_stopped_in_the_middle(self):
        """The signal comes while the write is on its way: it is finished, and taken back."""
        self.running(groups={"1": {"lacp": True, "ports": [1, 2]}})
        before = self.state()["frame_bytes"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for words, path in ((["lag", "set", "1", "--mode", "lacp", "--ports", "3,4"], "/trunk.cgi"), (["lag", "del", "1"], "/trunk.cgi"),
                                (["jumbo", "set", "on"], "/fwd.cgi")):
                self.side.post("/clear")
                self.fault("slow", method="POST", path=path, s=0.4)
                run = subprocess.Popen([os.path.join(BIN, "switchctl"), "--json", "--yes", "--pace-ms", "5", "-s", self.url, *words],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                       env={**os.environ, "SWITCHCTL_PASSWORD": PASSWORD})
                while not self.count("POST " + path):
                    time.sleep(0.01)
                run.send_signal(number)
                e = json.loads(run.communicate(timeout=30)[0])["error"]
                self.assertEqual((run.returncode, e["id"]), (4, "rolled-back"), words)
                self.assertIn("stopped", e["message"])
                self.assertEqual((self.groups(), self.state()["frame_bytes"]), ({"1": (True, [1, 2])}, before))

    def power_cycle(self):
        self.side.post("/reboot")
        deadline = time.monotonic() + 10
        while not any(line.endswith(" up") for line in self.state()["log"]) or not self.state()["listening"]:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.side.post("/clear")

    def test_save_that_does_not_say_so(self):
        self.fault("error-page", path="/save.cgi", text="Flash busy")
        self.assertIn("Flash busy", self.run_error("--yes", "save", status=1)["message"])


class Quirks(Case):
    """One test per trap of this family."""

    def test_refused_modify_puts_the_old_group_back(self):
        self.running(groups={"1": {"lacp": True, "ports": [1, 2]}}, mirror=3)
        e = self.run_error("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,3", status=4)
        self.assertEqual(e["id"], "rolled-back")
        self.assertIn("Mirroring port cannot be a trunk member port", e["message"])
        self.assertEqual(self.groups(), {"1": (True, [1, 2])})
        self.assertEqual(self.count("POST /trunk.cgi"), 2)

    def test_refused_new_group(self):
        self.running(mirror=3)
        e = self.run_error("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,3", status=4)
        self.assertIn("Mirroring port", e["message"])
        self.assertEqual((self.groups(), self.count("POST /trunk.cgi")), ({}, 1))

    def test_old_group_that_cannot_be_put_back_is_said(self):
        self.running(groups={"1": {"lacp": True, "ports": [1, 2]}}, mirror=3)
        self.fault("error-page", method="POST", path="/trunk.cgi", nth=2, text="System busy")
        e = self.run_error("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,3", status=1)
        self.assertIn("Mirroring port", e["message"])
        self.assertIn("could not be put back: the switch says: Error: System busy".replace("Error: ", ""), e["message"].replace("Error: ", ""))
        self.assertIn("lag show", e["hint"])

    def test_refused_jumbo(self):
        self.fault("error-page", method="POST", path="/fwd.cgi", text="Jumbo frame size not supported")
        e = self.run_error("--yes", "jumbo", "set", "on", status=4)
        self.assertIn("Jumbo frame size not supported", e["message"])
        self.assertEqual(self.state()["frame_bytes"], 1522)

    def test_answer_lost_after_it_was_done(self):
        for words, path in ((["lag", "set", "1", "--mode", "lacp", "--ports", "1,2"], "/trunk.cgi"), (["jumbo", "set", "on"], "/fwd.cgi"),
                            (["lag", "del", "1"], "/trunk.cgi")):
            self.side.post("/clear")
            self.fault("drop-answer", method="POST", path=path)
            self.assertIn("verified by reading back", self.run_ctl("--yes", *words))
            self.assertEqual(self.count("POST " + path), 1)
        self.assertEqual((self.groups(), self.state()["frame_bytes"]), ({}, 9216))

    def test_request_lost_before_it_was_done(self):
        self.fault("close-before", method="POST", path="/trunk.cgi")
        self.run_error("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,2", status=4)
        self.assertEqual((self.groups(), self.count("POST /trunk.cgi")), ({}, 1))       # a POST is never sent again blindly

    def test_reboot_after_a_write(self):
        self.fault("reboot-after", method="POST", path="/trunk.cgi")
        e = self.run_error("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,2", status=6, pace="60")
        self.assertIn("not known", e["hint"])

    def test_reboot_that_is_over_soon(self):
        self.fault("reboot-after", method="POST", path="/trunk.cgi")
        self.run_error("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,2", status=4, pace="400")
        self.assertEqual(self.groups(), {})

    def test_silent_after_a_frame_write(self):
        self.fault("closed", method="POST", path="/fwd.cgi", s=5)
        self.assertIn("not known", self.run_error("--yes", "jumbo", "set", "on", status=6, pace="60")["hint"])

    def test_somebody_elses_failed_login(self):
        self.fault("logout-before", path="/port.cgi")
        self.run_ctl("show")
        self.assertEqual(self.count("POST /login.cgi"), 2)
        self.fault("logout-before", method="POST", path="/trunk.cgi")
        self.run_ctl("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,2")
        self.assertEqual(self.groups(), {"1": (True, [1, 2])})

    def test_somebody_who_keeps_logging_us_out(self):
        self.fault("logout-before", path="/", count=0)
        self.run_error("show", status=1)
        self.assertLessEqual(self.count("POST /login.cgi"), 3)

    def test_wrong_password_is_tried_once(self):
        for words in (["show"], ["mac"], ["save"], ["lag", "set", "1", "--mode", "lacp", "--ports", "1,2"]):
            self.side.post("/clear")
            e = self.run_error("--yes", *words, status=1, password="wr0ng password")
            self.assertEqual(e["id"], "wrong-login")
            self.assertEqual(self.count("POST /login.cgi"), 1, words)
        self.run_ctl("show", status=1, password="wr0ng password")
        self.assertIn("refused user admin", self.err)

    def test_long_user_name_keeps_the_request_small(self):
        self.run_error("--user", "u" * 60, "show", status=1)

    def test_no_password(self):
        e = self.run_error("show", status=1, password=None)
        self.assertIn("--password-file", e["hint"])
        self.assertEqual(self.count("POST"), 0)

    def test_page_cut(self):
        self.fault("cut", path="/port.cgi")
        self.run_ctl("show")                                            # once is asked for again
        for path in ("/", "/trunk.cgi", "/fwd.cgi", "/mac.cgi"):
            self.side.post("/clear")
            self.fault("cut", path=path, count=0)
            self.assertEqual(self.run_error("show", status=7)["id"], "malformed", path)

    def test_page_of_something_else(self):
        for path in ("/", "/info.cgi", "/trunk.cgi", "/port.cgi", "/fwd.cgi", "/mac.cgi"):
            self.side.post("/clear")
            self.fault("foreign", path=path, count=0)
            e = self.run_error("show", status=7)
            self.assertIn("NAS login", e["message"])
            self.assertIn("discover" if path != "/" else "dialects", e["hint"])

    def test_garbage(self):
        for path in ("/", "/trunk.cgi"):
            self.side.post("/clear")
            self.fault("garbage", path=path, count=0)
            self.assertEqual(self.run_error("show", status=7, pace="60")["id"], "malformed")

    def test_silent(self):
        self.fault("silent", count=0, s=30)
        began = time.monotonic()
        e = self.run_error("--timeout-ms", "300", "show", status=6, pace="60")
        self.assertEqual(e["id"], "unreachable")
        self.assertLess(time.monotonic() - began, 5)

    def test_closed_port(self):
        self.side.post("/port", {"open": False})
        time.sleep(0.1)
        e = self.run_error("show", status=6)
        self.assertNotEqual(e["hint"], "")

    def test_slow_is_waited_for(self):
        self.fault("slow", path="/trunk.cgi", s=0.5)
        self.run_ctl("show")


class Pacing(Case):
    settings = {"pace_ms": 300}

    def test_connections_one_at_a_time_and_not_too_soon(self):
        self.run_ctl("show", pace=None)                                 # tearDown: nobody was reset


class TooFast(Case):
    settings, resets = {"pace_ms": 300}, 99

    def test_the_emulator_would_have_noticed(self):
        self.raw("-s", self.url, "show", pace="1")
        self.assertGreater(self.state()["resets"], 0)


class Resets(Case):
    settings = {"reset_after_html": True}

    def test_reset_after_the_page_is_the_end_of_the_page(self):
        self.run_ctl("--yes", "lag", "set", "1", "--mode", "lacp", "--ports", "1,2", pace="60")
        self.assertEqual((self.groups(), self.count("POST /trunk.cgi"), self.count("GET /info.cgi")), ({"1": (True, [1, 2])}, 1, 2))


class LeftOpen(Case):
    """A switch that sends its page and then forgets to hang up: the page is whole, and is not asked for again."""

    def test_page_is_the_page(self):
        listener = socket.create_server(("127.0.0.1", 0))
        asked = []

        def serve():
            while True:
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                asked.append(peer.recv(2000).split(b"\r\n")[0].decode())
                peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html><head><title>SKS</title></head>"
                             b"<script>window.top.location.replace(\"/login.cgi\");</script></html>")
                held.append(peer)
        held = []
        threading.Thread(target=serve, daemon=True).start()
        url = "http://127.0.0.1:%d" % listener.getsockname()[1]
        done = subprocess.run([os.path.join(BIN, "switchctl"), "discover", url], capture_output=True, text=True, timeout=60)
        listener.close()
        for peer in held:
            peer.close()
        self.assertEqual((done.returncode, asked), (0, ["GET / HTTP/1.1"]), done.stdout)


class OtherOrder(Case):
    change = "d.JUMBO = (9216, 1536, 1522, 16383, 1552)"

    def test_frame_sizes_go_by_text_and_not_by_number(self):
        self.running(jumbo=2)
        self.run_ctl("--yes", "jumbo", "set", "--mtu", "9000")
        self.assertEqual(self.state()["running"]["jumbo"], 0)
        self.run_ctl("--yes", "jumbo", "set", "--mtu", "1530")
        self.assertEqual(self.state()["running"]["jumbo"], 4)
        self.run_ctl("--yes", "jumbo", "set", "off")
        self.assertEqual(self.state()["running"]["jumbo"], 2)


class OtherValues(Case):
    """A list whose values are not 0, 1, 2 ... is of a generation that we do not know well enough to write to."""
    change = "old = p.jumbo\np.jumbo = lambda v: __import__('re').sub('value=\"([0-4])\"', lambda m: 'value=\"%d\"' % (int(m[1]) + 1), old(v))"

    def test_no_write(self):
        self.assertNotIn("frame-size-write", self.run_json("show")["capabilities"])
        self.assertEqual(self.run_error("--yes", "jumbo", "set", "on", status=5)["id"], "unsupported")
        self.assertEqual(self.writes(), [])


class OtherFirmware(Case):
    change = "d.FIRMWARE = 'V200.1.16'"
    settings = LACP12

    def test_reads_and_does_not_write(self):
        self.assertEqual(self.run_json("show")["capabilities"], ["read", "backup"])
        for words in (["lag", "set", "1", "--mode", "static", "--ports", "1,2"], ["lag", "del", "1"], ["jumbo", "set", "on"],
                      ["jumbo", "set", "--frame", "9216"], ["save"]):
            for how in (["--yes"], [], ["--dry-run"]):
                e = self.run_error(*(words + how if how == ["--dry-run"] else how + words), status=5)
                self.assertEqual(e["id"], "unsupported", words)
                self.assertIn("V200.1.16", e["message"])
        self.assertEqual(self.writes(), [])


class OtherGeneration(Case):
    """Pages of another shape: what is certain is shown, the rest is unknown, and nothing is written."""
    change = ("d.FIRMWARE = 'V200.1.16'\nold = p.trunk\nre = __import__('re')\n"
              "p.trunk = lambda v: re.sub(r'(?s)<select name=\"ports\".*?</select>', '<input type=checkbox name=port0>', old(v)).replace('Member port', 'Port')\n"
              "macs = p.mac_table\np.mac_table = lambda *a: macs(*a).replace('id=next', 'id=nxt')\n"
              "p.jumbo = lambda v: '<html><title>Jumbo Frame Setting</title><input type=checkbox name=enable_jumbo id=toggle></html>'")

    def test_what_is_certain(self):
        d = self.run_json("show")
        self.assertEqual((d["model"], d["firmware"], d["lags"], d["frame_size"]["bytes"]), ("SKS3200M-4GPY2XF", "V200.1.16", None, None))
        self.assertEqual([port["number"] for port in d["ports"]], [1, 2, 3, 4, 5, 6])
        self.assertIn(True, [port["link"] for port in d["ports"]])
        self.assertNotIn("macs", d)                                     # its pages are of another length, with other buttons
        self.assertEqual(self.run_error("mac", status=7)["id"], "malformed")
        out = self.run_ctl("show")
        self.assertIn("LAG groups: not known", out)
        self.assertIn("largest frame: not known", out)
        for words in (["lag", "set", "1", "--mode", "lacp", "--ports", "1,2"], ["lag", "del", "1"], ["jumbo", "set", "on"]):
            e = self.run_error("--yes", *words, status=5)
            self.assertIn("V200.1.16", e["message"])
        self.assertEqual(self.writes(), [])


class KnownFirmwareOddPage(Case):
    change = "p.jumbo = lambda v: '<html><title>Jumbo Frame Setting</title></html>'"

    def test_is_an_error(self):
        self.assertEqual(self.run_error("show", status=7)["id"], "malformed")


class OldFirmware(Case):
    """V1.7 has no column Type: all groups are static."""
    change = ("d.FIRMWARE = 'V1.7'\nold = p.trunk\nre = __import__('re')\n"
              "p.trunk = lambda v: re.sub('<td >(static|LACP)</td>', '', re.sub('<th[^>]*>Type</th>', '', old(v)))")
    settings = LACP12

    def test_groups_are_static(self):
        self.assertEqual(self.run_ctl("lag", "show"), "group 1: static, ports 1,2; bundled now: 1,2\n")
        self.run_error("--yes", "lag", "del", "1", status=5)


class Language(Case):
    def test_a_chinese_user_before_us(self):
        body = "username=admin&Response=%s&language=CN" % DIGEST
        subprocess.run(["/usr/bin/python3", "-c", "import socket, sys; a, p = sys.argv[1].split(':'); s = socket.create_connection((a, int(p)));"
                        "s.sendall(sys.argv[2].encode()); s.recv(99)", self.address,
                        "POST /login.cgi HTTP/1.1\r\nReferer: http://x/\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                        "Content-Length: %d\r\n\r\n%s" % (len(body), body)], check=True)
        self.assertEqual(self.state()["language"], "CN")
        self.assertIn("up           10000", self.run_ctl("show"))
        self.assertEqual(self.state()["language"], "EN")


class CommandLine(Case):
    def inventory(self, *entries, mode=0o600):
        file = self.path("switches.json")
        with open(file, "w") as f:
            f.write("// my switches\n" + json.dumps(entries))
        os.chmod(file, mode)
        return file

    def test_usage(self):
        for words, text in ((["--prots", "1,2", "lag", "set", "1"], None),
                            (["lag", "set", "1", "--mode", "lacp", "--prots", "1,2"], "did you mean --ports?"),
                            (["lag", "sett", "1"], "did you mean: switchctl lag set"), (["shwo"], "did you mean: switchctl show"),
                            (["lag"], None), (["lag", "set"], None), (["lag", "set", "x", "--mode", "lacp", "--ports", "1,2"], None),
                            (["lag", "set", "1"], None), (["lag", "set", "1", "--mode", "lapc", "--ports", "1,2"], "lacp-passive"),
                            (["lag", "set", "1", "--mode", "lacp", "--ports", "2-1"], "1-4"), (["lag", "set", "1", "--ports"], None),
                            (["jumbo", "set"], None), (["jumbo", "set", "maybe"], None), (["jumbo", "set", "on", "--mtu", "9000"], None),
                            (["jumbo", "set", "--mtu", "9k"], None), (["backup"], None), (["show", "extra"], None),
                            (["--color=blue", "show"], None), (["--pace-ms", "soon", "show"], None)):
            e = self.run_error(*words, status=2)
            self.assertEqual(e["id"], "usage")
            self.assertIn(text or "", e["hint"])
            self.assertEqual(self.run_ctl(*words, status=2), "")
        for url in ("ftp://127.0.0.1", "http://", "http://127.0.0.1:0", "http://127.0.0.1:99999", "http://127.0.0.1:http"):
            self.assertEqual(self.raw("-s", url, "show")[0], 2, url)
        self.assertEqual(self.raw("show")[0], 2)
        self.assertEqual(self.writes(), [])

    def test_json_wherever_it_stands(self):
        for words in (["show", "--bogus", "--json"], ["--bogus", "show", "-j"], ["jumbo", "set", "--json"], ["--json", "nosuch"]):
            code, out, _ = self.raw("-s", self.url, *words)
            self.assertEqual((code, json.loads(out)["kind"]), (2, "error"))

    def test_help(self):
        for words in (["--help"], ["lag", "--help"], ["lag", "set", "--help"], []):
            code, out, _ = self.raw(*words)
            self.assertEqual((code, "switchctl" in out), (0, True))
        for verb in ("show", "ports", "mac", "lag set", "lag del", "jumbo set", "save", "backup", "discover", "align"):
            self.assertIn("Example\n  switchctl ", self.raw(*verb.split(), "--help")[1])
        self.assertRegex(self.raw("--version")[1], r"^switchctl \d+\.\d+")

    def test_password_in_a_url_is_refused_and_not_repeated(self):
        for url in ("http://admin:%s@%s" % (PASSWORD, self.address), "ftp://admin:%s@%s" % (PASSWORD, self.address),
                    "http://admin:a/%s@%s" % (PASSWORD, self.address), "admin:%s@%s" % (PASSWORD, self.address)):
            for words in (["-s", url, "show"], ["--json", "-s", url, "show"], ["discover", url], ["--json", "discover", url]):
                self.assertEqual(self.raw(*words)[0], 2)              # raw() looks for the password everywhere

    def test_password_file(self):
        file = self.path("pw")
        with open(file, "w") as f:
            f.write(PASSWORD + "\n")
        self.run_ctl("--password-file", file, "show", password=None)
        with open(file) as f:
            self.run_ctl("--password-file", "-", "show", password=None, stdin=f)
        self.run_error("--password-file", self.path("nosuch"), "show", status=2)

    def typed(self, text, *words):
        """Runs on a terminal of its own and types `text` at the password prompt: (wait status, output, echo afterwards)."""
        child, fd = pty.fork()
        if child == 0:
            os.environ.pop("SWITCHCTL_PASSWORD", None)
            os.environ["HOME"] = self.dir.name
            program = os.path.join(BIN, "switchctl")
            os.execv(program, [program, "--pace-ms", "5", "-s", self.url, *words])
        out, status, sent = b"", None, False
        while status is None:
            if select.select([fd], [], [], 0.05)[0]:
                try:
                    out += os.read(fd, 4096)
                except OSError:
                    pass
            if not sent and b"Password for" in out and not termios.tcgetattr(fd)[3] & termios.ECHO:
                os.write(fd, text)
                sent = True
            done, status = os.waitpid(child, os.WNOHANG)
            status = status if done else None
        echo = bool(termios.tcgetattr(fd)[3] & termios.ECHO)
        try:
            while select.select([fd], [], [], 0.05)[0]:
                out += os.read(fd, 4096)
        except OSError:
            pass
        os.close(fd)
        return status, out.decode(), echo

    def test_prompt(self):
        status, out, echo = self.typed(PASSWORD.encode() + b"\n", "lag", "show")
        self.assertEqual((os.waitstatus_to_exitcode(status), echo), (0, True), out)
        self.assertIn("no LAG groups", out)
        self.assertNotIn(PASSWORD, out)
        status, out, echo = self.typed(b"x" * 200 + b"\n", "lag", "show")
        self.assertEqual((os.waitstatus_to_exitcode(status), echo), (2, True), out)
        self.assertIn("longer than 127", out)
        self.assertEqual(self.count("POST /login.cgi"), 1)

    def test_prompt_left_with_ctrl_c(self):
        for key, number in ((b"sec\x03", signal.SIGINT), (b"\x1c", signal.SIGQUIT)):
            status, out, echo = self.typed(key, "lag", "show")
            self.assertTrue(os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, out)
            self.assertTrue(echo, "the terminal was left without echo")
        self.assertEqual(self.count("POST"), 0)

    def test_password_that_would_be_cut(self):
        file = self.path("pw")
        with open(file, "w") as f:
            f.write("x" * 128)
        self.run_error("--password-file", file, "show", status=2, password=None)
        self.run_error("show", status=2, password="y" * 128)
        self.assertEqual(self.count("POST"), 0)

    def test_one_switch_at_a_time(self):
        e = self.run_error("-s", "http://127.0.0.1:1", "show", status=2)
        self.assertIn("more than once", e["message"])

    def test_inventory(self):
        with open(self.path("pw"), "w") as f:
            f.write(PASSWORD)
        file = self.inventory({"name": "other", "url": "http://192.0.2.1"},
                              {"name": "attic", "url": self.url, "password_file": self.path("pw"), "pace_ms": 1},
                              {"name": "env", "url": self.url, "password_env": "ATTIC_PW"},
                              {"name": "command", "url": self.url, "password_command": "printf '%s\\n' \"$ATTIC_PW\""},
                              {"name": "inline", "url": self.url, "password": PASSWORD})
        for name in ("attic", "env", "command", "inline"):
            code, out, err = self.raw("--inventory", file, "-s", name, "lag", "show", password=None, env={"ATTIC_PW": PASSWORD})
            self.assertEqual((code, out), (0, "no LAG groups\n"), name + err)
        os.mkdir(self.path("switchctl"))
        os.rename(file, self.path("switchctl/switches.json"))
        self.assertEqual(self.raw("-s", "attic", "show", password=None, env={"XDG_CONFIG_HOME": self.dir.name})[0], 0)

    def test_inventory_with_a_password_that_others_can_read(self):
        file = self.inventory({"name": "attic", "url": self.url, "password": PASSWORD}, mode=0o644)
        code, out, err = self.raw("--json", "--inventory", file, "-s", "attic", "show", password=None)
        e = json.loads(out)["error"]
        self.assertEqual((code, e["id"], "chmod 600" in e["hint"]), (8, "refused", True))
        self.assertEqual(self.count("GET"), 0)

    def test_inventory_that_is_not_understood(self):
        for entry, code, text in (({"url": self.url, "pasword_file": "x"}, 7, "did you mean password_file?"), ({}, 7, "it has no url"),
                                  ({"url": self.url, "pace_ms": -1}, 7, "pace_ms"), ({"url": self.url, "pace_ms": "soon"}, 7, "pace_ms"),
                                  ({"url": 7}, 7, "url"), ({"url": self.url, "password": "p" * 300}, 7, "password"),
                                  ({"url": self.url, "tls_pin": "sha256//x"}, 5, "tls_pin"),
                                  ({"url": self.url, "dialect": "swos"}, 2, "no dialect swos")):
            file = self.inventory({"name": "attic", **entry})
            got, out, _ = self.raw("--json", "--inventory", file, "-s", "attic", "show")
            e = json.loads(out)["error"]
            self.assertEqual(got, code, e)
            self.assertIn(text, e["message"] + e["hint"])
        self.assertEqual(self.count("GET"), 0)
        file = self.inventory({"name": "attic", "url": self.url, "dialect": "rtl837x-cgi"})
        self.assertEqual(self.raw("--inventory", file, "-s", "attic", "lag", "show")[0], 0)

    def test_inventory_with_a_command_that_others_can_write(self):
        file = self.inventory({"name": "attic", "url": self.url, "password_command": "touch %s" % self.path("ran")}, mode=0o666)
        self.assertEqual(self.raw("--inventory", file, "-s", "attic", "show", password=None)[0], 8)
        self.assertFalse(os.path.exists(self.path("ran")))

    def test_broken_inventory(self):
        file = self.path("bad.json")
        with open(file, "w") as f:
            f.write('[ { "name": "attic",\n  "url" "x" } ]')
        code, out, _ = self.raw("--json", "--inventory", file, "-s", "attic", "show")
        e = json.loads(out)["error"]
        self.assertEqual((code, e["id"]), (7, "malformed"))
        self.assertIn("line 2", e["where"])
        self.assertIn(file, e["where"])

    def test_text_and_json_end_alike(self):
        self.fault("foreign", path="/trunk.cgi", count=0)
        for words, status in ((["show"], 7), (["jumbo", "set", "--mtu", "1"], 7), (["lag", "set", "9", "--mode", "lacp", "--ports", "1,2"], 7),
                              (["lag", "set", "99", "--mode", "lacp", "--ports", "1,2"], 2)):
            self.assertEqual(self.run_ctl(*words, status=status), "")
            self.run_error(*words, status=status)


class DefaultLogin(Case):
    digest = "f6fdffe48c908deb0f4c3bd36c032e72"

    def test_documented_digest_of_admin_admin(self):
        self.run_ctl("show", password="admin")


if __name__ == "__main__":
    emulated.main()
