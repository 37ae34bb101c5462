# Restic of two suites: the oldest that is supported, and a newer one; and rclone, a server of repositories.

# restic_fetch PACKAGES ROOT: the programs ROOT/SUITE/usr/bin/restic and ROOT/rclone/usr/bin/rclone.
restic_fetch() {
  local suite
  for suite in bookworm trixie; do packages_unpack "$1" "$2/$suite" "restic/$suite"; done
  packages_unpack "$1" "$2/rclone" rclone/bookworm
}
