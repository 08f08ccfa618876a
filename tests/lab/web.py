# SPDX-License-Identifier: MIT
"""web.py - a small client for the emulated switch's pages, for the lab's own checks.

Not the product's code and nothing like it: the lab must be able to tell what is wrong when the product fails.
"""
import hashlib
import socket
import time

import netns

PACE_SECONDS = 0.31


class Web:
    free_at = 0.0                   # the switch's pause is between any two connections, whoever makes them

    def __init__(self, ns, address, user="admin", password="admin", timeout=5.0):
        self.ns, self.address, self.timeout = ns, address, timeout
        self.digest = hashlib.md5((user + password).encode()).hexdigest()

    def exchange(self, method, target, form):
        time.sleep(max(0.0, Web.free_at - time.monotonic()))
        body = form.encode()
        head = "%s %s HTTP/1.1\r\nHost: %s\r\nCookie: admin=%s\r\nReferer: http://%s/\r\n" % (
            method, target, self.address, self.digest, self.address)
        if method == "POST":
            head += "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n" % len(body)
        with netns.inside(self.ns):
            s = socket.socket()
        with s:
            s.settimeout(self.timeout)
            s.connect((self.address, 80))
            s.sendall(head.encode() + b"\r\n" + body)
            got = b""
            while more := s.recv(65536):
                got += more
        Web.free_at = time.monotonic() + PACE_SECONDS
        return got.decode("latin-1").partition("\r\n\r\n")[2]

    def get(self, target):
        return self.ask("GET", target, "")

    def post(self, target, form):
        return self.ask("POST", target, form)

    def ask(self, method, target, form):
        page = self.exchange(method, target, form)
        if 'replace("/login.cgi")' in page:
            self.exchange("POST", "/login.cgi", "username=admin&Response=%s&language=EN" % self.digest)
            page = self.exchange(method, target, form)
        return page

    def group(self, number, lacp, ports):
        return self.post("/trunk.cgi?page=group", "id=%d&trunk_type=%d%s&cmd=trunk"
                         % (number, lacp, "".join("&ports=%d" % (p - 1) for p in ports)))
