import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type Group, measureRow, type Result } from './measure-row.ts';
import { backupRows, canMeasureBackups } from './rows/backup-rows.ts';
import { changeRows } from './rows/change-rows.ts';
import { gatewayRows } from './rows/gateway-rows.ts';
import { httpRows } from './rows/http-rows.ts';
import { listRows } from './rows/list-rows.ts';
import { logRows } from './rows/log-rows.ts';
import { measureMemory } from './rows/memory.ts';
import { publishRows } from './rows/publish-rows.ts';
import { startRows } from './rows/start-rows.ts';
import { storeRows } from './rows/store-rows.ts';

/**
 * `npm run bench [-- --rounds N --only GROUP --write]`: compares box and gateway with their floors. Backups need restic
 * and a real Docker Engine, and are left out without them; `--megabytes`, `--files` and `--apps` are their sizes. A
 * missed goal is no failure, because the machine may be busy. Needs two processors, Linux and `taskset`.
 */
const groups: Readonly<Record<string, () => Promise<Group>>> = {
  start: startRows,
  http: httpRows,
  lists: listRows,
  gateway: gatewayRows,
  store: storeRows,
  publish: publishRows,
  changes: changeRows,
  log: logRows,
  backups: () =>
    backupRows({ megabytes: Number(values.megabytes), files: Number(values.files), apps: Number(values.apps) }),
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    megabytes: { type: 'string', default: '2000' },
    files: { type: 'string', default: '10000' },
    apps: { type: 'string', default: '20' },
  },
});
const rounds = Number(values.rounds);
const names = [...Object.keys(groups), 'memory']
  .filter((name) => name === (values.only ?? name))
  .filter((name) => name !== 'backups' || canMeasureBackups());
if (names.length === 0) throw new Error(`--only: expected ${Object.keys(groups).join(', ')} or memory`);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: expected a whole number from 1');

const sizes = ['--megabytes', values.megabytes, '--files', values.files, '--apps', values.apps];
const lines: string[] = [];
const print = (line: string) => {
  console.log(line);
  lines.push(line);
};
for (const name of names) {
  const open = groups[name];
  if (values.only === undefined) await measureApart(name);
  else if (open !== undefined) await measureGroup(await open());
  else print(await measureMemory(rounds));
}
if (values.write) writeFileSync(join(import.meta.dirname, 'results.md'), report(lines));

/**
 * Measures each group in its own process. A process that has filled a large store starts programs more slowly, which
 * would raise the floors of later groups.
 */
async function measureApart(name: string): Promise<void> {
  const child = spawn(process.execPath, [import.meta.filename, '--only', name, '--rounds', String(rounds), ...sizes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout)) print(line);
  const [status] = await ended;
  if (status !== 0) throw new Error(`the group ${name} could not be measured`);
}

async function measureGroup(group: Group): Promise<void> {
  try {
    for (const row of group.rows) print(lineOf(await measureRow(row, rounds)));
  } finally {
    await group.close();
  }
}

function lineOf({ row, median, quartiles, ours, floor, rounds: kept, dropped, verdict }: Result): string {
  const spread = quartiles.map((ratio) => ratio.toFixed(2)).join('–');
  const figures = kept === 0 ? '–' : `${ours.toFixed(1)} / ${floor.toFixed(1)} ${row.unit}`;
  const ratio = kept === 0 ? '–' : `${median.toFixed(2)} (${spread})`;
  const counted = `${kept} rounds${dropped > 0 ? `, ${dropped} dropped` : ''}`;
  return `| ${row.name} | ${row.floor} | ${figures} | ${ratio} | ≤ ${Number(row.goal.toFixed(2))} | ${verdict} | ${counted} |`;
}

function report(printed: readonly string[]): string {
  const isRow = (line: string) => line.startsWith('| ');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return [
    '# How fast box and gateway are',
    '',
    'Made by `npm run bench -- --write`. A ratio compares ours with the floor of the same run, round by round; the table has',
    'the median and its quartiles. Absolute figures depend on the machine. Both sides use the fake container engine,',
    'except for backups, which use a real one.',
    '',
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}, commit ${commit}, ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '| what | floor | ours / floor | ratio | goal | verdict | rounds |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...printed.filter(isRow),
    '',
    ...printed.filter((line) => !isRow(line)),
    '',
  ].join('\n');
}
