/**
 * `node conformance/results.ts` makes the table in `results/README.md` from the reports in `results/SUITE-VERSION/NAME/`.
 * `--add NAME REPORT` first stores the ids and outcomes of a JSON report there.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidOption } from './invalid-option.ts';
import type { Report } from './report/report.ts';
import { hasPassed, isBroken, type Outcome } from './run/result.ts';

const folder = join(import.meta.dirname, 'results');
export const tableFile = join(folder, 'README.md');

/** The part of a report that is published. */
type StoredResult = Pick<
  Report,
  'suite' | 'suite_version' | 'specification' | 'set' | 'without' | 'seed' | 'verdict'
> & {
  checks: Record<string, Outcome>;
};

function add(name: string, file: string): void {
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  const { suite, suite_version, specification, set, without, seed, verdict, complete } = report;
  if (!complete) throw new InvalidOption(`${file}: the run did not have all checks`);
  const checks = Object.fromEntries(report.checks.map(({ id, outcome }) => [id, outcome]));
  const stored: StoredResult = { suite, suite_version, specification, set, without, seed, verdict, checks };
  const place = join(folder, suite_version, name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'report.json'), `${JSON.stringify(stored, null, 2)}\n`);
}

/** The table of all stored results, the newest version of the suite first. */
export function resultsTable(): string {
  const rows = foldersIn(folder)
    .toReversed()
    .flatMap((version) => foldersIn(join(folder, version)).map((name) => row(version, name)));
  return `# Results

What implementations got from the suite. [How to add yours](../IMPLEMENTERS.md#publish-your-result).
\`node conformance/results.ts\` makes this table from the folders beside it.

| suite | version | implementation | verdict | passed | failed | others |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function row(version: string, name: string): string {
  const file = join(folder, version, name, 'report.json');
  const { suite, verdict, checks }: StoredResult = JSON.parse(readFileSync(file, 'utf8'));
  const rows = Object.values(checks).map((outcome) => ({ outcome }));
  const [passed, failed] = [rows.filter(hasPassed).length, rows.filter(isBroken).length];
  const [said = ''] = verdict.split(':', 1);
  const cells = [suite, version, `[${name}](${version}/${name}/)`, said, passed, failed, rows.length - passed - failed];
  return `| ${cells.join(' | ')} |`;
}

const foldersIn = (place: string): string[] =>
  readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

if (import.meta.main) {
  const [flag, name, file] = process.argv.slice(2);
  if (flag === '--add' && name !== undefined && file !== undefined) add(name, file);
  writeFileSync(tableFile, resultsTable());
}
