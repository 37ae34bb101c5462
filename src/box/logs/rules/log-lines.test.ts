import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLineSplitter, readLogLine, shortenedLine } from './log-lines.ts';

/** The lines of these chunks, `-` for one that is left out. */
function split(chunks: readonly string[], room: (bytes: number) => boolean = () => true): string[] {
  const lines: string[] = [];
  const splitter = makeLineSplitter(
    room,
    (line, isCut) => lines.push(isCut ? `${line}…` : line),
    () => lines.push('-'),
  );
  for (const chunk of chunks) splitter.add(Buffer.from(chunk));
  splitter.close();
  return lines;
}

test('splits a log into lines, however it comes', () => {
  const cases: [chunks: string[], lines: string[]][] = [
    [[], []],
    [['a\nb\n'], ['a', 'b']],
    [
      ['a', 'b\n', '\n', 'c'],
      ['ab', '', 'c'],
    ],
    [[`${'x'.repeat(16_384)}\n`], ['x'.repeat(16_384)]],
    [[`${'x'.repeat(16_385)}\nb\n`], [`${'x'.repeat(16_384)}…`, 'b']],
    [
      ['x'.repeat(10_000), 'x'.repeat(10_000), 'x\nb\n'],
      [`${'x'.repeat(16_384)}…`, 'b'],
    ],
    [['x'.repeat(20_000)], [`${'x'.repeat(16_384)}…`]],
  ];
  for (const [chunks, lines] of cases) assert.deepEqual(split(chunks), lines);
  assert.deepEqual(
    split(['a\nbb\nccc'], (bytes) => bytes < 2),
    ['a', '-', '-'],
  );
});

test('reads the time of a line, and takes out controls of a terminal', () => {
  const time = '2026-11-26T09:20:56.080789763Z';
  const cases: [line: string, time: string | null, text: string][] = [
    [`${time} text`, time, 'text'],
    [`${time} `, time, ''],
    ['2026-11-26T09:20:56.080789763+01:00 text', '2026-11-26T09:20:56.080789763+01:00', 'text'],
    ['text of 2026-11-26', null, 'text of 2026-11-26'],
    [`${time} \x1b[1;31mred\x1b[0m\r`, time, 'red'],
    [`${time} 10%\r20%\r`, time, '20%'],
    [`${time} \x1b[2J \x1b]0;title\x07`, time, ''],
  ];
  for (const [line, found, text] of cases) assert.deepEqual(readLogLine(line), { time: found, text });
});

test('shortens a long line', () => {
  assert.equal(shortenedLine('x'.repeat(4096), false), 'x'.repeat(4096));
  assert.equal(shortenedLine('x'.repeat(5000), false), `${'x'.repeat(4096)}… (line shortened)`);
  assert.equal(shortenedLine('10%', true), '10%… (line shortened)');
});
