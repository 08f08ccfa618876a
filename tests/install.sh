#!/bin/bash
# SPDX-License-Identifier: MIT
# install.sh - the Debian packages that building and testing need.
#
# Installs what is missing when it is root on a system with apt; says what to type otherwise.  Exit status 1 when something
# that the build needs is missing afterwards; packages that only tests need are named and left to their tests.
set -u
BUILD="gcc libc6-dev cmake ninja-build pkg-config libnl-3-dev libnl-genl-3-dev libpcap-dev libcurl4-openssl-dev
       libcjson-dev libxml2-dev libmd-dev"
TESTS="libcmocka-dev python3 kmod iproute2 ethtool iputils-ping iperf3 tshark"
# A real kernel in user space; Debian has it for amd64 only.
[ "$(uname -m)" = x86_64 ] && TESTS="$TESTS user-mode-linux"

missing() {
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf ' %s' "$package"
    done
}

if ! command -v dpkg-query >/dev/null; then
    echo "install: not a Debian system; needed are:" $BUILD $TESTS >&2
    exit 0                              # the build says what it does not find
fi
want=$(missing $BUILD $TESTS)
[ -n "$want" ] || exit 0
if [ "$(id -u)" != 0 ]; then
    echo "install: missing:$want" >&2
    echo "install: as root: apt-get update && apt-get install --no-install-recommends$want" >&2
else
    echo "install:$want" >&2
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    apt-get -q update >"$log" 2>&1
    if ! apt-get -q install -y --no-install-recommends $want >>"$log" 2>&1; then
        # One package that cannot be had must not keep the others away.
        for package in $want; do
            apt-get -q install -y --no-install-recommends "$package" >>"$log" 2>&1 || echo "install: no $package" >&2
        done
    fi
    [ -z "$(missing $BUILD)" ] || tail -20 "$log" >&2
    rm -f "$log"
fi
want=$(missing $BUILD)
[ -z "$want" ] || { echo "install: cannot build without:$want" >&2; exit 1; }
