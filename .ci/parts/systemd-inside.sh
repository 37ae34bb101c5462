# The first process inside the namespaces that systemd.sh makes: arranges what systemd may see, then becomes it.
set -eu
name=$1
shift
units=/usr/lib/systemd/system
[ -d "$units" ] || units=/lib/systemd/system

mount -n -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/lock /run/inside/units /run/inside/none /run/inside/dev /run/inside/overlay
# Carried folders are kept here while other file systems are mounted over their paths.
place() {
  if [ -d "$1" ]; then mkdir -p "$2"; else mkdir -p "$(dirname "$2")" && : >>"$2"; fi
}
count=0
for carried in "$@"; do
  count=$((count + 1))
  place "${carried%%:*}" "/run/inside/carry-$count"
  mount -n --bind "${carried%%:*}" "/run/inside/carry-$count"
done

# Only what a service needs: the targets, the journal, the bus and the way down.
for unit in "$units"/*.target "$units"/systemd-journald.service "$units"/systemd-journald.socket \
  "$units"/systemd-journald-dev-log.socket "$units"/dbus.service "$units"/dbus.socket \
  "$units"/systemd-halt.service "$units"/systemd-poweroff.service "$units"/systemd-exit.service; do
  [ ! -e "$unit" ] || cp -a "$unit" /run/inside/units/
done
mkdir /run/inside/units/sockets.target.wants
for unit in systemd-journald.socket systemd-journald-dev-log.socket dbus.socket; do
  ln -s "../$unit" /run/inside/units/sockets.target.wants/
done
mount -n --bind /run/inside/units "$units"
for generators in /usr/lib/systemd/system-generators /lib/systemd/system-generators; do
  [ ! -d "$generators" ] || mount -n --bind /run/inside/none "$generators"
done

# Folders that an installation on this machine would change: changes go into /run.
for folder in etc var opt usr/local; do
  [ -d "/$folder" ] || continue
  upper=/run/inside/overlay/$folder/upper work=/run/inside/overlay/$folder/work
  mkdir -p "$upper" "$work"
  mount -n -t overlay -o "lowerdir=/$folder,upperdir=$upper,workdir=$work" overlay "/$folder"
done
mkdir -p /etc/systemd/system
for folder in /tmp /var/tmp /etc/systemd/system; do mount -n -t tmpfs -o mode=1777 tmpfs "$folder"; done
chmod 755 /etc/systemd/system

dev=/run/inside/dev
mount -n -t tmpfs -o mode=755 tmpfs $dev
mkdir $dev/pts $dev/shm $dev/net
for node in null zero full random urandom tty net/tun; do
  [ -e "/dev/$node" ] || continue
  : >"$dev/$node"
  mount -n --bind "/dev/$node" "$dev/$node"
done
ln -s /proc/self/fd $dev/fd
ln -s /proc/self/fd/0 $dev/stdin
ln -s /proc/self/fd/1 $dev/stdout
ln -s /proc/self/fd/2 $dev/stderr
mount -n -t devpts -o newinstance,ptmxmode=666,mode=620 devpts $dev/pts
ln -s pts/ptmx $dev/ptmx
mount -n -t tmpfs -o mode=1777 tmpfs $dev/shm
mount -n --rbind $dev /dev

# From here on the machine's files are read-only.
mount -n --bind /proc/sys /proc/sys
mount -n -o remount,ro,bind /proc/sys
mount -n -o remount,ro,bind /
umount -n -l /sys/fs/cgroup
mount -n -t cgroup2 cgroup2 /sys/fs/cgroup

count=0
for carried in "$@"; do
  count=$((count + 1))
  place "/run/inside/carry-$count" "${carried##*:}"
  mount -n --move "/run/inside/carry-$count" "${carried##*:}"
done

exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "container=$name" \
  /lib/systemd/systemd --system --unit=basic.target --log-target=journal-or-kmsg --show-status=no
