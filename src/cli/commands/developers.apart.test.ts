import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { runInCheckout } from './developers.ts';

const checkout = join(import.meta.dirname, '../../..');
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

/** Prints what the launcher prints for each command line, as one JSON text. One process, because each takes long to start. */
const severalHelps = `
const launcher = process.argv[1];
const write = process.stdout.write.bind(process.stdout);
(async () => {
  const texts = [];
  for (const words of JSON.parse(process.env.COMMANDS)) {
    process.argv = [process.execPath, launcher, ...words.split(' '), '--help'];
    delete require.cache[launcher];
    texts.push(await new Promise((done) => {
      process.stdout.write = done;
      require(launcher);
    }));
  }
  write(JSON.stringify(texts));
})();
`;

test('a release prints the help of every command, of groups and of boxgate itself', () => {
  const program = join(release, 'src/cli/boxgate.cjs');
  const run = (...argv: string[]) => spawnSync(process.execPath, argv, { encoding: 'utf8' });
  const overview = run(program, '--help').stdout;
  assert.equal(run(program).stdout, overview);
  const commands = [...overview.matchAll(/^ {2}boxgate ([a-z]+(?: [a-z]+)*)/gm)].map(([, words = '']) => words);
  assert.ok(commands.length > 25, overview);
  const groups = [...new Set(commands.map((words) => words.split(' ')[0] ?? ''))];
  const env = { ...process.env, COMMANDS: JSON.stringify([...groups, ...commands]) };
  const helps = spawnSync(process.execPath, ['-e', severalHelps, program], { encoding: 'utf8', env });
  assert.deepEqual([helps.status, helps.stderr], [0, '']);
  const texts: string[] = JSON.parse(helps.stdout);
  assert.equal(texts.length, groups.length + commands.length);
  for (const [index, words] of commands.entries()) {
    assert.ok(texts[groups.length + index]?.startsWith(`boxgate ${words}`), words);
  }
  for (const text of texts.slice(0, groups.length)) assert.match(text, /^(Commands:\n {2})?boxgate /);
  const unknown = run(program, 'nonsense');
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
