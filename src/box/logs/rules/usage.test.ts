import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUsage } from './usage.ts';

test('reads what containers use, in every unit', () => {
  const cases: [memory: string, bytes: number][] = [
    ['476KiB / 23.54GiB', 487_424],
    ['0B / 0B', 0],
    ['1.5MiB / 7.6GiB', 1_572_864],
    ['2GiB / 7.6GiB', 2_147_483_648],
    ['1kB / 2MB', 1000],
    ['3MB', 3_000_000],
  ];
  for (const [memory, bytes] of cases) {
    const row = JSON.stringify({ ID: 'a', CPUPerc: '12.50%', MemUsage: memory });
    assert.deepEqual(parseUsage(`${row}\n`), new Map([['a', { processorPercent: 12.5, memoryBytes: bytes }]]), memory);
  }
});

test('leaves out rows that it does not understand', () => {
  const rows = [
    { ID: 'a', CPUPerc: '--', MemUsage: '1B / 1B' },
    { ID: 'a', CPUPerc: '1%', MemUsage: '-- / --' },
    { ID: 1, CPUPerc: '1%', MemUsage: '1B / 1B' },
    {},
  ];
  const text = [...rows.map((row) => JSON.stringify(row)), 'CONTAINER ID   NAME', '', '[]'].join('\n');
  assert.deepEqual(parseUsage(text), new Map());
});
