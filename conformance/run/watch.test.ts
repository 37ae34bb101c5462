import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { changedPath, repeatOnChange, snapshotOf, untilChanged } from './watch.ts';

const root = mkdtempSync(join(tmpdir(), 'boxgate-watch-test-'));
after(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const take = () => snapshotOf(root, [join(root, 'report.html')]);

for (const [what, change, path] of [
  ['a new file', () => write('src/a.go', 'a'), 'src/a.go'],
  ['a longer file', () => write('src/a.go', 'ab'), 'src/a.go'],
  ['a removed file', () => rmSync(join(root, 'src/a.go')), 'src/a.go'],
  ['no generated file', () => write('node_modules/x/index.js', 'x'), null],
  ['no hidden file', () => write('.git/index', 'x'), null],
  ['no report of the run itself', () => write('report.html', 'x'), null],
  ['no link', () => symlinkSync('/', join(root, 'loop')), null],
] as const) {
  test(`notices ${what}`, () => {
    const before = take();
    change();
    const found = changedPath(before, take());
    assert.equal(found, path === null ? null : join(root, path));
  });
}

test('waits until a file changes', async () => {
  const changed = untilChanged(take, take());
  write('main.py', '1');
  assert.equal(await changed, join(root, 'main.py'));
});

/** Runs with the given failed checks. Each run but the last changes a file, and the last one is interrupted. */
async function runsOf(failures: readonly (readonly string[])[]) {
  const asked: (readonly string[] | null)[] = [];
  let snapshot: ReadonlyMap<string, string> = new Map();
  const status = await repeatOnChange({
    take: () => snapshot,
    write: () => {},
    run: async (ids) => {
      const failed = failures[asked.push(ids) - 1] ?? [];
      snapshot = new Map([['main.go', String(asked.length)]]);
      return { status: failed.length === 0 ? 0 : 1, failed, isInterrupted: asked.length === failures.length };
    },
  });
  return { asked, status };
}

test('runs the failed checks first, and all when they pass', async () => {
  const { asked, status } = await runsOf([['a', 'b'], ['b'], [], [], []]);
  assert.deepEqual(asked, [null, ['a', 'b'], ['b'], null, null]);
  assert.equal(status, 0);
});

test('returns the status of the latest run', async () => {
  assert.equal((await runsOf([[], ['a']])).status, 1);
});
