import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { type Finding, joinFindings, openFindings, openLines } from './memory.ts';

const row = (key: string, rest: Partial<Finding> = {}): Finding => ({
  key,
  noticedBy: null,
  passed: [],
  broke: [],
  ...rest,
});

suite('the memory of a run', () => {
  test('gives the next run what was written', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'boxgate-memory-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'below', 'lines.jsonl');
    openLines<Finding>(path).add(row('a'));
    const second = openLines<Finding>(path);
    second.add(row('b'));
    assert.deepEqual(second.rows, [row('a'), row('b')]);
    assert.deepEqual(openLines<Finding>(path).rows, [row('a'), row('b')]);
  });

  test('loses only the line at which a run was broken off', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'boxgate-memory-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'lines.jsonl');
    openLines<Finding>(path).add(row('a'));
    appendFileSync(path, '{"key":"b","pas');
    const second = openLines<Finding>(path);
    assert.deepEqual(second.rows, [row('a')]);
    second.add(row('c'));
    assert.deepEqual(openLines<Finding>(path).rows, [row('a'), row('c')]);
    assert.match(readFileSync(path, 'utf8'), /"pas\n\{"key":"c"/);
  });

  test('keeps a finding until its file or the check that noticed it changes', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'boxgate-memory-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'findings.jsonl');
    const noticed = row('a', { noticedBy: { id: 'box/x', outcome: 'fail' } });
    const open = (source: string, print: string) =>
      openFindings(
        path,
        () => source,
        () => print,
      );
    const first = open('text', 'x1');
    for (const one of [noticed, row('b')]) first.add(one);
    const keys = (source: string, print: string) => open(source, print).rows.map(({ key }) => key);
    assert.deepEqual(keys('text', 'x1'), ['a', 'b']);
    assert.deepEqual(keys('text', 'x2'), ['b']);
    assert.deepEqual(keys('other', 'x1'), []);
  });

  test('adds up what passed, and keeps who noticed first', () => {
    const noticedBy = { id: 'box/a', outcome: 'fail' } as const;
    const rows = [
      row('k', { passed: ['1'], broke: ['x'] }),
      row('k', { passed: ['1', '2'], noticedBy }),
      row('l'),
    ];
    assert.deepEqual(
      [...joinFindings(rows).values()],
      [row('k', { passed: ['1', '2'], broke: ['x'], noticedBy }), row('l')],
    );
    assert.deepEqual(joinFindings([row('k', { noticedBy }), row('k')]).get('k')?.noticedBy, noticedBy);
  });
});
