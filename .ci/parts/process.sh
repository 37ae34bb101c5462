# Waiting for processes that may not be children.

# process_gone PID SECONDS: waits until the process has ended or is a zombie.
process_gone() {
  local end=$((SECONDS + $2)) state
  while state=$(sed -E 's/.*\) (.).*/\1/' "/proc/$1/stat" 2>/dev/null) && [ "$state" != Z ]; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}
