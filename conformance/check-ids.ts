/**
 * `node conformance/check-ids.ts` writes the id and the level of every check of the public suite to `spec/check-ids.golden`, and the
 * requirements and checks as data to `spec/checks.json`. A test compares both files with the suite, so that no check is
 * added, renamed or removed unnoticed. `record-requests.ts` adds the requests of new checks.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { levelOf } from './kernel/check.ts';
import { checksFile, printChecks, publishedChecks, readRecorded } from './published-checks.ts';
import { suiteVersion } from './run/suite.ts';

export const goldenFile = join(import.meta.dirname, '..', 'spec', 'check-ids.golden');

export function checkIds(): string {
  const lines = [...boxApi.checks, ...gatewayApi.checks].map((check) => `${levelOf(check).padEnd(6)} ${check.id}`);
  return [`suite  ${suiteVersion}`, ...lines.sort(byId), ''].join('\n');
}

const byId = (one: string, other: string) => (one.slice(7) < other.slice(7) ? -1 : 1);

if (import.meta.main) {
  writeFileSync(goldenFile, checkIds());
  writeFileSync(checksFile, printChecks(publishedChecks(readRecorded())));
}
