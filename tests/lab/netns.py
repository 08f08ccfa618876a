# SPDX-License-Identifier: MIT
"""netns.py - step into a network namespace, and do there what is too slow by running programs.

In a guest each program start costs 10-20 ms, each system call 15 us.  A socket stays in the namespace it was made in, so
"with inside('pc'): s = socket(...)" is all that a probe needs.
"""
import array
import contextlib
import ctypes
import fcntl
import os
import select
import socket
import struct
import threading

CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)
SIOCETHTOOL, SIOCGIFFLAGS = 0x8946, 0x8913
OFFLOADS = (0x17, 0x1f, 0x24, 0x2c)             # tx checksum, tso, gso, gro: ETHTOOL_STXCSUM STSO SGSO SGRO
RTM_NEWLINK, NLM_F_REQUEST, NLM_F_ACK = 16, 1, 4
IFF_UP, IFF_RUNNING = 1, 0x40
RTMGRP_LINK = 1


def setns(fd):
    if LIBC.setns(fd, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


@contextlib.contextmanager
def inside(name):
    """This thread is in namespace 'name' meanwhile.  Its own files are below /proc/thread-self/net then."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        there = os.open("/run/netns/" + name, os.O_RDONLY)
        try:
            setns(there)
        finally:
            os.close(there)
        try:
            yield
        finally:
            setns(home)
    finally:
        os.close(home)


def no_offloads(names):
    """Frames stay what is on a wire: nothing merged, nothing left to a NIC.  A frame limit would not hold otherwise."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        for name in names:
            for command in OFFLOADS:
                value = array.array("B", struct.pack("II", command, 0))
                fcntl.ioctl(s, SIOCETHTOOL, struct.pack("16sP", name.encode(), value.buffer_info()[0]))


def has_carrier(name):
    """Up, with carrier."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            answer = fcntl.ioctl(s, SIOCGIFFLAGS, struct.pack("16sH22x", name.encode(), 0))
        except OSError:
            return False
    return bool(struct.unpack_from("H", answer, 16)[0] & IFF_RUNNING)


def sysctl(values):
    """{'net/ipv4/...': value} of the namespace we are in; what this kernel does not have is left out."""
    for key, value in values.items():
        with contextlib.suppress(FileNotFoundError):
            with open("/proc/sys/" + key, "w", encoding="ascii") as f:
                f.write(str(value))


class Links:
    """Raise and lower links of the namespace we are in, and hear of changes, without running programs."""

    def __init__(self):
        self.asking = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        self.asking.bind((0, 0))
        self.hearing = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        self.hearing.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.hearing.bind((0, RTMGRP_LINK))
        self.sequence, self.lock = 0, threading.Lock()

    def set(self, index, up):
        body = struct.pack("=BxHiII", 0, 0, index, IFF_UP if up else 0, IFF_UP)
        with self.lock:
            self.sequence += 1
            self.asking.send(struct.pack("=IHHII", 16 + len(body), RTM_NEWLINK, NLM_F_REQUEST | NLM_F_ACK, self.sequence, 0) + body)
            answer = self.asking.recv(4096)
        error = struct.unpack_from("=i", answer, 16)[0]
        if error:
            raise OSError(-error, "link %d: %s" % (index, os.strerror(-error)))

    def wait(self, seconds):
        """Until some link has changed, or the time is over."""
        if select.select([self.hearing], [], [], seconds)[0]:
            try:
                self.hearing.recv(1 << 16)
            except OSError:                     # ENOBUFS: more than one has changed
                pass
