#!/usr/bin/env bash
# A machine of its own for systemd: namespaces, an empty network, and a layer over the file system that vanishes with it.
# Usage: systemd-machine.sh FOLDER; runs until it is killed. The process with systemd as its first is its grandchild.
set -euo pipefail

folder=$1
project=$PWD

if [ "${2:-}" = groups ]; then
  # A control group of its own, which is the topmost that systemd sees.
  mount --make-rprivate /
  mount -t cgroup2 none "$folder/groups"
  mkdir -p "$folder/groups/$(basename "$folder")"
  echo $$ >"$folder/groups/$(basename "$folder")/cgroup.procs"
  exec unshare --cgroup --mount --pid --net --uts --ipc --fork --kill-child bash "$0" "$folder" inside
fi

if [ "${2:-}" != inside ]; then
  mkdir "$folder/groups" "$folder/layer"
  exec unshare --mount bash "$0" "$folder" groups
fi

mount --make-rprivate /
mount -t tmpfs none "$folder/layer"
mkdir "$folder/layer/"{above,work,root}
root=$folder/layer/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/layer/above,workdir=$folder/layer/work" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 none "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
mount -t tmpfs none "$root/run"
mount -t tmpfs none "$root/tmp"

# Installed as a package would be.
installed=$root/usr/local/lib/food-lookup
mkdir -p "$installed/"{bin,dist,data,deploy,node_modules}
for part in bin dist data deploy node_modules; do mount --bind "$project/$part" "$installed/$part"; done
cp package.json "$installed"
cp test/files/workbooks/my-foods.xlsx "$installed/foods.xlsx"
printf '#!/bin/sh\nexec node /usr/local/lib/food-lookup/dist/service/cli/main.js "$@"\n' >"$root/usr/local/bin/food-lookup"
chmod 755 "$root/usr/local/bin/food-lookup"

# The Node.js of the tests, where systemd searches for it.
rm -f "$root/usr/local/bin/node" && touch "$root/usr/local/bin/node"
mount --bind "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"

# Nothing of this machine's own is started, and nothing of it mounted.
find "$root/etc/systemd/system" -mindepth 1 -delete
rm -rf "$root"/usr/lib/systemd/system/*.wants "$root/usr/lib/systemd/system-generators" "$root/etc/fstab"

ip link set lo up
cd "$root"
mkdir -p old
pivot_root . old
umount -l old
export container=other
exec /lib/systemd/systemd --system --unit=basic.target --log-target=null --show-status=no </dev/null
