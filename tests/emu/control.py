# SPDX-License-Identifier: MIT
"""control.py - the side door of an emulated switch, for tests: JSON over HTTP on a socket apart from the device's own.

Server: serve(endpoint, handle) where endpoint is "ADDRESS:PORT" (PORT 0 = any) or "unix:PATH"; handle(method, path, data)
returns what JSON can say, and its ValueError becomes a 400.  A unix socket is the same file from every network namespace.
Client: Client(endpoint).get(path), .post(path, data).
"""
import http.client
import http.server
import json
import os
import socket
import socketserver
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        size = int(self.headers.get("Content-Length") or 0)
        try:
            data = json.loads(self.rfile.read(size)) if size else None
            status, reply = 200, self.server.handle(self.command, self.path, data)
        except (ValueError, KeyError, TypeError, LookupError) as e:
            status, reply = 400, {"error": "%s: %s" % (type(e).__name__, e)}
        body = (json.dumps(reply, indent=1) + "\n").encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


class TCP(socketserver.ThreadingMixIn, socketserver.TCPServer):
    allow_reuse_address = daemon_threads = True


class Unix(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


def serve(endpoint, handle):
    """Start serving in a thread of its own.  Returns the endpoint with its real port."""
    if endpoint.startswith("unix:"):
        server = Unix(endpoint[5:], Handler)
    else:
        address, port = endpoint.rsplit(":", 1)
        server = TCP((address, int(port)), Handler)
        endpoint = "%s:%d" % server.server_address[:2]
    server.handle = handle
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    return endpoint


def remove(endpoint):
    if endpoint.startswith("unix:"):
        try:
            os.unlink(endpoint[5:])
        except FileNotFoundError:
            pass


class Client:
    def __init__(self, endpoint, timeout=30):
        self.endpoint, self.timeout = endpoint, timeout

    def request(self, method, path, data=None):
        if self.endpoint.startswith("unix:"):
            wire = socket.socket(socket.AF_UNIX)
            wire.settimeout(self.timeout)
            wire.connect(self.endpoint[5:])
        else:
            address, port = self.endpoint.rsplit(":", 1)
            wire = socket.create_connection((address, int(port)), self.timeout)
        link = http.client.HTTPConnection("localhost")
        link.sock = wire
        try:
            link.request(method, path, None if data is None else json.dumps(data))
            answer = link.getresponse()
            reply = json.loads(answer.read())
        finally:
            link.close()
        if answer.status != 200:
            raise ValueError(reply["error"])
        return reply

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, data=None):
        return self.request("POST", path, {} if data is None else data)
