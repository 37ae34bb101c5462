# Programs for the real parts: packages of this machine's Debian, and newer ones that are only unpacked.

# Installs what the parts need from the machine's own suite; none of it starts a daemon.
packages_install() {
  local wanted=(chromium fonts-dejavu-core iptables iproute2 systemd dbus ca-certificates git curl
    nftables wireguard-tools wireguard-go)
  local missing=() package
  for package in "${wanted[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
  [ ${#missing[@]} -eq 0 ] && return
  apt-get update -qq
  # Waits if another installation holds dpkg's lock.
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=300 "${missing[@]}" >/dev/null
}

# packages_prepare DIR: downloads the package lists of three suites into DIR, apart from the machine's own lists.
packages_prepare() {
  local dir=$1 mirror suite
  mkdir -p "$dir/none" "$dir/lists/partial" "$dir/cache/archives/partial"
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -m1 '/debian$' || true)
  for suite in bookworm trixie forky; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} $suite main"
  done >"$dir/sources.list"
  cat >"$dir/apt.conf" <<CONF
Dir::Etc::sourcelist "$dir/sources.list";
Dir::Etc::sourceparts "$dir/none";
Dir::State "$dir";
Dir::State::lists "$dir/lists";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$dir/cache";
APT::Sandbox::User "root";
APT::Default-Release "bookworm";
Debug::NoLocking "true";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
  APT_CONFIG=$dir/apt.conf apt-get update -qq
}

# packages_unpack DIR ROOT PACKAGE/SUITE…: unpacks the packages below ROOT, without installing or running them.
packages_unpack() {
  local dir=$1 root=$2 archive
  shift 2
  mkdir -p "$root" "$root.debs"
  (cd "$root.debs" && APT_CONFIG=$dir/apt.conf apt-get download -qq "$@")
  for archive in "$root.debs"/*.deb; do dpkg-deb -x "$archive" "$root"; done
  rm -rf "$root.debs"
}

# packages_unpack_lacking DIR ROOT PACKAGE…: the packages of the oldest suite, and those of their dependencies that this
# machine lacks.
packages_unpack_lacking() {
  local dir=$1 root=$2
  shift 2
  mkdir -p "$root" "$root.debs/partial"
  (cd "$root.debs" && APT_CONFIG=$dir/apt.conf apt-get download -qq "${@/%//bookworm}")
  APT_CONFIG=$dir/apt.conf apt-get install -qq -y -d --no-install-recommends -o Dir::Cache::archives="$root.debs" \
    "${@/%//bookworm}" >/dev/null
  for archive in "$root.debs"/*.deb; do dpkg-deb -x "$archive" "$root"; done
  rm -rf "$root.debs"
}
