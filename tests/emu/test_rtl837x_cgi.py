#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""test_rtl837x_cgi.py - the emulator's own test: do its pages, refusals and faults come as documented?

Talks to it over loopback with bare sockets.  Takes a few seconds; needs no root.
"""
import os
import re
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import control                                                                          # noqa: E402
import rtl837x_cgi                                                                      # noqa: E402

GOOD = "f6fdffe48c908deb0f4c3bd36c032e72"
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
REDIRECT = 'window.top.location.replace("/login.cgi")'


class Case(unittest.TestCase):
    def setUp(self):
        self.emu = rtl837x_cgi.Emulator()
        self.emu.settings.update(pace_ms=0, reboot_s=0.2)
        self.thread = threading.Thread(target=self.emu.run)
        self.thread.start()
        self.side = control.Client(control.serve("127.0.0.1:0", self.emu.order))
        self.addCleanup(self.end)

    def end(self):
        self.emu.stopped.set()
        self.thread.join()
        if self.emu.server.listener:
            self.emu.server.listener.close()

    def raw(self, data, timeout=3.0):
        """Everything the switch answers to these bytes; a reset raises only when nothing came before it."""
        host, port = self.emu.address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout) as s:
            s.sendall(data.encode() if isinstance(data, str) else data)
            got = b""
            try:
                while more := s.recv(65536):
                    got += more
            except ConnectionResetError:
                if not got:
                    raise
            return got.decode("latin-1")

    def get(self, target, cookie="admin=" + GOOD):
        return self.raw("GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n" % (target, "Cookie: %s\r\n" % cookie if cookie else ""))

    def post(self, target, body, cookie="admin=" + GOOD, form=FORM):
        return self.raw("POST %s HTTP/1.1\r\nHost: x\r\nCookie: %s\r\n%sContent-Length: %d\r\n\r\n%s"
                        % (target, cookie, form, len(body), body))

    def login(self, response=GOOD, language="EN"):
        return self.post("/login.cgi", "username=admin&Response=%s&language=%s" % (response, language))

    def group(self, number, kind, *ports):
        return self.post("/trunk.cgi?page=group", "id=%d&trunk_type=%d%s&cmd=trunk"
                         % (number, kind, "".join("&ports=%d" % (p - 1) for p in ports)))

    def groups(self):
        rows = re.findall(r"<td >(Trunk\d)</td>\s*<td >(\w+)</td>\s*<td>([^<]*)</td>\s*<td>([^<]*)</td>\s*"
                          r'<td><input type="checkbox" name="(remove_\d)" id=(trunk_\d)>', self.get("/trunk.cgi?page=group"))
        return rows


class Session(Case):
    def test_fingerprint_and_redirect(self):
        for target in ("/", "/info.cgi", "/trunk.cgi"):
            answer = self.get(target, None)
            self.assertTrue(answer.startswith("HTTP/1.1 200 OK\r\n"))
            self.assertIn(REDIRECT, answer)
            self.assertIn("<title>SKS3200M-4GPY2XF</title>", answer)
            self.assertNotIn("Content-Length", answer)
            self.assertNotIn("Server:", answer)
        self.assertIn('name="login"', self.get("/login.cgi", None))
        self.assertIn("javascript", self.get("/md5.js", None))

    def test_login_is_one_flag_for_all(self):
        self.assertIn(REDIRECT, self.get("/info.cgi"))                  # the cookie alone is not enough
        self.assertIn('replace("/")', self.login())
        self.assertIn("Jan 03 2024", self.get("/info.cgi"))
        self.assertIn(REDIRECT, self.get("/info.cgi", "admin=" + "0" * 32))
        self.assertIn('replace("/")', self.login("0" * 32))             # fails, and looks the same
        self.assertIn(REDIRECT, self.get("/info.cgi"))
        self.login()
        self.get("/logout.cgi")
        self.assertIn(REDIRECT, self.get("/info.cgi"))

    def test_cookie_is_first_and_only(self):
        self.login()
        self.assertIn("System Info", self.get("/info.cgi", "admin=" + GOOD + "; x=1"))
        self.assertIn(REDIRECT, self.get("/info.cgi", "x=1; admin=" + GOOD))
        self.assertIn(REDIRECT, self.raw("GET /info.cgi HTTP/1.1\r\ncookie: admin=%s\r\n\r\n" % GOOD))

    def test_language_is_everybodys(self):
        self.login(language="CN")
        self.assertNotIn("Link Down", self.get("/port.cgi"))
        self.login()
        self.assertIn("Link Down", self.get("/port.cgi"))


class Wire(Case):
    def test_requests_that_are_dropped(self):
        self.login()
        for data in ("GET / HTTP/1.1\r\nX: " + "a" * 1560 + "\r\n\r\n", "GET /" + "a" * 95 + " HTTP/1.1\r\n\r\n",
                     "GET /port.cgi?page=" + "a" * 256 + " HTTP/1.1\r\n\r\n",
                     "POST /save.cgi HTTP/1.1\r\nContent-Length: 8\r\n\r\ncmd=save",
                     "POST /save.cgi HTTP/1.1\r\n" + FORM + "\r\n",
                     "POST /save.cgi HTTP/1.1\r\n" + FORM.lower() + "Content-Length: 8\r\n\r\ncmd=save"):
            with self.assertRaises(ConnectionResetError, msg=data[:40]):
                self.raw(data)
        self.assertFalse(self.side.get("/state")["dangerous"])

    def test_pace_and_one_at_a_time(self):
        self.side.post("/settings", {"pace_ms": 300})
        self.get("/", None)
        with self.assertRaises(ConnectionResetError):
            self.get("/", None)
        time.sleep(0.31)
        host, port = self.emu.address.rsplit(":", 1)
        with socket.create_connection((host, int(port))):
            time.sleep(0.05)
            with self.assertRaises(ConnectionResetError):
                self.get("/", None)
        self.assertEqual(self.side.get("/state")["resets"], 2)

    def test_request_in_pieces_and_unknown_things(self):
        self.login()
        self.assertTrue(self.get("/nothing.cgi").startswith("HTTP/1.1 404"))
        self.assertIn("Port Setting", self.get("/port.cgi?page=nothing"))
        host, port = self.emu.address.rsplit(":", 1)
        with socket.create_connection((host, int(port))) as s:
            for byte in ("GET /info.cgi HTTP/1.1\r\nCookie: admin=%s\r\n\r\n" % GOOD).encode():
                s.send(bytes([byte]))
            self.assertIn(b"200 OK", s.recv(100))


class Trunk(Case):
    def setUp(self):
        super().setUp()
        self.login()

    def test_create_modify_remove(self):
        self.assertEqual(self.groups(), [])
        self.group(2, 0, 1, 2)
        self.assertEqual(self.groups(), [("Trunk2", "static", "1-2", "1-2", "remove_1", "trunk_0")])
        self.group(1, 1, 3, 4, 6)
        self.assertEqual(self.groups()[0], ("Trunk1", "LACP", "3-4,6", "", "remove_0", "trunk_0"))
        self.assertEqual(self.groups()[1][4:], ("remove_1", "trunk_1"))
        self.side.post("/backend", {"up": [3, 6], "partners": [3]})
        self.assertEqual(self.groups()[0][3], "")
        self.side.post("/backend", {"partners": [3, 6]})
        self.assertEqual(self.groups()[0][3], "3,6")
        self.post("/trunk.cgi?page=group_remove", "id=1&cmd=group_remove")      # does nothing
        self.assertEqual(len(self.groups()), 2)
        self.post("/trunk.cgi?page=group_remove", "remove_1=on&cmd=group_remove")
        self.assertEqual([g[0] for g in self.groups()], ["Trunk1"])

    def test_refusals_leave_the_group_deleted(self):
        self.group(1, 1, 1, 2)
        self.group(2, 1, 3, 4)
        for ports, text in (((1,), "2 trunk member ports at least"), ((1, 2, 4, 5, 6), "4 trunk member ports at most"),
                            ((1, 3), "Port already used by another trunk")):
            self.group(1, 1, 1, 2)
            answer = self.group(1, 1, *ports)
            self.assertIn("<title>Message</title>", answer)
            self.assertIn("alertmsg=Error: %s\"" % text, answer)
            self.assertEqual([g[0] for g in self.groups()], ["Trunk2"])
        self.assertIn("Wrong trunk ID", self.group(3, 0, 5, 6))
        self.assertEqual([g[0] for g in self.groups()], ["Trunk2"])

    def test_member_settings_are_checked(self):
        def ports(**first):
            p = self.side.get("/state")["running"]["ports"]
            p[0] = {"enabled": True, "speed_duplex": 0, "flow": False, "vlans": [1], "limited": False, **first}
            self.side.post("/state", {"running": {"ports": p}})
        for first, kind, text in (({"vlans": [1, 2]}, 1, "Joined VLAN"), ({"limited": True}, 1, "rate limiting"),
                                  ({"speed_duplex": 5}, 0, "same negotiation mode"), ({"speed_duplex": 5}, 1, None)):
            ports(**first)
            answer = self.group(1, kind, 1, 2)
            self.assertIn(text or "Trunk1", answer)
        ports()
        self.side.post("/state", {"running": {"mirror": 1}})
        self.assertIn("Mirroring port", self.group(1, 1, 1, 2))
        self.side.post("/state", {"running": {"mirror": None}})
        self.assertIn("must all have the same speed", self.group(1, 0, 1, 5))

    def test_members_vanish(self):
        self.group(1, 1, 1, 2)
        for page in ("/port.cgi", "/port.cgi?page=stats"):
            names = re.findall(r"<td>((?:Port |Trunk)\d)</td>", self.get(page))
            self.assertEqual(names, ["Port 3", "Port 4", "Port 5", "Port 6", "Trunk1"])
        self.assertIn('<option value="7">Trunk1\n', self.get("/port.cgi"))
        panel = re.findall(r"/(\w+)\.png", self.get("/panel.cgi"))
        self.assertEqual(panel, ["RJ45_up_1", "RJ45_up_1", "RJ45_up_0", "RJ45_up_0", "Fiber_up_0", "Fiber_down_0"])
        self.assertIn("<td >Trunk1</td>", self.get("/mac.cgi?page=fwd_tbl"))


class Pages(Case):
    def setUp(self):
        super().setUp()
        self.login()

    def test_stats_wrap_and_sum(self):
        self.side.post("/backend", {"counters": {"1": {"rx_good": (1 << 32) + 5}, "2": {"rx_good": 7}}})
        self.assertIn("<title>Port Stistics</title>", self.get("/port.cgi?page=stats"))
        self.assertRegex(self.get("/port.cgi?page=stats"), r"Port 1</td>\s*(<td>[^<]*</td>\s*){4}<td>5</td>")
        self.group(1, 1, 1, 2)
        self.assertRegex(self.get("/port.cgi?page=stats"), r"Trunk1</td>\s*(<td>[^<]*</td>\s*){4}<td>12</td>")
        self.post("/port.cgi?page=stats", "submit=   Clear   &cmd=stats")
        self.assertRegex(self.get("/port.cgi?page=stats"), r"Trunk1</td>\s*(<td>[^<]*</td>\s*){4}<td>0</td>")

    def test_port_setting(self):
        self.post("/port.cgi", "portid=0&portid=4&state=0&speed_duplex=5&flow=1&cmd=port")
        self.assertRegex(self.get("/port.cgi"), r"Port 1</td>\s*<td>Disable</td>\s*<td>1000Full</td>\s*<td>Link Down</td>\s*<td>On")
        self.assertRegex(self.get("/port.cgi"), r"Port 5</td>\s*<td>Disable")

    def test_jumbo(self):
        self.assertIn('<option value="0" selected>1522\n', self.get("/fwd.cgi?page=jumboframe"))
        self.post("/fwd.cgi?page=jumboframe", "jumboframe=3&cmd=jumboframe")
        self.assertIn('<option value="3" selected>9216\n', self.get("/fwd.cgi?page=jumboframe"))
        self.assertIn("not supported", self.post("/fwd.cgi?page=jumboframe", "jumboframe=5"))
        self.assertEqual(self.side.get("/state")["frame_bytes"], 9216)

    def test_mac_table_pages(self):
        self.side.post("/backend", {"macs": [["02:00:00:00:%02x:%02x" % (n // 256, n % 256), 1, "dynamic", 3] for n in range(130)]})
        sizes = []
        answer = self.get("/mac.cgi?page=fwd_tbl")
        while True:
            sizes.append(len(re.findall("dynamic", answer)))
            if "id=next disabled" in answer:
                break
            answer = self.post("/mac.cgi?page=fwd_tbl", "cmd=nextpage")
        self.assertEqual(sizes, [64, 64, 2])
        self.assertIn("02:00:00:00:00:00", self.get("/mac.cgi?page=fwd_tbl"))
        self.assertNotIn("dynamic", self.post("/mac.cgi?page=fwd_tbl", "cmd=mactblclr"))

    def test_save_reboot_backup(self):
        self.post("/fwd.cgi?page=jumboframe", "jumboframe=3")
        self.assertTrue(self.side.get("/state")["unsaved"])
        self.assertIn("Successfully Saved", self.post("/save.cgi", "cmd=save"))
        self.assertFalse(self.side.get("/state")["unsaved"])
        backup = self.get("/config_back.cgi?cmd=conf_backup")
        self.assertIn("octet-stream", backup)
        self.assertEqual(len(backup.partition("\r\n\r\n")[2]), 0xA42)
        self.group(1, 0, 1, 2)
        self.post("/reboot.cgi", "cmd=reboot")
        self.wait_up()
        self.assertIn(REDIRECT, self.get("/info.cgi"))
        state = self.side.get("/state")
        self.assertEqual((state["running"]["groups"], state["frame_bytes"]), ({}, 9216))

    def wait_up(self):
        deadline = time.monotonic() + 3
        time.sleep(0.06)
        while True:
            try:
                return self.get("/", None)
            except OSError:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.02)

    def test_dangerous_pages_leave_a_mark(self):
        self.get("/fwug.cgi")
        self.assertEqual(self.side.get("/state")["dangerous"], ["GET /fwug.cgi"])


class Faults(Case):
    def setUp(self):
        super().setUp()
        self.login()

    def fault(self, **fault):
        self.side.post("/fault", fault)

    def test_which_request_is_hit(self):
        self.fault(fault="close-before", method="GET", path="/info", nth=2)
        self.assertIn("200 OK", self.get("/info.cgi"))
        self.assertIn("200 OK", self.get("/port.cgi"))
        self.assertEqual(self.get("/info.cgi"), "")
        self.assertIn("200 OK", self.get("/info.cgi"))
        with self.assertRaises(ValueError):
            self.fault(fault="nonsense")

    def test_applied_or_not(self):
        for name, applied in (("drop-answer", True), ("close-before", False), ("garbage", False), ("foreign", False),
                              ("error-page", False), ("cut", True), ("reset", True)):
            self.side.post("/state", {"running": {"groups": {}}})
            self.fault(fault=name, method="POST")
            answer = self.group(1, 1, 1, 2)
            self.assertEqual(bool(self.side.get("/state")["running"]["groups"]), applied, name)
            self.assertEqual("</html>" in answer, name in ("foreign", "error-page", "reset"), name)

    def test_time_and_session(self):
        self.fault(fault="slow", s=0.3)
        began = time.monotonic()
        self.get("/info.cgi")
        self.assertGreater(time.monotonic() - began, 0.3)
        self.fault(fault="logout-before")
        self.assertIn(REDIRECT, self.get("/info.cgi"))
        self.login()
        self.fault(fault="silent")
        with self.assertRaises(TimeoutError):
            self.raw("GET / HTTP/1.1\r\n\r\n", 0.2)
        self.fault(fault="closed", s=0.2, path="/info")
        self.assertEqual(self.get("/info.cgi"), "")
        time.sleep(0.05)
        with self.assertRaises(ConnectionRefusedError):
            self.get("/info.cgi")

    def test_reboot_after(self):
        self.fault(fault="reboot-after", method="POST")
        self.assertIn("Trunk1", self.group(1, 1, 1, 2))
        time.sleep(0.05)
        with self.assertRaises(ConnectionRefusedError):
            self.get("/")


class Program(unittest.TestCase):
    def test_as_a_program(self):
        program = os.path.join(os.path.dirname(os.path.realpath(__file__)), "rtl837x_cgi.py")
        with subprocess.Popen([program, "--set", "jumbo=3", "--set", "pace_ms=0"], stdout=subprocess.PIPE, text=True) as p:
            where = p.stdout.readline().split()[-1]
            side = control.Client(p.stdout.readline().split()[-1])
            state = side.get("/state")
            p.terminate()
            self.assertEqual(p.wait(2), 0)
        self.assertEqual((state["address"], state["frame_bytes"], state["unsaved"]), (where, 9216, False))


if __name__ == "__main__":
    unittest.main()
