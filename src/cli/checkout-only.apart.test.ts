import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { runInCheckout } from './checkout-only.ts';

const checkout = join(import.meta.dirname, '..', '..');
const release = temporaryFolder();
before(() => {
  mkdirSync(join(release, 'src', 'cli'), { recursive: true });
  cpSync(join(checkout, 'src/cli/boxgate.cjs'), join(release, 'src/cli/boxgate.cjs'));
  cpSync(join(checkout, 'dist'), join(release, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('cache'),
  });
});

for (const words of ['demo', 'conformance box', 'conformance gateway']) {
  test(`boxgate ${words} of a release says in one line that it needs the npm package`, () => {
    const argv = [join(release, 'src/cli/boxgate.cjs'), ...words.split(' '), ...runs(words)];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [1, '']);
    const reason = 'needs packages that are in no release: run it from the npm package: npm install boxgate';
    assert.equal(stderr, `boxgate: boxgate ${words} ${reason}\n`);
  });
}

test('a release prints the help of every command, of groups and of boxgate itself', async () => {
  const help = async (...words: string[]) => {
    const argv = [join(release, 'src/cli/boxgate.cjs'), ...words];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, argv);
    assert.equal(stderr, '', words.join(' '));
    return stdout;
  };
  const overview = await help('--help');
  assert.equal(await help(), overview);
  const commands = [...overview.matchAll(/^ {2}boxgate ([a-z ]+[a-z])/gm)].map(([, words = '']) => words);
  assert.ok(commands.length > 25, overview);
  const groups = [...new Set(commands.map((words) => words.split(' ')[0] ?? ''))];
  for (const words of [...groups, ...commands])
    assert.match(await help(...words.split(' '), '--help'), /boxgate/, words);
  const unknown = spawnSync(process.execPath, [join(release, 'src/cli/boxgate.cjs'), 'nonsense'], { encoding: 'utf8' });
  assert.deepEqual(
    [unknown.status, unknown.stderr],
    [2, 'boxgate: expected a command, found "nonsense"; boxgate --help lists them\n'],
  );
});

for (const [flags, file] of [
  [[], 'box.openapi.yaml'],
  [['--json'], 'box.openapi.json'],
] as const) {
  test(`boxgate spec of a release prints ${file}`, () => {
    mkdirSync(join(release, 'spec'), { recursive: true });
    cpSync(join(checkout, 'spec', file), join(release, 'spec', file));
    const argv = [join(release, 'src/cli/boxgate.cjs'), 'spec', 'box', ...flags];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, readFileSync(join(checkout, 'spec', file), 'utf8'));
  });
}

const runs = (words: string) => (words === 'demo' ? [] : ['--exec', 'true']);

test('another failure is passed on as it is', async () => {
  const failure = new Error('broken');
  await assert.rejects(
    runInCheckout('demo', () => Promise.reject(failure)),
    failure,
  );
});
