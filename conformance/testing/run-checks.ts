import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Check, check } from '../kernel/check.ts';
import { equal, refused } from '../kernel/expect.ts';
import { runConformance } from '../main.ts';
import type { ConformanceOptions } from '../options.ts';
import type { Report } from '../report/report.ts';

const server = join(import.meta.dirname, 'canned-box.ts');

/** The command line of the canned box, which may have a fault. */
export const cannedBox = (fault = '') => `'${process.execPath}' --no-warnings '${server}' ${fault}`;

/** A folder for the files of a test, which is removed at its end. */
export const folder = mkdtempSync(join(tmpdir(), 'boxgate-suite-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

export const must = ['box/listApps/1'];
export const good = check('box/test/good', must, 'holds', async (box) =>
  equal('list', (await box.get('/api/apps')).json, []),
);
export const bad = check('box/test/bad', must, 'does not hold', async (box) =>
  refused(await box.get('/api/apps'), 404),
);

/** Runs checks against the canned box. `read` reads the JSON report. */
export async function run(checks: readonly Check<never>[], options: Partial<ConformanceOptions> = {}, fault = '') {
  const file = join(folder, `${Math.random()}.json`);
  const report = [`json=${file}`];
  const status = await runConformance({
    api: 'box',
    exec: cannedBox(fault),
    checks,
    report,
    write: () => {},
    ...options,
  });
  return { status, read: () => JSON.parse(readFileSync(file, 'utf8')) as Report };
}

/** The exit status, and the outcome of each check. */
export async function outcomes(checks: readonly Check<never>[], options: Partial<ConformanceOptions> = {}, fault = '') {
  const { status, read } = await run(checks, options, fault);
  return [status, ...read().checks.map((row) => row.outcome)];
}
