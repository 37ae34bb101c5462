import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
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
for (const name of names) {
  const open = groups[name];
  if (open !== undefined) lines.push(...(await measureGroup(await open())));
}
const memory = names.includes('memory') ? await measureMemory() : '';
if (memory !== '') console.log(memory);
if (values.write) writeMeasured(report(lines, memory));

async function measureGroup(group: Group): Promise<string[]> {
  const measured: string[] = [];
  try {
    for (const row of group.rows) {
      const line = lineOf(await measureRow(row, rounds));
      console.log(line);
      measured.push(line);
    }
  } finally {
    await group.close();
  }
  return measured;
}

function lineOf({ row, median, quartiles, ours, floor, rounds: kept, dropped, verdict }: Result): string {
  const spread = quartiles.map((ratio) => ratio.toFixed(2)).join('–');
  const figures = kept === 0 ? '–' : `${ours.toFixed(1)} / ${floor.toFixed(1)} ${row.unit}`;
  const ratio = kept === 0 ? '–' : `${median.toFixed(2)} (${spread})`;
  const counted = `${kept} rounds${dropped > 0 ? `, ${dropped} dropped` : ''}`;
  const goal = row.goal === null ? '–' : `≤ ${Number(row.goal.toFixed(2))}`;
  return `| ${row.name} | ${row.floor} | ${figures} | ${ratio} | ${goal} | ${verdict} | ${counted} |`;
}

function report(table: readonly string[], last: string): string {
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
    ...table,
    '',
    last,
    '',
  ].join('\n');
}
