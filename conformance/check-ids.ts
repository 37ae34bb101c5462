/**
 * `node conformance/check-ids.ts` writes the requirements and checks of the public suite to `spec/checks.json`. A test
 * compares it with the suite, so that no check is added, renamed or removed unnoticed. `record-requests.ts` adds the
 * requests of new checks. `--set 1.0` freezes the ids and levels as the checks that count in this version.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { levelOf } from './kernel/check.ts';
import { checksFile, printChecks, publishedChecks, readRecorded } from './published-checks.ts';
import { printSet, setsFolder } from './requirement-set.ts';

writeFileSync(checksFile, printChecks(publishedChecks(readRecorded())));
const [flag, version] = process.argv.slice(2);
if (flag === '--set' && version !== undefined) {
  const checks = [...boxApi.checks, ...gatewayApi.checks];
  mkdirSync(setsFolder, { recursive: true });
  writeFileSync(join(setsFolder, `${version}.json`), printSet(checks.map((one) => [one.id, levelOf(one)])));
}
