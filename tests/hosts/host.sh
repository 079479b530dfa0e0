#!/bin/sh
# What a host, or the switch with its front end, runs as its process 1, in namespaces of its own: it sets up what only
# the inside can, says that it is ready, and lives until it is killed.
# usage: host.sh FOLDER NAME ADDRESS
set -eu
folder=$1 name=$2 address=$3
hostname "$name"
mount -t sysfs sysfs /sys # /sys/class/net is that of the network namespace that mounts it
ip link set lo up
if [ "$name" = front ]; then
  ip link add br0 type bridge
  ip addr add "$address" dev br0
  ip link set br0 up
else
  mount -t tmpfs -o mode=1777 tmpfs /dev/shm
  mount --bind "$folder/etc-hosts" /etc/hosts
  # UCX tells machines apart by it.
  cat /proc/sys/kernel/random/uuid >"$folder/$name.boot_id"
  mount --bind "$folder/$name.boot_id" /proc/sys/kernel/random/boot_id
fi
: >"$folder/$name.ready"
exec sleep infinity
