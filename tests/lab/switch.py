#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""switch.py - the emulated switch with real wires: run it in the namespace 'switch' (world.py does).

Takes the options of tests/emu/rtl837x_cgi.py; the outer ends o1..o6 of the ports with a cable must be there, and down.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "emu")]

import dataplane                                                                        # noqa: E402
import rtl837x_cgi                                                                      # noqa: E402
import rtl837x_device as dev                                                            # noqa: E402


def main():
    usage = argparse.ArgumentParser(description="An emulated switch with kernel devices behind it.")
    rtl837x_cgi.arguments(usage)
    usage.add_argument("--mac", required=True)
    usage.add_argument("--frame", type=int, default=dev.JUMBO[0])
    options = usage.parse_args()
    plane = dataplane.Dataplane(dev.SPEEDS, options.address + "/24", options.mac, options.frame)
    emulator = rtl837x_cgi.Emulator((options.address, options.port), plane, address=options.address, mac=options.mac.upper(),
                                    frame=options.frame)
    rtl837x_cgi.serve(emulator, options)


if __name__ == "__main__":
    main()
