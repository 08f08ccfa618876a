#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""rtl837x_cgi.py - an emulated SKS3200M-4GPY2XF web-managed switch (RTL8372/8373, firmware V1.9 of Jan 03 2024).

    rtl837x_cgi.py [--address A] [--port N] [--control ADDRESS:PORT|unix:PATH] [--set KEY=JSON]...

prints "listening on A:N" and "control on ..." and serves until SIGTERM.  Written from documentation of the device, and
from nothing that talks to it.  Parts: rtl837x_http (the wire), rtl837x_device (state), rtl837x_pages (HTML), backend
(ports), faults (knobs), control (the side door).

Control (JSON; see also faults.py):
    GET  /state     running, saved, unsaved, logged_in, requests {"POST /x": n}, resets, dangerous [...], faults, hits, log [...]
    POST /state     {"running": {...}, "saved": {...}, "logged_in": bool}: keys given are replaced, then applied
    POST /fault     one fault, or a list        POST /clear    no faults, counts and log from now
    POST /settings  {"pace_ms": 300, "reset_after_html": false, "reboot_s": 3}
    POST /backend   handed to the backend       POST /reboot   as if the power had gone
    POST /port      {"open": bool}: refuse connections or not
"""
import argparse
import json
import os
import signal
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

import backend as backends                                                              # noqa: E402
import control                                                                          # noqa: E402
import faults                                                                           # noqa: E402
import rtl837x_device as dev                                                            # noqa: E402
import rtl837x_http as http                                                             # noqa: E402
import rtl837x_pages as pages                                                           # noqa: E402

DANGEROUS = ("/ftdft.cgi", "/login_ft.cgi", "/Hengrui_mp_cfg", "/fwug.cgi", "/reset.cgi")
FOREIGN = "<html><head><title>NAS login</title></head><body><h1>It works!</h1></body></html>\n"
LOG_LINES = 500
LAST_WORDS_SECONDS = 0.1


class Emulator:
    def __init__(self, where=("127.0.0.1", 0), backend=None, **device):
        self.lock = threading.RLock()
        self.stopped = threading.Event()
        self.settings = {"pace_ms": 300, "reset_after_html": False, "reboot_s": 3.0}
        self.faults = faults.Faults()
        self.clear()
        self.device = dev.Device(backend or backends.Memory(dev.SPEEDS), **device)
        self.server = http.Server(*where, self.handle, self.log, self.settings)
        self.address = "%s:%d" % self.server.where

    def clear(self):
        self.requests, self.resets, self.dangerous, self.lines, self.began = {}, 0, [], [], time.monotonic()
        self.faults.clear()

    def log(self, text, resets=0):
        with self.lock:
            self.resets += resets
            self.lines.append("%.3f %s" % (time.monotonic() - self.began, text))
            del self.lines[:-LOG_LINES]

    def run(self):
        self.server.run(self.stopped)

    # ---- one request -----------------------------------------------------------------------------------------------
    def handle(self, request, connection):
        """Called by the server; takes the faults in the order in which they bite."""
        what = "%s %s" % (request.method, request.target)
        with self.lock:
            self.requests[what] = self.requests.get(what, 0) + 1
            fault = self.faults.due(request.method, request.target) or {"fault": None}
        name = fault["fault"]
        self.log(what + (" <%s>" % name if name else ""))
        if name == "close-before":
            return
        if name == "silent":
            connection.settimeout(fault.get("s", 600))
            try:
                connection.recv(1)
            except TimeoutError:
                pass
            return
        if name == "garbage":
            connection.sendall(bytes(range(256)) * 4)
            return
        if name in ("foreign", "error-page"):
            http.answer(connection, FOREIGN if name == "foreign" else pages.alert(fault.get("text", "System busy")))
            return
        with self.lock:
            if name == "logout-before":
                self.device.login("", "EN")
            reply = self.dispatch(request)
        if name == "slow":
            self.stopped.wait(fault.get("s", 2))
        if name == "closed":
            self.down(fault.get("s", 5))
        if name not in ("drop-answer", "closed"):
            self.send(connection, reply, int(len(reply["body"]) * fault.get("at", 0.5)) if name == "cut" else None)
            if (name == "reset" or self.settings["reset_after_html"]) and name != "cut":
                time.sleep(0.03)        # let the body get out first: the reset overtakes what is still queued
                http.reset(connection)
        if name == "reboot-after" or reply.get("reboot"):
            if name != "drop-answer" and connection.fileno() >= 0:
                connection.shutdown(socket.SHUT_WR)
            self.reboot()

    def send(self, connection, reply, cut):
        body = reply["body"]
        if self.device.language == "CN" and isinstance(body, str):
            for english, chinese in pages.CHINESE:
                body = body.replace(english, chinese)
        http.answer(connection, body, reply.get("status", 200), reply.get("kind", "text/html"), reply.get("extra", ""), cut)

    def dispatch(self, request):
        """What the firmware does with a request: a dictionary with the body of the answer."""
        d = self.device
        if request.path in DANGEROUS:
            self.dangerous.append("%s %s" % (request.method, request.target))
        try:
            if request.path == "/login.cgi":
                if request.method == "GET":
                    return {"body": pages.login(d)}
                d.login(request.value("Response"), request.value("language"))
                return {"body": pages.after_login(d)}
            if request.path == "/md5.js":
                return {"body": pages.MD5_JS, "kind": "application/x-javascript"}
            if request.path == "/style.css":
                return {"body": "body { font: 12px sans-serif }\n", "kind": "text/css"}
            if not d.authorised(request.headers.get("Cookie", "")):
                return {"body": pages.redirect(d)}
            serve = PATHS.get(request.path)
            return serve(d, request) if serve else {"body": "", "status": 404}
        except dev.Refused as e:
            return {"body": pages.alert(str(e))}

    # ---- power -----------------------------------------------------------------------------------------------------
    def down(self, seconds):
        self.server.open(False)
        self.later(seconds, lambda: self.server.open(True))

    def reboot(self):
        """Dead for a while, then up with the saved configuration and nobody logged in."""
        self.log("reboot")
        self.server.open(False)
        self.device.logged_in = False

        def off():
            with self.lock:
                self.device.backend.power(False)

        def on():
            with self.lock:
                self.device.backend.power(True)
                self.device.boot()
            self.server.open(True)
            self.log("up")
        # The answer to the request that asked for it gets out before the links go.
        self.later(LAST_WORDS_SECONDS, off)
        self.later(LAST_WORDS_SECONDS + self.settings["reboot_s"], on)

    @staticmethod
    def later(seconds, function):
        timer = threading.Timer(seconds, function)
        timer.daemon = True
        timer.start()

    # ---- the side door ---------------------------------------------------------------------------------------------
    def order(self, method, path, data):
        with self.lock:
            if method == "GET" and path == "/state":
                return self.state()
            do = {"/state": self.set_state, "/fault": self.set_faults, "/clear": lambda _: self.clear(),
                  "/settings": self.set_settings, "/backend": self.device.backend.control, "/reboot": lambda _: self.reboot(),
                  "/port": lambda v: self.server.open(bool(v["open"]))}.get(path)
            if method != "POST" or not do:
                raise ValueError("no such order: %s %s" % (method, path))
            return do(data)

    def state(self):
        d = self.device
        return {"model": dev.MODEL, "address": self.address,
                "listening": self.server.wanted and self.server.listener is not None, "running": d.running,
                "saved": d.saved, "unsaved": d.unsaved(), "logged_in": d.logged_in, "language": d.language,
                "aggregated": {g: d.aggregated(int(g)) for g in d.running["groups"]},
                "frame_bytes": dev.JUMBO[d.running["jumbo"]], "requests": self.requests, "total": sum(self.requests.values()),
                "resets": self.resets, "dangerous": self.dangerous, "settings": self.settings, "faults": self.faults.armed,
                "hits": self.faults.hits, "log": self.lines}

    def set_state(self, data):
        if unknown := set(data) - {"running", "saved", "logged_in"}:
            raise ValueError("unknown key: " + ", ".join(unknown))
        for key in ("running", "saved"):
            config = getattr(self.device, key)
            if unknown := set(data.get(key, {})) - set(config):
                raise ValueError("unknown key in %s: %s" % (key, ", ".join(unknown)))
            config.update(data.get(key, {}))
        self.device.logged_in = data.get("logged_in", self.device.logged_in)
        if "running" in data:
            self.device.apply()
        return self.state()

    def set_faults(self, data):
        for fault in data if isinstance(data, list) else [data]:
            self.faults.add(fault)
        return self.faults.armed

    def set_settings(self, data):
        if unknown := set(data) - set(self.settings):
            raise ValueError("unknown setting: " + ", ".join(unknown))
        self.settings.update(data)
        return self.settings


# ---- the pages' actions: (device, request) -> reply ----------------------------------------------------------------
def show(render):
    return lambda d, request: {"body": render(d)}


def port(d, r):
    if r.query.get("page") == "stats":
        if r.method == "POST" and r.value("cmd") == "stats":
            d.clear_counters()
        return {"body": pages.stats(d)}
    if r.method == "POST":
        d.set_ports([int(v) for v in r.values("portid") if v.isdigit()], r.value("state") == "1", r.number("speed_duplex"),
                    r.value("flow") == "1")
    return {"body": pages.port(d)}


def trunk(d, r):
    if r.method == "POST" and r.query.get("page") == "group_remove":
        d.remove_groups([g for g in range(1, dev.GROUPS + 1) if r.values("remove_%d" % (g - 1))])
    elif r.method == "POST":
        ports = {int(v) + 1 for v in r.values("ports") if v.isdigit() and int(v) < dev.PORTS}
        d.set_group(r.number("id"), r.value("trunk_type") == "1", sorted(ports))
    return {"body": pages.trunk(d)}


def fwd(d, r):
    if r.query.get("page") not in (None, "jumboframe"):
        return {"body": pages.page("Storm Control", "")} if r.query["page"] == "storm_ctrl" else {"body": pages.jumbo(d)}
    if r.method == "POST":
        d.set_jumbo(r.number("jumboframe"))
    return {"body": pages.jumbo(d)}


def mac(d, r):
    if r.method == "GET":
        d.cursor = 0
    elif r.value("cmd") == "nextpage":
        d.cursor += pages.MAC_ROWS
    elif r.value("cmd") == "mactblclr":
        d.backend.clear_macs()
        d.cursor = 0
    return {"body": pages.mac_table(d)}


def save(d, r):
    if r.method == "GET":
        return {"body": pages.button("Save Configuration", "save.cgi", "save")}
    d.save()
    return {"body": pages.message("Save Configuration", "Configuration Successfully Saved")}


def reboot(_d, r):
    if r.method == "GET":
        return {"body": pages.button("Reboot", "reboot.cgi", "reboot")}
    return {"body": pages.message("Reboot", "The device is rebooting"), "reboot": True}


def factory_reset(d, r):
    if r.method == "GET":
        return {"body": pages.button("Factory Default", "reset.cgi", "factory_default")}
    d.factory_reset()
    return {"body": pages.message("Factory Default", "The device is rebooting"), "reboot": True}


def config_back(d, r):
    if r.query.get("cmd") == "conf_backup":
        return {"body": d.backup(), "kind": "application/octet-stream",
                "extra": "Content-Disposition: attachment; filename=\"switch_cfg.bin\"\r\n"}
    if r.method == "POST" and r.query.get("cmd") == "conf_restore":
        start = r.body.find(b"\r\n\r\n") + 4
        d.restore(r.body[start:start + dev.BACKUP_BYTES])
        return {"body": pages.message("Restore", "The device is rebooting"), "reboot": True}
    return {"body": pages.page("Backup/Restore", "")}


def user(d, r):
    if r.method == "POST" and r.value("cmd") == "passwd":
        d.running["user"], d.running["login"] = r.value("mname")[:16], r.value("mpass")
        d.logged_in = False
    return {"body": pages.page("User Account", "")}


def logout(d, _r):
    d.logged_in = False
    return {"body": pages.redirect(d)}


PATHS = {"/": show(pages.index), "/info.cgi": show(pages.info), "/panel.cgi": show(pages.panel), "/port.cgi": port,
         "/trunk.cgi": trunk, "/fwd.cgi": fwd, "/mac.cgi": mac, "/save.cgi": save, "/reboot.cgi": reboot,
         "/reset.cgi": factory_reset, "/config_back.cgi": config_back, "/user.cgi": user, "/logout.cgi": logout}


def arguments(usage):
    """Options that every emulator with this front has in common."""
    usage.add_argument("--address", default="127.0.0.1", help="default 127.0.0.1")
    usage.add_argument("--port", type=int, default=0, help="0 = any (default)")
    usage.add_argument("--control", default="127.0.0.1:0", metavar="ADDRESS:PORT|unix:PATH")
    usage.add_argument("--set", action="append", default=[], metavar="KEY=JSON", help="a setting or part of the configuration")


def serve(emulator, options):
    """Run until SIGTERM or SIGINT."""
    for item in options.set:
        key, _, value = item.partition("=")
        if key in emulator.settings:
            emulator.settings[key] = json.loads(value)
        else:
            emulator.set_state({"running": {key: json.loads(value)}, "saved": {key: json.loads(value)}})
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: emulator.stopped.set())
    where = control.serve(options.control, emulator.order)
    print("listening on %s\ncontrol on %s" % (emulator.address, where), flush=True)
    try:
        emulator.run()
    finally:
        control.remove(where)


def main():
    usage = argparse.ArgumentParser(description="An emulated SKS3200M-4GPY2XF switch (firmware V1.9).")
    arguments(usage)
    options = usage.parse_args()
    serve(Emulator((options.address, options.port)), options)


if __name__ == "__main__":
    main()
