# The page, the console and the suite's report in a browser, on fakes.
#   bash .ci/browser.sh
set -euo pipefail
export CHROMIUM=/usr/bin/chromium
tests=(src/box/page/{apps,bad-days,icons,many-apps,menu,states,updates,scheme/scheme,home-screen/home-screen}.browser.test.ts
  src/console/page/pictures.browser.test.ts conformance/report/html/html.browser.test.ts)
[ "$BOXGATE_PLAN" != nightly ] || tests+=(src/box/page/origins.browser.test.ts src/console/page/*.browser.test.ts)
status=0
timeout 1800 node --test --test-concurrency=1 --test-reporter=spec "${tests[@]}" || status=1
node src/cli/boxgate.cjs conformance box --strict --browser "$CHROMIUM" --only box/page \
  --exec 'node src/cli/boxgate.cjs box serve' || status=1
exit $status
