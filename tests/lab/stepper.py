# SPDX-License-Identifier: MIT
"""stepper.py - run a program and hold it at an exact moment, between two of its system calls.

A guest has one CPU: whoever polls sees nothing of a change that takes 5 ms.  So the program is traced.

    s = Stepper(["ip", "netns", "exec", "nas", "linkctl", ...])
    if s.until(lambda: something holds):        # False: it ended before
        s.kill()                                # or s.go(signal)
    print(s.finish(), s.text)
"""
import ctypes
import os
import signal
import subprocess
import tempfile

TRACEME, CONT, DETACH, SYSCALL = 0, 7, 17, 24
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


class Stepper:
    def __init__(self, command, env=None):
        self.out = tempfile.TemporaryFile()
        self.status, self.text = None, ""
        self.process = subprocess.Popen(command, env=env, stdout=self.out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                        preexec_fn=lambda: LIBC.ptrace(TRACEME, 0, None, None))
        self.pid = self.process.pid
        self.pending = 0
        self.wait()

    def wait(self):
        """Until it stops or ends; True when it stopped."""
        _, status = os.waitpid(self.pid, 0)
        if not os.WIFSTOPPED(status):
            self.status = os.waitstatus_to_exitcode(status)
            return False
        number = os.WSTOPSIG(status)
        self.pending = 0 if number == signal.SIGTRAP else number
        return True

    def until(self, moment):
        while True:
            LIBC.ptrace(SYSCALL, self.pid, None, self.pending or None)
            if not self.wait():
                return False
            if moment():
                return True

    def go(self, number=0):
        """Let it run on, untraced, with a signal."""
        if number:
            os.kill(self.pid, number)
        LIBC.ptrace(DETACH, self.pid, None, None)

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)

    def children(self):
        found = []
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open("/proc/%s/stat" % name, encoding="ascii") as f:
                        if int(f.read().rpartition(")")[2].split()[1]) == self.pid:
                            found.append(int(name))
                except (OSError, ValueError):
                    pass
        return found

    def finish(self):
        """Its exit status; negative: the signal that ended it."""
        while self.status is None:
            self.wait()
        self.process.returncode = self.status
        self.out.seek(0)
        self.text = self.out.read().decode()
        self.out.close()
        return self.status
