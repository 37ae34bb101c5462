/**
 * `node conformance/check-ids.ts` writes `spec/check-ids.golden`: the id and the level of every check of both APIs,
 * under the version of the suite. A test holds the suite against the file, so that nothing is added, renamed or
 * taken away unseen.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { boxChecks } from './checks/box/checks.ts';
import { gatewayChecks } from './checks/gateway/checks.ts';
import { levelOf } from './kernel/check.ts';
import { suiteVersion } from './run/suite.ts';

export const goldenFile = join(import.meta.dirname, '..', 'spec', 'check-ids.golden');

export function checkIds(): string {
  const lines = [...boxChecks, ...gatewayChecks].map((check) => `${levelOf(check).padEnd(6)} ${check.id}`);
  return [`suite  ${suiteVersion}`, ...lines.sort(byId), ''].join('\n');
}

const byId = (one: string, other: string) => (one.slice(7) < other.slice(7) ? -1 : 1);

if (import.meta.main) writeFileSync(goldenFile, checkIds());
