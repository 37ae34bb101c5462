/**
 * `node conformance/check-ids.ts` writes the id and the level of every check to `spec/check-ids.golden`. A test
 * compares the suite with the file, so that no check is added, renamed or removed unnoticed.
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
