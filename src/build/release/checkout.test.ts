import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../lib/process/run-command.ts';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { readCheckout } from './checkout.ts';

async function makeCheckout(): Promise<string> {
  const root = temporaryFolder();
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_COMMITTER_DATE: '1700000000 +0200' };
  const git = (...words: string[]) => {
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@boxgate.example'];
    return runCommand(['git', ...author, ...words], { cwd: root, env, timeoutMs: 30_000 });
  };
  writeFileSync(join(root, 'run.sh'), '', { mode: 0o755 });
  writeFileSync(join(root, 'ä b.txt'), '');
  writeFileSync(join(root, '.gitignore'), 'dist/\n');
  await git('init', '-q');
  await git('add', '.');
  await git('commit', '-q', '-m', 'First');
  return root;
}

test('names the files of the commit with their modes, and its time', async () => {
  const { time, files } = await readCheckout(await makeCheckout());
  assert.equal(time, 1_700_000_000);
  assert.deepEqual(Object.fromEntries(files), { '.gitignore': '100644', 'run.sh': '100755', 'ä b.txt': '100644' });
});

test('ignores files that git ignores', async () => {
  const root = await makeCheckout();
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'dist/main.cjs'), '');
  await readCheckout(root);
});

test('refuses changed, removed and new files by name', async () => {
  const root = await makeCheckout();
  writeFileSync(join(root, 'run.sh'), 'changed');
  rmSync(join(root, 'ä b.txt'));
  writeFileSync(join(root, 'new.ts'), '');
  await assert.rejects(readCheckout(root), {
    message: 'the checkout differs from its commit in run.sh, ä b.txt, new.ts: commit or remove what has changed',
  });
});

test('names at most ten files', async () => {
  const root = await makeCheckout();
  for (let i = 10; i < 22; i++) writeFileSync(join(root, `n${i}`), '');
  await assert.rejects(readCheckout(root), / in n10, .*, n19 and 2 more: /);
});

test('reports a folder that is no checkout', async () => {
  const root = temporaryFolder();
  await assert.rejects(readCheckout(root), /^ReleaseFailed: a release is built from a git checkout: fatal: not a git/);
});
