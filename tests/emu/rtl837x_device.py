# SPDX-License-Identifier: MIT
"""rtl837x_device.py - the state of an emulated RTL837x switch: configuration, groups and their checks, session, counters.

Firmware V1.9 (Jan 03 2024).  Knows no HTTP and no HTML.  What the firmware gets wrong is kept: a group is deleted before
the list that replaces it is checked, and one failed login logs everybody out.
"""
import copy
import hashlib
import json

MODEL = "SKS3200M-4GPY2XF"
FIRMWARE, FIRMWARE_DATE, HARDWARE = "V1.9", "Jan 03 2024", "V1.0"
PORTS, COPPER = 6, 4                    # ports 1-4 are copper, 5 and 6 are SFP+
SPEEDS = (2500, 2500, 2500, 2500, 10000, 10000)
GROUPS, MIN_MEMBERS, MAX_MEMBERS = 2, 2, 4
JUMBO = (1522, 1536, 1552, 9216, 16383)
BACKUP_BYTES = 0xA42
# speed_duplex: text on the page, Mb/s, full duplex
SPEED_DUPLEX = {0: ("Auto", 0, True), 1: ("10 Half", 10, False), 2: ("10 Full", 10, True), 3: ("100 Half", 100, False),
                4: ("100 Full", 100, True), 5: ("1000Full", 1000, True), 6: ("2.5G Full", 2500, True),
                8: ("10G Full", 10000, True)}
COPPER_SPEEDS, FIBRE_SPEEDS = (0, 1, 2, 3, 4, 5, 6), (0, 4, 5, 6, 8)


def digest(user, password):
    return hashlib.md5((user + password).encode()).hexdigest()


def factory(address="192.168.10.12", user="admin", password="admin", frame=JUMBO[0]):
    return {"user": user, "login": digest(user, password), "address": address, "netmask": "255.255.255.0",
            "gateway": "192.168.10.1", "jumbo": JUMBO.index(frame), "groups": {},
            "ports": [{"enabled": True, "speed_duplex": 0, "flow": False, "vlans": [1], "limited": False} for _ in range(PORTS)],
            "mirror": None}


class Refused(Exception):
    """The text is what the web page shows."""


class Device:
    def __init__(self, backend, mac="02:00:5E:00:00:01", **settings):
        self.backend, self.mac = backend, mac
        self.settings = settings
        self.saved = factory(**settings)
        self.logged_in, self.language, self.cursor = False, "EN", 0
        self.boot()

    # ---- configuration ---------------------------------------------------------------------------------------------
    def boot(self):
        self.running = copy.deepcopy(self.saved)
        self.logged_in, self.cursor = False, 0
        self.cleared = {}
        self.apply()

    def apply(self):
        c = self.running
        self.backend.apply({"ports": [{"enabled": p["enabled"]} for p in c["ports"]],
                            "groups": {int(g): {"lacp": v["lacp"], "ports": list(v["ports"])} for g, v in c["groups"].items()},
                            "frame": JUMBO[c["jumbo"]]})

    def save(self):
        self.saved = copy.deepcopy(self.running)

    def unsaved(self):
        return self.running != self.saved

    def factory_reset(self):
        self.saved = factory(**self.settings)

    def backup(self):
        text = json.dumps(self.running, separators=(",", ":")).encode()
        return b"HRCF" + len(text).to_bytes(2, "big") + text.ljust(BACKUP_BYTES - 6, b"\xff")

    def restore(self, data):
        if data[:4] != b"HRCF" or len(data) != BACKUP_BYTES:
            raise Refused("Invalid configuration file")
        self.saved = json.loads(data[6:6 + int.from_bytes(data[4:6], "big")])

    # ---- session: one flag for everybody ---------------------------------------------------------------------------
    def login(self, response, language):
        self.language = "CN" if language == "CN" else "EN"
        self.logged_in = response == self.running["login"]

    def authorised(self, cookie):
        at = cookie.find("admin=", 0, 3 + len("admin=") - 1)
        return self.logged_in and at >= 0 and cookie[at + 6:].startswith(self.running["login"])

    # ---- groups ----------------------------------------------------------------------------------------------------
    def group_of(self, port):
        for g, group in sorted(self.running["groups"].items()):
            if port in group["ports"]:
                return int(g)
        return None

    def set_group(self, number, lacp, ports):
        if number not in range(1, GROUPS + 1):
            raise Refused("Wrong trunk ID")
        self.running["groups"].pop(str(number), None)           # before the checks: the firmware's bug
        try:
            self.check_members(lacp, ports)
            self.running["groups"][str(number)] = {"lacp": lacp, "ports": sorted(ports)}
        finally:
            self.apply()

    def check_members(self, lacp, ports):
        settings = [self.running["ports"][p - 1] for p in ports]
        if len(ports) < MIN_MEMBERS:
            raise Refused("2 trunk member ports at least")
        if len(ports) > MAX_MEMBERS:
            raise Refused("4 trunk member ports at most")
        if any(self.group_of(p) for p in ports):
            raise Refused("Port already used by another trunk")
        if any(s["vlans"] != settings[0]["vlans"] for s in settings):
            raise Refused("Joined VLAN of trunk member ports should be the same")
        if self.running["mirror"] in ports:
            raise Refused("Mirroring port cannot be a trunk member port")
        if any(s["limited"] for s in settings):
            raise Refused("Port with ingress/egress rate limiting cannot be a trunk member port")
        if not lacp:
            self.check_static(ports, settings)

    def check_static(self, ports, settings):
        if len({s["speed_duplex"] == 0 for s in settings}) > 1:
            raise Refused("Trunk member ports must all have the same negotiation mode")
        links = [self.backend.link(p) for p in ports]
        if len({SPEED_DUPLEX[s["speed_duplex"]][1] for s in settings}) > 1 or len({speed for up, speed in links if up}) > 1:
            raise Refused("Trunk member ports must all have the same speed")
        if not all(SPEED_DUPLEX[s["speed_duplex"]][2] for s in settings):
            raise Refused("Trunk member ports must all be full duplex")

    def remove_groups(self, numbers):
        for number in numbers:
            self.running["groups"].pop(str(number), None)
        self.apply()

    # ---- what the pages show ---------------------------------------------------------------------------------------
    def aggregated(self, number):
        group = self.running["groups"][str(number)]
        return sorted(self.backend.aggregated(number)) if group["lacp"] else group["ports"]

    def logical_ports(self):
        """(name, select value, physical ports) of each row: group members are hidden behind their group's row."""
        hidden = {p for group in self.running["groups"].values() for p in group["ports"]}
        rows = [("Port %d" % p, p - 1, [p]) for p in range(1, PORTS + 1) if p not in hidden]
        return rows + [("Trunk%s" % g, PORTS + int(g), group["ports"]) for g, group in sorted(self.running["groups"].items())]

    def shown_port(self, members):
        """The member whose state a row shows: the lowest with link, else the lowest."""
        return next((p for p in members if self.backend.link(p)[0]), members[0])

    def set_ports(self, values, enabled, speed_duplex, flow):
        rows = {value: members for _, value, members in self.logical_ports()}
        for port in (p for v in values for p in rows.get(v, ())):
            allowed = COPPER_SPEEDS if port <= COPPER else FIBRE_SPEEDS
            if speed_duplex in allowed:
                self.running["ports"][port - 1].update(enabled=enabled, speed_duplex=speed_duplex, flow=flow)
        self.apply()

    def counters(self, members):
        total = {"tx_good": 0, "tx_bad": 0, "rx_good": 0, "rx_bad": 0}
        for port in members:
            for key, value in self.backend.counters(port).items():
                total[key] += value - self.cleared.get(port, {}).get(key, 0)
        return {key: value & 0xFFFFFFFF for key, value in total.items()}

    def clear_counters(self):
        self.cleared = {p: dict(self.backend.counters(p)) for p in range(1, PORTS + 1)}

    def set_jumbo(self, index):
        if index not in range(len(JUMBO)):
            raise Refused("Jumbo frame size not supported")
        self.running["jumbo"] = index
        self.apply()
