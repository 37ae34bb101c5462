# Every test on real parts, with the engine of the suite that most boxes have.
#   bash .ci/real/all.sh SCRATCH SUITE
# shellcheck source=/dev/null
. .ci/real/start.sh
start "$1" "$2"
finish() {
  systemd_stop "$BOXGATE_REAL/self-update/systemd"
  systemd_stop "$BOXGATE_REAL/systemd"
  engine_stop "$BOXGATE_ENGINE"
  registry_stop "$BOXGATE_REAL/registry"
  cp "$BOXGATE_ENGINE/log" "$BOXGATE_ARTEFACTS/engine-$BOXGATE_SUITE.log"
}
trap finish EXIT
status=0
BOXGATE_DOCKER=real real_tests fakes/docker/contract*.test.ts || status=1
real_tests .ci/real/{install,verified,settings,update,remove,bad-days,app-state,disks,full-disks,counts,sample-apps,deploy,kill,soak,page,page-states,tunnel-publish}.test.ts || status=1
real_tests {src/box/page,conformance/report}/*browser*.test.ts || status=1

systemd_start "$BOXGATE_REAL/systemd" "$1" "$PWD" "$BOXGATE_ENGINE/docker.sock:/run/docker.sock"
inside() {
  systemd_enter "$BOXGATE_REAL/systemd" env -C "$PWD" "$@"
}
mkdir -p "$BOXGATE_REAL/units"
inside BOXGATE_SYSTEMD=real BOXGATE_SYSTEMD_SCRATCH="$BOXGATE_REAL/units" \
  node --test --test-reporter=spec fakes/systemd/contract.test.ts || status=1
inside node --test --test-reporter=spec .ci/real/systemd.test.ts || status=1
inside node --test --test-reporter=spec .ci/real/install-release.test.ts || status=1
inside node --test --test-reporter=spec .ci/real/gateway-systemd.test.ts || status=1
inside node --test --test-reporter=spec .ci/real/gateway-update.test.ts || status=1
if [ -e /dev/net/tun ]; then
  inside node --test --test-reporter=spec .ci/real/tunnel-isolation.test.ts || status=1
  inside node --test --test-reporter=spec .ci/real/tunnel-recovery.test.ts || status=1
else
  echo 'tests of the tunnel skipped: without /dev/net/tun there is no WireGuard in userspace'
fi
inside node --test --test-reporter=spec .ci/real/conformance-box.test.ts || status=1

# Updates of the software itself, on a machine that is used from outside: it is switched off and on again.
systemd_stop "$BOXGATE_REAL/systemd"
bash .ci/real/self-update-releases.sh "$BOXGATE_REAL/self-update" || status=1
for name in self-update{,-feed,-archive,-start,-kill,-power,-disk,-page,-removal}; do
  started=$SECONDS
  real_tests ".ci/real/$name.test.ts" || status=1
  echo "$name: $((SECONDS - started)) s"
done
awk '{ tried += $1 } END { print "self-update: tried " tried " failures" }' "$BOXGATE_REAL/self-update/tried" || status=1
exit $status
