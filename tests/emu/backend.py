# SPDX-License-Identifier: MIT
"""backend.py - what lies behind an emulated switch's pages: ports, links, counters, addresses.

An emulator knows pages, sessions and configuration; it asks a Backend for everything that a wire would tell it and hands
it every change of the running configuration.  Memory is the one for tests without a wire; the lab has another that
drives kernel devices.  Ports are counted from 1.
"""


class Backend:
    """All methods may be called from any one thread at a time (the emulator holds its lock)."""

    def link(self, port):
        """(up, speed in Mb/s) of a physical port."""
        raise NotImplementedError

    def counters(self, port):
        """Ever growing {'tx_good', 'tx_bad', 'rx_good', 'rx_bad'} of a physical port."""
        raise NotImplementedError

    def mac_table(self):
        """List of (mac, vlan, 'dynamic'|'static', port): port is a number or 'Trunk<n>'."""
        raise NotImplementedError

    def clear_macs(self):
        """Forget the dynamic addresses."""
        raise NotImplementedError

    def aggregated(self, group):
        """The ports that LACP bundles in an LACP group just now (fewer than 2: none)."""
        raise NotImplementedError

    def apply(self, config):
        """Make 'config' real; returns when done.

        {'ports': [{'enabled'}, ...], 'groups': {id: {'lacp', 'ports'}}, 'frame': bytes}"""

    def power(self, on):
        """The device goes down for a reboot, or comes back."""

    def control(self, request):
        """A test's own wish, from the control port.  Returns what JSON can say."""
        raise ValueError("this backend takes no orders")


class Memory(Backend):
    """A switch without wires; tests say what it sees."""

    def __init__(self, speeds, up=(1, 2, 5)):
        self.speeds = dict(enumerate(speeds, 1))
        self.up = set(up)
        self.partners = set(up)         # ports whose neighbour speaks LACP
        self.macs = [("02:00:5E:00:10:%02X" % n, 1, "dynamic", n) for n in sorted(self.up)]
        self.count = {port: {"tx_good": 0, "tx_bad": 0, "rx_good": 0, "rx_bad": 0} for port in self.speeds}
        self.config, self.powered = None, True

    def link(self, port):
        up = self.powered and port in self.up and (not self.config or self.config["ports"][port - 1]["enabled"])
        return up, self.speeds[port]

    def counters(self, port):
        return self.count[port]

    def mac_table(self):
        trunk = {p: "Trunk%d" % g for g, group in self.config["groups"].items() for p in group["ports"]}
        return [(mac, vlan, kind, trunk.get(port, port)) for mac, vlan, kind, port in self.macs]

    def clear_macs(self):
        self.macs = [m for m in self.macs if m[2] != "dynamic"]

    def aggregated(self, group):
        ports = [p for p in self.config["groups"][group]["ports"] if p in self.partners and self.link(p)[0]]
        return ports if len(ports) > 1 else []

    def apply(self, config):
        self.config = config

    def power(self, on):
        self.powered = on

    def control(self, request):
        """Keys: 'up', 'partners' (lists of ports), 'macs' (list of [mac, vlan, type, port]), 'counters' {port: {...}}."""
        for key in ("up", "partners"):
            if key in request:
                setattr(self, key, set(request[key]))
        if "macs" in request:
            self.macs = [tuple(m) for m in request["macs"]]
        for port, values in request.get("counters", {}).items():
            self.count[int(port)].update(values)
        return {"up": sorted(self.up), "partners": sorted(self.partners), "macs": self.macs}
