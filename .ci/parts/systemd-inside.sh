# The first process inside the namespaces that systemd.sh makes: arranges what systemd may see, then becomes it.
set -eu
name=$1
shift
units=/usr/lib/systemd/system
[ -d "$units" ] || units=/lib/systemd/system

mount -n -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/lock /run/inside/units /run/inside/etc /run/inside/etc-work /run/inside/var /run/inside/var-work \
  /run/inside/none /run/inside/dev
# The carried folders wait here while /tmp is covered.
count=0
for folder in "$@"; do
  count=$((count + 1))
  mkdir -p "/run/inside/carry-$count"
  mount -n --bind "$folder" "/run/inside/carry-$count"
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

mount -n -t overlay -o "lowerdir=/etc,upperdir=/run/inside/etc,workdir=/run/inside/etc-work" overlay /etc
mount -n -t overlay -o "lowerdir=/var,upperdir=/run/inside/var,workdir=/run/inside/var-work" overlay /var
mkdir -p /etc/systemd/system
for folder in /tmp /var/tmp /etc/systemd/system; do mount -n -t tmpfs -o mode=1777 tmpfs "$folder"; done
chmod 755 /etc/systemd/system

dev=/run/inside/dev
mount -n -t tmpfs -o mode=755 tmpfs $dev
mkdir $dev/pts $dev/shm
for node in null zero full random urandom tty; do
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

mount -n --bind /proc/sys /proc/sys
mount -n -o remount,ro,bind /proc/sys
mount -n -o remount,ro,bind /
umount -n -l /sys/fs/cgroup
mount -n -t cgroup2 cgroup2 /sys/fs/cgroup

count=0
for folder in "$@"; do
  count=$((count + 1))
  mkdir -p "$folder"
  mount -n --move "/run/inside/carry-$count" "$folder"
done

exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "container=$name" \
  /lib/systemd/systemd --system --unit=basic.target --log-target=journal-or-kmsg --show-status=no
