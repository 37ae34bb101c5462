# Restic of two suites: the oldest that is supported, and a newer one.

# restic_fetch PACKAGES ROOT: the programs ROOT/SUITE/usr/bin/restic.
restic_fetch() {
  local suite
  for suite in bookworm trixie; do packages_unpack "$1" "$2/$suite" "restic/$suite"; done
}
