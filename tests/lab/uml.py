#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""uml.py - run one command as root inside a throw-away User-Mode Linux guest.

Why: the tests need the real bonding driver, network namespaces and root, on machines whose own kernel may have none of
them, and must leave nothing behind.  A guest boots in about two seconds, sees the host's files read-only, and is gone
when the command ends.

    uml.py [--mem M] [--timeout S] [--rw DIR]... [--env K=V]... [--kernel FILE] [--modules DIR] [--console FILE] -- CMD...

The guest's root is the host's file system (hostfs, read-only).  /tmp /run /var/tmp /mnt /dev/shm are empty tmpfs;
/etc /var /root /home /opt are throw-away overlays.  Only --rw directories (none by default) can be written through to
the host.  CMD starts in the caller's directory, with a plain environment plus --env, no terminal, an empty stdin, and
stdout and stderr kept apart and passed on as they come.

Exit status: CMD's own; 124 timeout; 125 the guest died (its kernel log follows on stderr); 77 no guest can run here.
Environment: UML (kernel), UML_MODULES (module tree), UML_ARGS (more kernel arguments) select another kernel.
"""
import argparse
import os
import platform
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

MODULES = ("bonding team team_mode_loadbalance team_mode_roundrobin team_mode_activebackup team_mode_broadcast veth "
           "dummy bridge 8021q macvlan tun ipv6 sch_ingress sch_netem sch_tbf cls_matchall act_mirred af_packet_diag")
OVERLAYS = ("etc", "var", "root", "home", "opt")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
HERE = os.path.dirname(os.path.realpath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(HERE))
HIDDEN = ("/tmp/", "/run/", "/mnt/", "/var/tmp/", "/dev/shm/")    # the guest has its own, empty at first
TIMEOUT, DIED, SKIP = 124, 125, 77
POLL_SECONDS = 0.02

# Starts the guest and holds the read end of a pipe of ours: its end, by our close or our death, ends the guest.  Some
# kernels make a session of their own, some stay in ours: both groups are killed, the watcher with the last.
WATCHER = """ctl=$1; shift
"$@" >"$ctl/console" 2>&1 &
echo $!
read -r end
rm -rf -- "$ctl"
kill -KILL "-$!"; kill -KILL "$!"; wait
kill -KILL 0"""


class Missing(Exception):
    """No guest can run on this machine; the text says what is missing."""


def find_kernel(kernel=None, modules=None):
    """The kernel's path and its module tree, or Missing."""
    name = kernel or os.environ.get("UML") or "linux.uml"
    tree = modules or os.environ.get("UML_MODULES") or "/usr/lib/uml/modules"
    if platform.machine() != "x86_64":
        raise Missing("User-Mode Linux needs amd64; this machine is " + platform.machine())
    path = shutil.which(name)
    if not path:
        raise Missing(name + " not found: apt-get install user-mode-linux")
    if not os.path.isdir(tree):
        raise Missing("no kernel modules in " + tree + ": apt-get install user-mode-linux")
    for tool, package in (("modprobe", "kmod"), ("ip", "iproute2"), ("mount", "mount")):
        if not shutil.which(tool, path=PATH):
            raise Missing(tool + " not found: apt-get install " + package)
    return path, os.path.realpath(tree)


def claim_cpu():
    """A CPU no other guest uses, if there is one, and the socket that says so while it is open.

    A guest's kernel and its processes hand over to each other at each system call; that is three times faster on one
    CPU.  The claim is an abstract socket: it needs no file and ends with its owner."""
    cpus = sorted(os.sched_getaffinity(0))
    for cpu in cpus:
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            claim.bind("\0lab-guest-cpu-%d" % cpu)
            return cpu, claim
        except OSError:
            claim.close()
    return cpus[os.getpid() % len(cpus)], None


def escape(path):
    return path.replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011")


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def prepare(ctl, command, rw, env, tree):
    """Fill the control directory for guest-init.sh."""
    made = "X-mount.mkdir"
    write(ctl + "/fstab1", "\n".join((
        "sysfs /sys sysfs defaults", "tmpfs /run tmpfs mode=755", "tmpfs /mnt tmpfs mode=755", "tmpfs /tmp tmpfs mode=1777",
        "hostfs /run/lab hostfs %s,%s" % (made, escape(ctl)), "hostfs /mnt/lib/modules hostfs %s,%s" % (made, escape(tree)),
        "devpts /dev/pts devpts %s,ptmxmode=666" % made, "tmpfs /dev/shm tmpfs %s,mode=1777" % made)) + "\n")
    table = []
    os.mkdir(ctl + "/overlay")
    for name in OVERLAYS:
        if os.path.isdir("/" + name):
            os.makedirs("%s/overlay/%s/upper" % (ctl, name))
            os.makedirs("%s/overlay/%s/work" % (ctl, name))
            table.append("overlay /{0} overlay lowerdir=/{0},upperdir=/mnt/overlay/{0}/upper,workdir=/mnt/overlay/{0}/work"
                         .format(name))
    table.append("tmpfs /var/tmp tmpfs mode=1777")
    # Last, so that a shared directory below /tmp or /home is on top.  This checkout and the caller's directory are there
    # to read, even below the empty /tmp.
    cwd = os.getcwd()
    shares = {directory: "" for directory in rw}
    for directory in (CHECKOUT, cwd):
        if directory.startswith(HIDDEN):
            shares.setdefault(directory, "ro,")
    for directory, mode in sorted(shares.items()):      # an outer one before an inner one
        table.append("hostfs {0} hostfs {1},{2}{0}".format(escape(directory), made, mode))
    write(ctl + "/fstab2", "\n".join(table) + "\n")
    write(ctl + "/modules", MODULES + "\n")
    pairs = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8", "LOGNAME": "root", "USER": "root"}
    pairs.update(env)
    write(ctl + "/run", "cd %s || exit 126\nexec env -i %s %s\n" % (
        shlex.quote(cwd), " ".join(shlex.quote("%s=%s" % p) for p in pairs.items()),
        " ".join(map(shlex.quote, command))))
    for name in ("out", "err", "console"):
        write(ctl + "/" + name, "")


class Follow:
    """Pass on what a file grows by."""

    def __init__(self, path, sink):
        self.fd, self.sink = os.open(path, os.O_RDONLY), sink

    def pump(self):
        while data := os.read(self.fd, 1 << 16):
            self.sink.write(data)
            self.sink.flush()

    def close(self):
        os.close(self.fd)


class Guest:
    """A booting or running guest, below a watcher that outlives us by as long as it takes to clear up."""

    def __init__(self, kernel, mem, ctl, more):
        argv = [kernel, "mem=" + mem, "umid=lab%d" % os.getpid(), "uml_dir=%s/" % ctl, "rootfstype=hostfs", "rootflags=/",
                "root=none", "ro", "init=%s/init" % ctl, "LABCTL=" + ctl, "con=null", "ssl=null", "con0=null,fd:1", "quiet",
                "loglevel=5", "panic=-1", "noreboot"] + more
        cpu, self.claim = claim_cpu()
        mine = os.sched_getaffinity(0)
        try:
            os.sched_setaffinity(0, {cpu})
            self.watcher = subprocess.Popen(["/bin/sh", "-c", WATCHER, "lab-watcher", ctl] + argv, start_new_session=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        finally:
            os.sched_setaffinity(0, mine)
        pid = int(self.watcher.stdout.readline())
        try:
            self.life = os.pidfd_open(pid)
        except ProcessLookupError:
            self.life = None

    def ended(self):
        return self.life is None or bool(select.select([self.life], [], [], 0)[0])

    def stop(self):
        self.watcher.stdin.close()
        self.watcher.wait()
        self.watcher.stdout.close()
        if self.life is not None:
            os.close(self.life)
        if self.claim:
            self.claim.close()


def run(command, mem="512M", timeout=120.0, rw=(), env=None, kernel=None, modules=None, console=None,
        stdout=None, stderr=None):
    """Run 'command' (a list) in a guest; its exit status, or 124, 125.  Missing when no guest can run here.

    'stdout' and 'stderr' are binary streams (default: ours); 'console' names a file to keep the kernel's log in."""
    kernel, tree = find_kernel(kernel, modules)
    stdout, stderr = stdout or sys.stdout.buffer, stderr or sys.stderr.buffer
    rw = [os.path.realpath(d, strict=True) for d in rw]
    mem = str(mem) + ("M" if str(mem).isdigit() else "")
    ctl = tempfile.mkdtemp(prefix="lab-guest.")
    guest, follows = None, []
    try:
        prepare(ctl, command, rw, env or {}, tree)
        shutil.copy(HERE + "/guest-init.sh", ctl + "/init")
        os.chmod(ctl + "/init", 0o755)
        follows = [Follow(ctl + "/out", stdout), Follow(ctl + "/err", stderr)]
        deadline = time.monotonic() + timeout if timeout else float("inf")
        guest = Guest(kernel, mem, ctl, shlex.split(os.environ.get("UML_ARGS", "")))
        while True:
            over = os.path.exists(ctl + "/status") or guest.ended()
            for f in follows:
                f.pump()
            if over:
                break
            if time.monotonic() > deadline:
                stderr.write(b"uml: killed after %g s\n" % timeout)
                return TIMEOUT
            time.sleep(POLL_SECONDS)
        try:
            with open(ctl + "/status", encoding="ascii") as f:
                return int(f.read())
        except FileNotFoundError:
            with open(ctl + "/console", "rb") as f:
                log = f.read()[-4000:]
            when = "" if os.path.exists(ctl + "/up") else " before the command started"
            stderr.write(b"uml: the guest died%s; its kernel log:\n%s" % (when.encode(), log))
            return DIED
    finally:
        for f in follows:
            f.close()
        if console and os.path.exists(ctl + "/console"):
            shutil.copyfile(ctl + "/console", console)
        if guest:
            guest.stop()
        shutil.rmtree(ctl, ignore_errors=True)


def main():
    usage = argparse.ArgumentParser(description="Run one command as root in a throw-away User-Mode Linux guest.")
    usage.add_argument("--mem", default="512M", help="guest memory (default 512M)")
    usage.add_argument("--timeout", type=float, default=120, metavar="S", help="seconds (default 120; 0 = no limit)")
    usage.add_argument("--rw", action="append", default=[], metavar="DIR", help="directory shared read-write; repeatable")
    usage.add_argument("--env", action="append", default=[], metavar="K=V", help="environment of CMD; repeatable")
    usage.add_argument("--kernel", metavar="FILE", help="default: $UML, else linux.uml")
    usage.add_argument("--modules", metavar="DIR", help="default: $UML_MODULES, else /usr/lib/uml/modules")
    usage.add_argument("--console", metavar="FILE", help="keep the kernel's log here")
    usage.add_argument("command", nargs="+", metavar="CMD")
    a = usage.parse_args()
    if bad := [e for e in a.env if "=" not in e]:
        usage.error("--env wants K=V, not " + bad[0])
    if bad := [d for d in a.rw if not os.path.isdir(d)]:
        usage.error("--rw: no such directory: " + bad[0])

    def leave(number, _frame):
        raise SystemExit(128 + number)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    try:
        return run(a.command, a.mem, a.timeout, a.rw, dict(e.split("=", 1) for e in a.env), a.kernel, a.modules, a.console)
    except Missing as e:
        print("uml: " + str(e), file=sys.stderr)
        return SKIP
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 128 + signal.SIGPIPE


if __name__ == "__main__":
    sys.exit(main())
