# SPDX-License-Identifier: MIT
"""rtl837x_http.py - the web server of an emulated RTL837x switch: what it accepts, refuses and drops.

On raw sockets, because the quirks are the point: one connection at a time and a pause between two, case-sensitive header
names, small requests only, answers without a length.  What a request does is in rtl837x_cgi.py.
"""
import select
import socket
import struct
import threading
import time
import urllib.parse

REQUEST_BYTES, PATH_BYTES, VALUE_BYTES = 1560, 95, 255
BIG_REQUEST_BYTES = 8192            # a configuration file on its way in is the one exception
IDLE_SECONDS = 10.0
STATUS = {200: "OK", 404: "Not Found"}
RESET = struct.pack("ii", 1, 0)


class Request:
    def __init__(self, method, target, headers, body):
        self.method, self.target, self.headers, self.body = method, target, headers, body
        self.path, _, query = target.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        self.form = []
        if body is not None and headers.get("Content-Type", "").startswith("application/x-www-form-urlencoded"):
            self.form = urllib.parse.parse_qsl(body.decode("latin-1"), keep_blank_values=True)

    def value(self, name, default=""):
        return next((v for k, v in self.form if k == name), default)

    def values(self, name):
        return [v for k, v in self.form if k == name]

    def number(self, name, default=-1):
        text = self.value(name)
        return int(text) if text.isascii() and text.isdigit() else default


class Bad(Exception):
    """The firmware drops the connection; the text is for the log."""


def parse(data):
    """A whole request, or None while there is more to come."""
    head, blank, body = data.partition(b"\r\n\r\n")
    big = head.startswith(b"POST /config_back.cgi?cmd=conf_restore")
    if len(data) > (BIG_REQUEST_BYTES if big else REQUEST_BYTES):
        raise Bad("request of more than %d bytes" % REQUEST_BYTES)
    if not blank:
        return None
    lines = head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if len(words) != 3 or words[0] not in ("GET", "POST") or not words[2].startswith("HTTP/1."):
        raise Bad("request line %r" % lines[0][:60])
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(": ")
        headers.setdefault(name, value)
    if words[0] == "GET":
        return Request(words[0], words[1], headers, None)
    if "Content-Length" not in headers or "Content-Type" not in headers:
        raise Bad("POST without Content-Type or Content-Length (names are case-sensitive)")
    size = int(headers["Content-Length"]) if headers["Content-Length"].isdigit() else 0
    return Request(words[0], words[1], headers, body[:size]) if len(body) >= size else None


def check(request):
    if len(request.path) > PATH_BYTES:
        raise Bad("path of more than %d bytes" % PATH_BYTES)
    values = [v for _, v in request.form] + list(request.query.values())
    if any(len(v) > VALUE_BYTES for v in values):
        raise Bad("value of more than %d bytes" % VALUE_BYTES)


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    connection.close()


class Server:
    """Accepts on (address, port) while open; handle(request, connection) gets one whole request at a time and writes the
    answer itself; the connection is closed after it unless it was already."""

    def __init__(self, address, port, handle, log, settings):
        self.handle, self.log, self.settings = handle, log, settings
        self.lock = threading.Lock()
        self.listener, self.wanted = None, True
        self.busy, self.free_at = False, 0.0
        self.where = (address, port)
        self.where = self.listen()

    def listen(self):
        s = socket.socket(socket.AF_INET6 if ":" in self.where[0] else socket.AF_INET)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind(self.where)
        s.listen(8)
        self.listener = s
        return s.getsockname()[:2]

    def open(self, wanted):
        """Open or close the port.  Takes effect within 20 ms."""
        self.wanted = wanted

    def run(self, stopped):
        """Accept until the event 'stopped' is set."""
        while not stopped.is_set():
            if self.wanted and self.listener is None:
                self.listen()
            if not self.wanted and self.listener is not None:
                self.listener.close()
                self.listener = None
            if self.listener is None:
                stopped.wait(0.02)
                continue
            if not select.select([self.listener], [], [], 0.02)[0]:
                continue
            connection, _ = self.listener.accept()
            with self.lock:
                early = self.free_at - time.monotonic()
                if self.busy or early > 0:
                    self.log("connection reset: " + ("another one is open" if self.busy else "%.0f ms too early" % (1000 * early)),
                             resets=1)
                    reset(connection)
                    continue
                self.busy = True
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        try:
            connection.settimeout(IDLE_SECONDS)
            data, request = b"", None
            while request is None:
                more = connection.recv(2048)
                if not more:
                    raise Bad("closed before the request was whole")
                data += more
                request = parse(data)
            check(request)
            self.handle(request, connection)
        except Bad as e:
            self.log("dropped: %s" % e)
            reset(connection)
        except OSError as e:
            self.log("connection lost: %s" % e)
        finally:
            with self.lock:
                self.busy, self.free_at = False, time.monotonic() + self.settings["pace_ms"] / 1000
            if connection.fileno() >= 0:
                # Closed in order: a close with unread bytes would reset, and take the end of the answer with it.
                try:
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                connection.close()


def answer(connection, body, status=200, kind="text/html", extra="", cut=None):
    """Send one answer; 'cut' bytes of the body only if given.  The end of the connection is the end of the body."""
    body = body if isinstance(body, bytes) else body.encode()
    head = "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nConnection: close\r\n%s\r\n" % (status, STATUS[status], kind, extra)
    connection.sendall(head.encode() + (body if cut is None else body[:cut]))
