# SPDX-License-Identifier: MIT
"""faults.py - knobs that make an emulated switch misbehave at a chosen request.

A fault is a dictionary as it comes in over the control port:
    {"fault": NAME, "method": "POST", "path": "/trunk.cgi", "nth": 1, "count": 1, ...}
'method' and 'path' (a prefix of path?query) select requests, absent = any; the first 'nth' - 1 matching ones are let
alone, then 'count' of them (0 = all) are hit.  At most one fault hits a request: the oldest that is due.

    drop-answer    apply, then close without an answer
    close-before   close before anything is applied
    cut            answer with the first 'at' (0.5) of the body only
    slow           answer 's' (2) seconds late
    garbage        answer with bytes that are no HTTP
    error-page     200 with the device's error page ('text'); not applied
    foreign        200 with the page of some other device; not applied
    reboot-after   answer, then reboot
    logout-before  somebody else logs in with a wrong password just before this request
    silent         read the request, never answer ('s' seconds, default 600); not applied
    closed         apply, no answer, and refuse connections for 's' (5) seconds
    reset          apply, answer in full, then reset instead of closing
"""
NAMES = ("drop-answer", "close-before", "cut", "slow", "garbage", "error-page", "foreign", "reboot-after", "logout-before",
         "silent", "closed", "reset")
KEYS = {"fault", "method", "path", "nth", "count", "at", "s", "text"}


class Faults:
    def __init__(self):
        self.armed, self.hits = [], []

    def add(self, fault):
        if fault.get("fault") not in NAMES:
            raise ValueError("no such fault: %s (there are: %s)" % (fault.get("fault"), ", ".join(NAMES)))
        if unknown := set(fault) - KEYS:
            raise ValueError("unknown key: " + ", ".join(sorted(unknown)))
        self.armed.append({"nth": 1, "count": 1, **fault, "seen": 0})

    def clear(self):
        self.armed, self.hits = [], []

    def due(self, method, target):
        """The fault that hits this request, or None."""
        hit = None
        for fault in list(self.armed):
            if fault.get("method", method) != method or not target.startswith(fault.get("path", "")):
                continue
            fault["seen"] += 1
            late = fault["seen"] - fault["nth"]
            if hit is None and late >= 0 and (fault["count"] == 0 or late < fault["count"]):
                hit = fault
                self.hits.append("%s %s %s" % (fault["fault"], method, target))
            if fault["count"] and late + 1 >= fault["count"]:
                self.armed.remove(fault)
        return hit
