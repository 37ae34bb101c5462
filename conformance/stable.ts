/**
 * `npm run conformance:stable [-- box|gateway [SEED…]]` runs the suite with several seeds and once in shards, against
 * the servers of this repository. It lists the checks whose outcome differs.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComparedRun, differences } from './compare-runs.ts';
import type { Report } from './report/report.ts';
import type { ApiName } from './run/api.ts';
import { isBroken } from './run/result.ts';

const boxgate = join(import.meta.dirname, '..', 'src', 'cli', 'boxgate.cjs');
const shards = 3;

async function runSuite(api: ApiName, seed: number, folder: string, shard?: string): Promise<Report> {
  const file = join(folder, 'report.json');
  const flags = ['--profile', 'boxgate', '--seed', String(seed), '--report', `json=${file}`];
  const exec = `'${process.execPath}' '${boxgate}' ${api} serve`;
  const part = shard === undefined ? [] : ['--shard', shard];
  const args = [boxgate, 'conformance', api, '--exec', exec, ...flags, ...part];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'exit');
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  for (const { id, outcome, reason } of report.checks.filter(isBroken))
    process.stdout.write(`${outcome} ${id} with seed ${seed}\n${reason}\n`);
  return report;
}

async function compare(api: ApiName, seeds: readonly number[], folder: string): Promise<boolean> {
  const runs: ComparedRun[] = [];
  const add = async (name: string, run: () => Promise<Report[]>) => {
    const started = performance.now();
    const reports = await run();
    runs.push({ name, reports });
    const checks = reports.reduce((sum, report) => sum + report.checks.length, 0);
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stdout.write(`${api}, ${name}: ${checks} checks in ${seconds} s\n`);
  };
  for (const seed of seeds) await add(`seed ${seed}`, async () => [await runSuite(api, seed, folder)]);
  await add(`${shards} parts`, async () => {
    const reports: Report[] = [];
    for (let part = 1; part <= shards; part += 1)
      reports.push(await runSuite(api, seeds[0] ?? 1, folder, `${part}/${shards}`));
    return reports;
  });
  const found = differences(runs);
  const verdict = found.length === 0 ? 'all runs agree' : found.join('\n');
  process.stdout.write(`${api}: ${verdict}\n`);
  return found.length === 0;
}

async function main(args: readonly string[]): Promise<number> {
  const given = args.filter((arg) => arg === 'box' || arg === 'gateway');
  const apis: readonly ApiName[] = given.length === 0 ? ['box', 'gateway'] : given;
  const numbers = args.map(Number).filter(Number.isSafeInteger);
  const seeds = numbers.length > 0 ? numbers : [1, 2, 3].map(() => Math.floor(Math.random() * 2 ** 31));
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-stable-'));
  try {
    let agree = true;
    for (const api of apis) agree = (await compare(api, seeds, folder)) && agree;
    return agree ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
