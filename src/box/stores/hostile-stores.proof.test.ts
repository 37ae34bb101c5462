// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
/**
 * Stores that somebody made to harm. Each is refused, or its apps are left out or noted, with a sentence; nothing is
 * written outside of the store's copy; time and memory are bounded.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { oddFiles, putOdd } from '../../lib/testing/odd-files.ts';
import { portOf } from '../../lib/testing/port-of.ts';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { type GitLimits, openGitStore } from './adapters/git-store.ts';
import { makeStoreFiles } from './adapters/store-files.ts';
import type { StoresBox } from './ports.ts';
import { addStore, checkStore } from './stores.ts';
import { type Content, gitServer, hasGit, makeRepository } from './testing/git-server.ts';

const scratch = temporaryFolder();
const repositories = join(scratch, 'repositories');
const state = join(scratch, 'state');
const skip = !hasGit && 'no git';
let server: Awaited<ReturnType<typeof gitServer>>;

before(async () => {
  for (const folder of [repositories, state]) mkdirSync(folder);
  if (hasGit) server = await gitServer(repositories);
});
after(() => server?.close());

function boxIn(folder: string): StoresBox {
  const changes = { run: <T>(work: () => Promise<T>) => work() };
  const box = { stores: makeStoreFiles(folder), version: '1.0.0', now: () => new Date(), changes };
  return box as unknown as StoresBox;
}
const box = boxIn(state);

function git(args: readonly string[], input = ''): string {
  const names = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a' };
  const env = { PATH: process.env.PATH, HOME: scratch, GIT_CONFIG_GLOBAL: '/dev/null', ...names };
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: repositories, env, input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}
/** Every path below the scratch folder that no store may change. */
const others = () =>
  readdirSync(scratch, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/^(?:repositories\/|state\/stores(?:\.json|\.lock)?(?:\/|$))/.test(path))
    .sort();
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it was added',
    (error: Error) => error.message,
  );

const service = (more: string) => `services:\n  web:\n    image: notes:1\n${more}`;
const mounting = (...paths: string[]) => service(`    volumes: ${JSON.stringify(paths.map((path) => `${path}:/x`))}\n`);
const bomb = Array.from({ length: 12 }, (_, index) =>
  index === 0 ? 'a0: &a0 [x, x]\n' : `a${index}: &a${index} [*a${index - 1}, *a${index - 1}, *a${index - 1}]\n`,
).join('');

/** What becomes of a folder of the store: `null` if the app is offered without a note. */
const apps: [folder: string, files: Record<string, Content>, said: RegExp | null][] = [
  ['plain', { 'docker-compose.yml': service('') }, null],
  ['link', { 'docker-compose.yml': { target: '/etc/passwd' }, a: '' }, /has no docker-compose\.yml/],
  ['submodule', { 'docker-compose.yml': { commit: 'a'.repeat(40) }, a: '' }, /has no docker-compose\.yml/],
  ['bomb', { 'docker-compose.yml': `${bomb}${service('')}` }, /is not read: .*[Aa]lias/],
  ['deep', { 'docker-compose.yml': '['.repeat(200_000) }, /is not read|nested too deeply/],
  ['large', { 'docker-compose.yml': `#${' '.repeat(300_000)}` }, /docker-compose\.yml has more than 256 kB/],
  ['latin-1', { 'docker-compose.yml': Buffer.from([0x61, 0x3a, 0xe9]) }, /has no docker-compose\.yml|not UTF-8/],
  ['empty', { 'docker-compose.yml': '' }, /it has no services/],
  ['nothing', { 'README.md': 'hello' }, /has no docker-compose\.yml/],
  ['out', { 'docker-compose.yml': mounting('../../../../etc') }, /it mounts a folder outside of its own/],
  ['own-out', { 'docker-compose.yml': mounting('/DATA/AppData/$AppID/../other') }, /a folder outside of its own/],
  ['all-apps', { 'docker-compose.yml': mounting('/DATA/AppData') }, /the folders of all other apps/],
  ['socket', { 'docker-compose.yml': mounting('/var/run/docker.sock') }, /mounts paths .*: \/var\/run\/docker\.sock/],
  ['root', { 'docker-compose.yml': mounting('/', '/dev', '/proc/1/root') }, /: \/, \/dev, \/proc\/1\/root\./],
  ['home', { 'docker-compose.yml': mounting('$HOME/.ssh') }, /the variable HOME, which Compose takes from the box/],
  [
    'power',
    { 'docker-compose.yml': service('    privileged: true\n    network_mode: host\n') },
    /privileged, network_mo/,
  ],
  ['device', { 'docker-compose.yml': service('    devices: [/dev/sda]\n') }, /(?:uses|without) devices .*: \/dev\/sda/],
  ['build', { 'docker-compose.yml': service('    build: {context: /etc}\n') }, /has build, which needs more/],
  ['env-file', { 'docker-compose.yml': service('    env_file: /etc/shadow\n') }, /has env_file, which needs more/],
  ['extends', { 'docker-compose.yml': service('    extends: {file: /etc/x, service: a}\n') }, /has extends/],
  ['include', { 'docker-compose.yml': `include: [/etc/x]\n${service('')}` }, /has include, which needs more files/],
  ['secret', { 'docker-compose.yml': `${service('')}secrets: {a: {file: /etc/shadow}}\n` }, /has secrets, which needs/],
  ['config', { 'docker-compose.yml': `${service('')}configs: {a: {file: /etc/shadow}}\n` }, /its file a is not in its/],
  ['image', { 'docker-compose.yml': 'services: {web: {image: --privileged}}' }, /no image with a valid name/],
  [
    'name',
    { 'docker-compose.yml': `name: ../../evil\n${service('')}` },
    /"\.\.\/\.\.\/evil" is no name for a directory/,
  ],
  [
    'zz-name-of-another',
    { 'docker-compose.yml': `name: plain\n${service('')}` },
    /another app of the store has the name/,
  ],
  ['control\u0007\u202e', { 'docker-compose.yml': service('') }, /its folder .* has no docker-compose\.yml|is no name/],
  ['proto', { 'docker-compose.yml': `__proto__: {privileged: true}\n${service('')}` }, null],
  ['data', { 'docker-compose.yml': service(''), 'data/../../../evil': 'x', 'data/link': { target: '/' } }, null],
  ['long', { 'docker-compose.yml': service(''), [`data/${'x'.repeat(300)}`]: 'x' }, null],
  ['port', { 'docker-compose.yml': service('    ports: ["70000:80"]\n') }, /publishes a port with an unknown form/],
];

test('each app of a hostile store is left out or noted, and writes nothing outside of the copy', { skip }, async () => {
  const files = apps.flatMap(([folder, ofApp]) =>
    Object.entries(ofApp).map(([file, content]) => [`Apps/${folder}/${file}`, content] as const),
  );
  const outside = {
    'Apps/../../evil/docker-compose.yml': service(''),
    '.git/hooks/post-checkout': 'exit 1',
    Apps2: '',
  };
  makeRepository(repositories, 'hostile.git', { ...outside, ...Object.fromEntries(files) });
  const found = others();
  const store = await addStore(box, { address: `${server.url}/hostile.git`, name: null });
  const report = new Map(checkStore(box, 'hostile').map((one) => [one.folder, one]));
  for (const [folder, , expected] of apps) {
    const app = report.get(folder) ?? assert.fail(`${JSON.stringify(folder)} is not in the report`);
    if (expected === null) assert.deepEqual(app, { folder, isOffered: true, name: folder, notes: [] });
    else assert.match(app.isOffered ? app.notes.join(' ') : app.reason, expected, folder);
  }
  assert.deepEqual(others(), found);
  const copied = readdirSync(join(state, 'stores', store.copy), { recursive: true, withFileTypes: true });
  assert.deepEqual(
    copied.filter((entry) => !entry.isFile() && !entry.isDirectory()),
    [],
  );
});

type Refused = [what: string, address: () => string, said: RegExp];

const addresses: Refused[] = [
  ['a folder that is not there', () => join(scratch, 'nowhere'), /there is no such folder/],
  ['a file in place of a folder', () => join(state, 'stores.lock'), /cannot be read: /],
  ['no repository', () => `${server.url}/nowhere.git`, /there is no git repository at its address/],
];

for (const [what, address, said] of addresses) {
  test(`an address with ${what} is refused`, { skip }, async () => {
    const found = others();
    assert.match(await messageOf(addStore(box, { address: address(), name: 'other' })), said);
    assert.deepEqual(others(), found);
  });
}

const packet = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
const announced = `${packet('# service=git-upload-pack\n')}0000`;
const serving = (body: string) => (_: unknown, response: ServerResponse) => {
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  response.end(body);
};
const endless: RequestListener = (_, response) => {
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  const send = () => {
    while (response.write(packet('x'.repeat(1000)).repeat(64)));
    response.once('drain', send);
  };
  send();
};

const patient: GitLimits = { fetchMs: 60_000, idleSeconds: 30 };
const servers: [what: string, answer: RequestListener, said: RegExp, limits?: GitLimits][] = [
  ['redirects', (_, response) => response.writeHead(302, { location: server.url }).end(), /leads to another one/],
  ['redirects to a file', (_, res) => res.writeHead(301, { location: 'file:///etc' }).end(), /leads to another one/],
  ['asks for a password', (_, res) => res.writeHead(401, { 'www-authenticate': 'Basic' }).end(), /everybody may read/],
  ['is broken', (_, response) => response.writeHead(500).end(), /git says: .*500|does not answer/],
  ['has a page', (_, response) => response.end('<html>'), /there is no git repository at its address/],
  ['sends nonsense', serving('0005x'), /there is no git repository|git says: /],
  ['never answers', () => {}, /does not answer/, { ...patient, idleSeconds: 1 }],
  ['hangs up', (request) => request.socket.destroy(), /git says: |does not answer/],
  [
    'writes to the terminal',
    serving(announced + packet('ERR \u001b[2J\u0007')),
    /git says: [^\p{Cc}]*remote error[^\p{Cc}]*$/u,
  ],
  [
    'sends without an end',
    endless,
    /takes too long|too large|git says: |no git repository/,
    { ...patient, fetchMs: 1500 },
  ],
];

for (const [what, answer, said, limits = patient] of servers) {
  test(`a server that ${what} is left`, { skip }, async (t) => {
    const port = await portOf(t, createServer(answer));
    const found = others();
    const open = openGitStore(`http://127.0.0.1:${port}/store`, join(state, 'stores'), limits);
    assert.match(await messageOf(open), said);
    assert.deepEqual(others(), found);
  });
}

const repositoriesOf: [what: string, make: (path: string) => void, said: RegExp][] = [
  ['nothing', (path) => git(['-C', path, 'update-ref', '-d', 'refs/heads/main']), /or it is empty/],
  [
    'no default branch',
    (path) => git(['-C', path, 'symbolic-ref', 'HEAD', 'refs/heads/gone']),
    /lacks its default branch/,
  ],
  ['a tree that repeats itself', treeBomb, /it has too many files/],
];

/** Ten folders with the same ten folders, and so on: a few objects, and more paths than there is time for. */
function treeBomb(path: string): void {
  let object = git(['-C', path, 'rev-parse', 'HEAD:a']);
  let kind = '100644 blob';
  for (let level = 0; level < 12; level += 1) {
    const entries = Array.from({ length: 10 }, (_, index) => `${kind} ${object}\t${index}\n`).join('');
    object = git(['-C', path, 'mktree'], entries);
    kind = '040000 tree';
  }
  git(['-C', path, 'update-ref', 'refs/heads/main', git(['-C', path, 'commit-tree', '-m', 'bomb', object])]);
}

for (const [what, make, said] of repositoriesOf) {
  test(`a repository with ${what} is refused`, { skip }, async () => {
    const name = `${what.replaceAll(' ', '-')}.git`;
    makeRepository(repositories, name, { a: 'x' });
    make(join(repositories, name));
    const found = others();
    assert.match(await messageOf(addStore(box, { address: `${server.url}/${name}`, name: 'other' })), said);
    assert.deepEqual(others(), found);
  });
}

test('many paths with one content are refused before they are written', { skip }, async () => {
  const large = 'x'.repeat(256 * 1024);
  const files = Array.from({ length: 300 }, (_, index) => [`Apps/a${index % 9}/data/${index}`, large] as const);
  const plain = { 'Apps/a/docker-compose.yml': service('') };
  makeRepository(repositories, 'many.git', { ...plain, ...Object.fromEntries(files) });
  const added = messageOf(addStore(box, { address: `${server.url}/many.git`, name: null }));
  assert.match(await added, /the files of its apps have more than 64 MiB/);
});

test('a repository that changes while it is read is read as it was, or refused', { skip }, async () => {
  makeRepository(repositories, 'changing.git', { 'Apps/a/docker-compose.yml': service('') });
  const open = await openGitStore(`${server.url}/changing.git`, join(state, 'stores'));
  makeRepository(repositories, 'changing.git', { 'Apps/b/docker-compose.yml': service('') });
  git(['-C', join(repositories, 'changing.git'), 'reflog', 'expire', '--expire=now', '--all']);
  assert.deepEqual(open.paths, ['Apps/a/docker-compose.yml']);
  const read = await open.read(open.paths);
  assert.equal(Buffer.from([...read.values()][0] ?? []).toString(), service(''));
  await open.close();
});

test('a server that sends all files at once is read, too', { skip }, async () => {
  makeRepository(repositories, 'whole.git', { 'Apps/a/docker-compose.yml': service('') });
  git(['-C', join(repositories, 'whole.git'), 'config', 'uploadpack.allowFilter', 'false']);
  const store = await addStore(box, { address: `${server.url}/whole.git`, name: null });
  assert.equal(store.offered, 1);
});

test('a folder with odd files is read without them', async () => {
  const folder = join(scratch, 'folder');
  const kinds = Object.keys(oddFiles);
  for (const [index, kind] of kinds.entries()) {
    await putOdd(kind, join(folder, 'Apps', `app${index}`, 'docker-compose.yml'));
    writeFileSync(join(folder, 'Apps', `app${index}`, 'README.md'), '');
  }
  mkdirSync(join(folder, 'Apps/plain'));
  writeFileSync(join(folder, 'Apps/plain/docker-compose.yml'), service(''));
  const found = others();
  const store = await addStore(box, { address: folder, name: null });
  assert.deepEqual([store.offered, store.leftOut], [1, kinds.length]);
  assert.deepEqual(others(), found);
});

test('a folder with very many entries is refused', async () => {
  const folder = join(scratch, 'many');
  mkdirSync(folder);
  for (let index = 0; index < 50_001; index += 1) symlinkSync('nowhere', join(folder, String(index)));
  assert.match(await messageOf(addStore(box, { address: folder, name: 'other' })), /it has more than 50000 files/);
  rmSync(folder, { recursive: true });
});
