# SPDX-License-Identifier: MIT
"""reach.py - which of the office's peers reach an address: all asked at once, each from its own MAC address.

A switch spreads flows over the links of a group by their MAC addresses, so one ping shows one flow only: it succeeds or
fails by chance.  Sixteen peers show what share of the flows passes.
"""
import os
import select
import socket
import struct
import time

TRIES, TRY_SECONDS = 3, 0.4
SO_BINDTODEVICE = 25


def checksum(data):
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def echo(identity, sequence, payload=b"0123456789abcdef"):
    head = struct.pack("!BBHHH", 8, 0, 0, identity, sequence)
    return struct.pack("!BBHHH", 8, 0, checksum(head + payload), identity, sequence) + payload


def open_socket(dev, target, v6=False):
    """A raw echo socket on one device, to be called in its namespace."""
    s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6) if v6 else \
        socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
    s.setsockopt(socket.SOL_SOCKET, SO_BINDTODEVICE, dev.encode() + b"\0")
    if not v6:
        s.connect((target, 0))
    s.setblocking(False)
    return s


def reply_of(data, identity):
    """The sequence number of an echo reply of ours, or None."""
    at = (data[0] & 15) * 4
    if len(data) >= at + 8 and data[at] == 0:
        got, sequence = struct.unpack_from("!HH", data, at + 4)
        if got == identity:
            return sequence
    return None


def reachable(sockets, tries=TRIES, try_seconds=TRY_SECONDS):
    """{key: socket} -> set of the keys that were answered."""
    identity, alive = os.getpid() & 0xFFFF, set()
    keys = {s: key for key, s in sockets.items()}
    first = int(time.monotonic() * 1000) & 0x7FFF       # a late answer to an earlier call is no answer to this one
    for attempt in range(tries):
        for key, s in sockets.items():
            if key not in alive:
                try:
                    s.send(echo(identity, first + attempt))
                except OSError:
                    pass                        # no route or no neighbour: an error of an earlier try
        until = time.monotonic() + try_seconds
        while len(alive) < len(sockets) and (left := until - time.monotonic()) > 0:
            for s in select.select(list(sockets.values()), [], [], left)[0]:
                try:
                    sequence = reply_of(s.recv(2048), identity)
                    if sequence is not None and 0 <= sequence - first < tries:
                        alive.add(keys[s])
                except OSError:
                    pass
    return alive
