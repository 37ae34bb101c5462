# Namespaces for network, processes and mounts: runs are isolated from each other and from the machine. When the first
# process of a namespace ends, the kernel kills all others.

# A /sys that knows this network, with the control groups of the machine.
namespace_setup='
  mount -n -t tmpfs -o mode=755 tmpfs /run
  mkdir /run/cgroup
  mount -n --rbind /sys/fs/cgroup /run/cgroup
  mount -n -t sysfs sysfs /sys
  mount -n --move /run/cgroup /sys/fs/cgroup
  ip link set lo up
  exec "$@"'

# namespace_run INIT COMMAND…: runs the command there; INIT is a tini that reaps orphans.
namespace_run() {
  local init=$1
  shift
  unshare -m -n -p -f --mount-proc --kill-child --propagation private \
    setsid sh -euc "$namespace_setup" _ "$init" -g -- "$@"
}

# namespace_processes COMMAND…: isolates only processes and uses the machine's network.
namespace_processes() {
  # The shell is the first process there and reaps orphans. It needs a process group of that namespace: signals to
  # other groups are lost.
  unshare -m -p -f --mount-proc --kill-child --propagation private setsid bash -c '"$@"; exit $?' _ "$@"
}
