#!/bin/sh
# SPDX-License-Identifier: MIT
# nas-to-lacp.sh - the whole job from a script: find the fault, set both ends right, go to MTU 9000 with proof.
#   SWITCHCTL_PASSWORD=... ./nas-to-lacp.sh bond0 http://192.168.10.12 PEER
set -eu
bond=$1 switch=$2 peer=$3

linkctl doctor "$bond" --switch "$switch" || echo "faults found (status $?), going on to mend them"
switchctl -y -s "$switch" align --bond "$bond" --mode lacp
switchctl -y -s "$switch" jumbo set --mtu 9000
linkctl mtu set "$bond" 9000 --stack
linkctl mtu probe "$peer"
switchctl -y -s "$switch" save
