# Control groups of the parts. They are named after the part's folder, so that runs do not share them.

# cgroups_name DIR
cgroups_name() {
  local name=${1//\//-}
  echo "${name#-}"
}

# cgroups_remove PATTERN: removes matching groups of every hierarchy after their last process has ended.
cgroups_remove() {
  local end=$((SECONDS + 5))
  while [ -n "$(cgroups_found "$1")" ]; do
    cgroups_found "$1" | xargs -d '\n' rmdir 2>/dev/null && continue
    [ $SECONDS -lt $end ] || return 0
    sleep 0.1
  done
}

cgroups_found() {
  find /sys/fs/cgroup -depth -type d \( -name "$1" -o -path "*/$1/*" \) 2>/dev/null
}
