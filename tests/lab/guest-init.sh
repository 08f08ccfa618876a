#!/bin/sh
# SPDX-License-Identifier: MIT
# guest-init.sh - process 1 of a test guest; started by uml.py.
#
# $LABCTL (from the kernel command line) is the control directory on the host: it holds the mount tables, the list
# of modules and the command, and takes the output and the exit status.  A fork and exec costs 10-20 ms in a guest,
# so everything goes into as few programs as possible.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -a -T "$LABCTL/fstab1"
C=/run/lab
mkdir -p /run/lock /run/netns
cp -r $C/overlay /mnt/overlay
read -r modules <$C/modules
modprobe -d /mnt -q -a overlay $modules
# The kernel's own wish for modules ("ip link add type x") goes to the same tree.
printf '#!/bin/sh\nexec /sbin/modprobe -d /mnt "$@"\n' >/run/modprobe
chmod 755 /run/modprobe
echo /run/modprobe >/proc/sys/kernel/modprobe
echo guest >/proc/sys/kernel/hostname
mount -a -T $C/fstab2 2>>$C/err
ip link set lo up
: >$C/up
sh $C/run </dev/null >>$C/out 2>>$C/err
echo $? >$C/status.new
mv $C/status.new $C/status
sync
echo o >/proc/sysrq-trigger
sleep 5
