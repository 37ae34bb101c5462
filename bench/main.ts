import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changeRows } from './change-rows.ts';
import { type Group, httpRows, memoryRow } from './http-rows.ts';
import { listRows } from './list-rows.ts';
import { measureRow, type Result } from './rows.ts';
import { startRows } from './start-rows.ts';

/**
 * `npm run bench [-- --rounds N --only GROUP --write]`: the box against its floors, as ratios measured side by side.
 * It never fails for a figure: a noisy hour is no fault. Needs two processors, Linux and `taskset`.
 */
const groups: Record<string, () => Promise<Group>> = {
  start: startRows,
  http: httpRows,
  lists: listRows,
  changes: changeRows,
};

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const results: Result[] = [];
for (const [name, open] of Object.entries(groups)) {
  if (values.only !== undefined && values.only !== name) continue;
  const group = await open();
  for (const row of group.rows) {
    const result = await measureRow(row, Number(values.rounds));
    results.push(result);
    console.log(line(result));
  }
  await group.close();
}
const memory = values.only === undefined || values.only === 'memory' ? await memoryRow() : null;
const memoryText =
  memory === null
    ? ''
    : `Resident after 1 000 requests: ${memory.ours.toFixed(1)} MiB, bare server ${memory.floor.toFixed(1)} MiB: ` +
      `${(memory.ours - memory.floor).toFixed(1)} MiB more (goal: at most 8).`;
if (memoryText !== '') console.log(memoryText);
if (values.write) writeFileSync(join(import.meta.dirname, 'results.md'), report());

function line({ row, median, quartiles, ours, floor, rounds, dropped, verdict }: Result): string {
  const bound = `${row.higherIsBetter === true ? '≥' : '≤'} ${row.goal}`;
  const spread = quartiles.map((ratio) => ratio.toFixed(2)).join('–');
  const figures = `${ours.toFixed(1)} / ${floor.toFixed(1)} ${row.unit}`;
  const counted = `${rounds} rounds${dropped > 0 ? `, ${dropped} dropped` : ''}`;
  return `| ${row.name} | ${row.floor} | ${figures} | ${median.toFixed(2)} (${spread}) | ${bound} | ${verdict} | ${counted} |`;
}

function report(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return [
    '# How fast the box is',
    '',
    'Made by `npm run bench -- --write`; ratios against the floor measured in the same run, round by round; the median',
    'with its quartiles. Absolute figures belong to the machine and are here to show the sizes. The container calls go',
    'to the stand-in engine on both sides.',
    '',
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}, commit ${commit}.`,
    '',
    '| what | floor | ours / floor | ratio | goal | verdict | rounds |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...results.map(line),
    '',
    memoryText,
    '',
  ].join('\n');
}
