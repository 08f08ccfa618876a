# SPDX-License-Identifier: MIT
"""bonding.py - what the kernel says about a bond of the namespace we are in (/proc/net/bonding)."""


def read(name):
    """{'mode', 'aggregator', 'ports', 'partner_mac', 'members': {dev: {'mii', 'aggregator', 'actor', 'partner'}}}.

    Numbers of the port states as they are on the wire; None for what a mode does not have."""
    with open("/proc/thread-self/net/bonding/" + name, encoding="ascii") as f:
        return parse(f.read())


def parse(text):
    bond = {"mode": None, "aggregator": None, "ports": None, "partner_mac": None, "members": {}}
    member, part = None, None
    for line in text.splitlines():
        key, _, value = line.strip().partition(": ")
        if key == "Slave Interface":
            member = {"mii": None, "aggregator": None, "actor": None, "partner": None}
            bond["members"][value] = member
        elif key == "Bonding Mode":
            bond["mode"] = value
        elif key == "Aggregator ID":
            (member or bond)["aggregator"] = int(value) if value.isdigit() else None     # "N/A" at first
        elif key == "Number of ports":
            bond["ports"] = int(value)
        elif key == "Partner Mac Address":
            bond["partner_mac"] = value
        elif key == "MII Status" and member:
            member["mii"] = value
        elif line.strip().startswith("details "):
            part = line.split()[1]              # actor, partner
        elif key == "port state" and member and part in member:
            member[part] = int(value)
    return bond


def bundled(bond):
    """The members that LACP bundles: both ends collect and distribute, in the active aggregator, with a partner."""
    if bond["partner_mac"] in (None, "00:00:00:00:00:00"):
        return []
    return [dev for dev, m in bond["members"].items()
            if m["mii"] == "up" and m["aggregator"] == bond["aggregator"] and (m["actor"] or 0) & 0x30 == 0x30]
