# SPDX-License-Identifier: MIT
"""gap.py - how long was nothing heard of whom, while something was changed?

    with Gap(w) as g:               all sixteen peers; Gap(w, peers=(1, 2), rate=500) for fewer and finer
        w.run("nas", [...])
    g.report                        {"rate", "seconds", "sent", "lost", "worst_ms", "peers": {1: {"sent", "lost", "gap_ms"}}}

A thread sends echoes from each peer to the NAS at 'rate' a second and notes which were answered.  A peer's gap is the
longest time between two echoes (by when they were sent) that were both answered with none answered in between; an outage
that lasts to the end counts to the end, and one packet of loss is therefore two intervals.  Neighbour entries expire
meanwhile as they do in life.
"""
import select
import threading
import time

import netns
import reach

IDENTITY = 0x6A9
SETTLE_SECONDS = 0.3            # after the command, before the end: answers on their way
LEAD_SECONDS = 0.2              # before the command


class Gap:
    def __init__(self, world, peers=None, rate=100, target=None, ns="pc", dev="p%d"):
        """'dev' % n in 'ns' is where peer n sits."""
        self.rate, self.report = rate, None
        peers = list(peers if peers is not None else range(1, 17))
        if target is None:
            from world import NAS as target
        with netns.inside(ns):
            self.sockets = {n: reach.open_socket(dev % n, target) for n in peers}
        self.sent = {n: [] for n in peers}              # time of each echo, by sequence
        self.answered = {n: set() for n in peers}
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.began = time.monotonic()
        self.thread.start()
        time.sleep(LEAD_SECONDS)
        return self

    def __exit__(self, *_):
        time.sleep(SETTLE_SECONDS)
        self.over.set()
        self.thread.join()
        self.ended = time.monotonic()
        for s in self.sockets.values():
            s.close()
        self.report = self.result()

    def run(self):
        poll = select.poll()
        names = {}
        for n, s in self.sockets.items():
            poll.register(s, select.POLLIN)
            names[s.fileno()] = n
        order = list(self.sockets)
        due, at = time.monotonic(), 0
        step = 1.0 / self.rate / len(order)             # spread evenly, not in bursts of all peers
        while not self.over.is_set():
            now = time.monotonic()
            while due <= now:
                self.send(order[at], now)
                at, due = (at + 1) % len(order), due + step
                if now - due > 0.2:                     # we were not run ourselves: no burst to make up for it
                    due = now
            for fd, _ in poll.poll(max(1, int(1000 * (due - time.monotonic())))):
                self.receive(names[fd])

    def send(self, n, now):
        sequence = len(self.sent[n])
        self.sent[n].append(now)
        try:
            self.sockets[n].send(reach.echo(IDENTITY, sequence & 0xFFFF))
        except OSError:
            pass

    def receive(self, n):
        try:
            while True:
                sequence = reach.reply_of(self.sockets[n].recv(2048), IDENTITY)
                if sequence is not None:
                    self.answered[n].add(sequence)
        except OSError:
            pass

    def result(self):
        peers = {}
        for n, times in self.sent.items():
            # Echoes of the last moments may still be on their way.
            count = sum(1 for t in times if t < self.ended - SETTLE_SECONDS / 2)
            good = [times[i] for i in range(count) if i in self.answered[n]]
            edges = [times[0] if times else 0.0] + good + [times[count - 1] if count else 0.0]
            gap = max((b - a for a, b in zip(edges, edges[1:])), default=0.0)
            peers[n] = {"sent": count, "lost": count - len(good), "gap_ms": round(1000 * gap)}
        return {"rate": self.rate, "seconds": round(self.ended - self.began, 2), "sent": sum(p["sent"] for p in peers.values()),
                "lost": sum(p["lost"] for p in peers.values()), "worst_ms": max(p["gap_ms"] for p in peers.values()), "peers": peers}


def line(report):
    """One line for people."""
    gaps = sorted((p["gap_ms"], n) for n, p in report["peers"].items())
    return "worst gap %d ms (peer %d), best %d ms, lost %d of %d" % (*gaps[-1], gaps[0][0], report["lost"], report["sent"])
