import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { changeRows } from './change-rows.ts';
import { gatewayRows } from './gateway-rows.ts';
import { httpRows } from './http-rows.ts';
import { listRows } from './list-rows.ts';
import { measureMemory } from './memory.ts';
import { postgresRows } from './postgres-rows.ts';
import { publishRows } from './publish-rows.ts';
import { writeMeasured } from './results.ts';
import { type Group, measureRow, type Result } from './rows.ts';
import { startRows } from './start-rows.ts';
import { storeRows } from './store-rows.ts';

/**
 * `npm run bench [-- --rounds N --only GROUP --write]`: the box against its floors, as ratios measured side by side.
 * It never fails for a figure: a noisy hour is no fault. Needs two processors, Linux and `taskset`.
 */
const groups: Readonly<Record<string, () => Promise<Group>>> = {
  start: startRows,
  http: httpRows,
  lists: listRows,
  gateway: gatewayRows,
  store: storeRows,
  publish: publishRows,
  postgres: postgresRows,
  changes: changeRows,
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const names = [...Object.keys(groups), 'memory'].filter((name) => name === (values.only ?? name));
if (names.length === 0) throw new Error(`--only: expected ${Object.keys(groups).join(', ')} or memory`);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds: expected a whole number from 1');

const lines: string[] = [];
const tell = (line: string) => {
  console.log(line);
  lines.push(line);
};
for (const name of names) {
  const open = groups[name];
  if (values.only === undefined) await measureApart(name);
  else if (open !== undefined) await measureGroup(await open());
  else tell(await measureMemory(rounds));
}
if (values.write) writeMeasured(report(lines));

/**
 * Each group has a process of its own: one that has filled a large store starts programs more slowly ever after, and
 * the floors of the groups that follow would be too high.
 */
async function measureApart(name: string): Promise<void> {
  const child = spawn(process.execPath, [import.meta.filename, '--only', name, '--rounds', String(rounds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout)) tell(line);
  const [status] = await ended;
  if (status !== 0) throw new Error(`the group ${name} could not be measured`);
}

async function measureGroup(group: Group): Promise<void> {
  try {
    for (const row of group.rows) tell(lineOf(await measureRow(row, rounds)));
  } finally {
    await group.close();
  }
}

function lineOf({ row, median, quartiles, ours, floor, rounds: kept, dropped, verdict }: Result): string {
  const spread = quartiles.map((ratio) => ratio.toFixed(2)).join('–');
  const figures = kept === 0 ? '–' : `${ours.toFixed(1)} / ${floor.toFixed(1)} ${row.unit}`;
  const ratio = kept === 0 ? '–' : `${median.toFixed(2)} (${spread})`;
  const counted = `${kept} rounds${dropped > 0 ? `, ${dropped} dropped` : ''}`;
  const goal = row.goal === null ? '–' : `≤ ${Number(row.goal.toFixed(2))}`;
  return `| ${row.name} | ${row.floor} | ${figures} | ${ratio} | ${goal} | ${verdict} | ${counted} |`;
}

function report(told: readonly string[]): string {
  const isRow = (line: string) => line.startsWith('| ');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return [
    '# How fast box and gateway are',
    '',
    'Made by `npm run bench -- --write`; ratios against the floor measured in the same run, round by round; the median',
    'with its quartiles. Absolute figures belong to the machine and are here to show the sizes. The container calls go',
    'to the stand-in engine on both sides.',
    '',
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}, commit ${commit}.`,
    '',
    '| what | floor | ours / floor | ratio | goal | verdict | rounds |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...told.filter(isRow),
    '',
    ...told.filter((line) => !isRow(line)),
    '',
  ].join('\n');
}
