# SPDX-License-Identifier: MIT
"""emulated.py - for tests of a program against an emulated switch: one emulator process per test, tests side by side.

Case starts the emulator (with no pause between connections unless asked), runs the program, and holds after each test
what must hold always: no dangerous page was touched, no secret came out, and the emulator had to reset nobody.
"""
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
EMU = os.path.join(ROOT, "tests", "emu")
BIN = os.environ.get("BIN", os.path.join(ROOT, "build", "bin"))
PASSWORD = "s3cret Pw&"
DIGEST = hashlib.md5(("admin" + PASSWORD).encode()).hexdigest()
NEVER = ("/reboot.cgi", "/reset.cgi", "/ftdft.cgi", "/login_ft.cgi", "/Hengrui_mp_cfg", "/fwug.cgi", "/user.cgi", "/logout.cgi")

# More than the emulator asks by itself: the cookie is the only one and nothing odd or large is sent.
STRICT = """
import re
import rtl837x_http as h
parse, check = h.parse, h.check
def parse_small(data):
    q = parse(data)
    if q and len(data) > 1000: raise h.Bad("request of %d bytes" % len(data))
    return q
def check_headers(q):
    check(q)
    if not re.fullmatch("(admin=[0-9a-f]{32})?", q.headers.get("Cookie", "")): raise h.Bad("cookie")
    if not q.headers.get("Referer", "").startswith("http://"): raise h.Bad("no Referer")
    if set(q.headers) - {"Host", "User-Agent", "Referer", "Cookie", "Content-Type", "Content-Length"}:
        raise h.Bad("headers %s" % list(q.headers))
    if q.body is not None and b"mactblclr" in q.body: raise h.Bad("clears the MAC table")
h.parse, h.check = parse_small, check_headers
"""

sys.path.insert(0, EMU)
import control                                                                          # noqa: E402


class Case(unittest.TestCase):
    settings, change = {}, ""           # emulator settings; Python lines run before it starts, d = rtl837x_device
    resets = 0                          # connections that the emulator may have to reset
    digest = DIGEST

    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)
        code = ("import sys; sys.path.insert(0, %r)\nimport rtl837x_device as d, rtl837x_pages as p, rtl837x_cgi as r\n%s\n%s\nr.main()\n"
                % (EMU, STRICT, self.change))
        words = ["%s=%s" % (k, json.dumps(v)) for k, v in {"pace_ms": 0, "reboot_s": 0.4, "login": self.digest, **self.settings}.items()]
        self.emu = subprocess.Popen(["/usr/bin/python3", "-c", code] + [w for s in words for w in ("--set", s)],
                                    stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.address = self.emu.stdout.readline().split()[-1]
        self.side = control.Client(self.emu.stdout.readline().split()[-1])
        self.url = "http://" + self.address

    def stop(self):
        self.emu.terminate()
        self.emu.wait()
        self.emu.stdout.close()

    def tearDown(self):
        s = self.state()
        self.assertEqual(s["dangerous"], [])
        touched = [r for r in s["requests"] if r.split()[1].split("?")[0] in NEVER]
        self.assertEqual(touched, [], "pages that nobody may touch")
        self.assertLessEqual(s["resets"], self.resets, "\n".join(s["log"]))

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def state(self):
        return self.side.get("/state")

    def fault(self, name, **more):
        self.side.post("/fault", {"fault": name, **more})

    def groups(self):
        return {g: (v["lacp"], v["ports"]) for g, v in self.state()["running"]["groups"].items()}

    def running(self, **config):
        self.side.post("/state", {"running": config})

    def count(self, what):
        """How often a request ("POST /login.cgi") came."""
        return sum(n for r, n in self.state()["requests"].items() if r.startswith(what))

    def writes(self):
        return [r for r in self.state()["requests"] if r.startswith("POST") and not r.startswith("POST /login.cgi")]

    def raw(self, *words, password=PASSWORD, pace="5", env=None, stdin=subprocess.DEVNULL):
        """(exit status, stdout, stderr) of one run.

        pace: ms between connections, None = the program's own.  5 is enough unless the program is the one that hangs up."""
        full = {"PATH": os.environ["PATH"], "HOME": self.dir.name, **{k: v for k, v in os.environ.items() if "SAN" in k}, **(env or {})}
        if password is not None:
            full["SWITCHCTL_PASSWORD"] = password
        command = [os.path.join(BIN, "switchctl"), "--trace", self.path("trace"), "--timeout-ms", "1500"]
        command += ["--pace-ms", pace] if pace else []
        done = subprocess.run(command + list(words), stdin=stdin, capture_output=True, text=True, env=full, timeout=120)
        trace = open(self.path("trace")).read() if os.path.exists(self.path("trace")) else ""
        for secret in {PASSWORD, DIGEST, self.digest, password or PASSWORD} - {"admin"}:
            for where in (done.stdout, done.stderr, trace):
                self.assertNotIn(secret, where, "a secret came out")
        self.assertNotIn("Sanitizer", done.stderr)
        return done.returncode, done.stdout, done.stderr

    def run_ctl(self, *words, status=0, **more):
        """stdout of a run against the emulator that must end with `status`; stderr in self.err."""
        code, out, self.err = self.raw("-s", self.url, *words, **more)
        self.assertEqual(code, status, "%s\n%s%s\n%s" % (" ".join(words), out, self.err, "\n".join(self.state()["log"][-20:])))
        return out

    def run_json(self, *words, status=0, kind=None, **more):
        """The one JSON document of a run."""
        document = json.loads(self.run_ctl("--json", *words, status=status, **more))
        self.assertEqual(document["schema"], 1)
        if kind or status:
            self.assertEqual(document["kind"], kind or "error")
        return document

    def run_error(self, *words, status, **more):
        """The error object of a run that must fail: same exit status and message in text and JSON are another test."""
        return self.run_json(*words, status=status, **more)["error"]


class Parallel(unittest.TestSuite):
    """Runs its tests in threads: each waits for processes most of the time."""

    def run(self, result, debug=False):
        lock, tests = threading.Lock(), []

        def flatten(suite):
            for t in suite:
                flatten(t) if isinstance(t, unittest.TestSuite) else tests.append(t)
        flatten(self)

        def one(test):
            mine = unittest.TestResult()
            test.run(mine)
            with lock:
                result.testsRun += 1
                for name in ("failures", "errors", "skipped"):
                    getattr(result, name).extend(getattr(mine, name))
                good = mine.wasSuccessful()
                result.stream.write("." if good else "F")
                result.stream.flush()
        with concurrent.futures.ThreadPoolExecutor(max_workers=int(os.environ.get("JOBS", 2 * os.cpu_count()))) as pool:
            list(pool.map(one, tests))
        return result


def main():
    loader = unittest.TestLoader()
    module = sys.modules["__main__"]
    names = [a for a in sys.argv[1:] if not a.startswith("-")]
    suite = Parallel([loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)])
    sys.exit(not unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful())
