import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangeEnd, type ChangeEntry, changeLine, journalled } from './journal.ts';

const entry: ChangeEntry = {
  operation: 'install',
  subject: 'memos',
  by: 'from 192.0.2.7',
  outcome: 'ok',
  detail: '3 actions',
  durationMs: 2094,
};

test('a line names the change, its result, its duration and who asked for it', () => {
  assert.equal(changeLine(entry), 'install memos: ok, 3 actions, 2.1 s (from 192.0.2.7)');
  const failed: ChangeEntry = { ...entry, outcome: 'failed', detail: '1 error, memos: exited', durationMs: 41.4 };
  assert.equal(changeLine(failed), 'install memos: failed: 1 error, memos: exited, 41 ms (from 192.0.2.7)');
  assert.equal(changeLine({ ...entry, subject: '', by: '', detail: '' }), 'install: ok, 2.1 s');
});

test('a line stays one bounded line whatever names and reasons hold', () => {
  const line = changeLine({
    ...entry,
    subject: `a\u001b[2J\u202e${'😀'.repeat(1000)}`,
    outcome: 'failed',
    detail: `first\rof it\nsecond line ${'x'.repeat(10_000)}`,
    by: `from ${'1'.repeat(1000)}`,
  });
  assert.match(
    line,
    /^install a\\u\{1b\}\[2J\\u\{202e\}(😀)+…: failed: first\\u\{d\}of it\\u\{a\}second line x+…, 2\.1 s \(from 1+…\)$/u,
  );
  assert.ok(line.length < 1000, line);
  const long = changeLine({ ...entry, detail: 'y'.repeat(10_000) });
  assert.ok(long.length < 500 && long.endsWith('y…, 2.1 s (from 192.0.2.7)'), long);
});

test('hands in one entry for each change, also for one that throws', async () => {
  const entries: Omit<ChangeEntry, 'durationMs'>[] = [];
  const journal = ({ durationMs, ...rest }: ChangeEntry) => {
    assert.ok(durationMs >= 0);
    entries.push(rest);
  };
  const outcomes = {
    ofResult: (count: number): ChangeEnd => ({ outcome: 'ok', detail: `${count}` }),
    ofError: (error: unknown): ChangeEnd => ({ outcome: 'failed', detail: (error as Error).message }),
  };
  const change = { operation: 'publish', subject: 'rt_1', by: '' };
  const ended = await journalled(
    journal,
    change,
    (rename) => {
      rename('a.example.org');
      return 7;
    },
    outcomes,
  );
  assert.equal(ended, 7);
  const failing = journalled(journal, change, () => Promise.reject(new Error('no disk')), outcomes);
  await assert.rejects(failing, /no disk/);
  assert.deepEqual(entries, [
    { operation: 'publish', subject: 'a.example.org', by: '', outcome: 'ok', detail: '7' },
    { operation: 'publish', subject: 'rt_1', by: '', outcome: 'failed', detail: 'no disk' },
  ]);
});
