# Network, processes and mounts of one's own: two runs never meet, nothing reaches outside, and when the
# first process ends, however it ends, the kernel ends everything that was started below it.

# A /sys that knows this network, with the control groups of the machine.
namespace_setup='
  mount -n -t tmpfs -o mode=755 tmpfs /run
  mkdir /run/cgroup
  mount -n --rbind /sys/fs/cgroup /run/cgroup
  mount -n -t sysfs sysfs /sys
  mount -n --move /run/cgroup /sys/fs/cgroup
  ip link set lo up
  exec "$@"'

# namespace_run INIT COMMAND…: runs the command there; INIT is a tini that collects what it leaves.
namespace_run() {
  local init=$1
  shift
  unshare -m -n -p -f --mount-proc --kill-child --propagation private \
    setsid sh -euc "$namespace_setup" _ "$init" -g -- "$@"
}

# namespace_processes COMMAND…: the same for processes alone, with the machine's network.
namespace_processes() {
  # The shell is the first process there: it collects what others leave, and its end is the end of all. Its process
  # group has to be one of that namespace, or signals to a group go nowhere.
  unshare -m -p -f --mount-proc --kill-child --propagation private setsid bash -c '"$@"; exit $?' _ "$@"
}
