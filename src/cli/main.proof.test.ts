import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { launcher, readyAddress, startBoxgate, startProgram } from '../lib/testing/boxgate-process.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { packageRoot } from '../package-root.ts';

const folder = temporaryFolder();

const env = { PATH: process.env.PATH, HOME: folder, BOX_STATE_DIR: join(folder, 'state') };

function boxgate(args: string[], variables: Record<string, string> = {}): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [launcher, ...args], {
    env: { ...env, ...variables },
    encoding: 'utf8',
    timeout: 30_000,
  });
}

const gatewayEnv = {
  GATEWAY_TUNNEL_URL: 'http://127.0.0.1:9',
  GATEWAY_TUNNEL_PASSWORD: 'never used',
  GATEWAY_DOMAIN: 'example.org',
};

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const commandLines = [
  'box serve',
  'box update check',
  'box update apply',
  'box settings undo',
  'box catalogue check',
  'box trash list',
  'box trash restore',
  'spec box',
  'spec gateway',
  'demo',
  'conformance box',
  'conformance gateway',
  'gateway serve',
  'gateway boxes list',
  'gateway boxes remove',
];

test('box/process/12, gateway/process/19: --help on every command, on every group and on boxgate itself', () => {
  for (const words of commandLines) {
    const { status, stdout, stderr } = boxgate([...words.split(' '), '--help']);
    assert.deepEqual([status, stderr], [0, ''], words);
    assert.match(stdout, new RegExp(`^boxgate ${words}`));
  }
  for (const words of [[], ['box'], ['box', 'trash']]) {
    const { status, stdout } = boxgate([...words, '--help']);
    assert.equal(status, 0);
    assert.match(stdout, /boxgate box trash list/);
  }
});

test('a wrong command line is exit status 2 and one line that names what is wrong', () => {
  const rows: [string[], RegExp][] = [
    [['nothing'], /"nothing"/],
    [['box'], /"box"/],
    [['box', 'nothing'], /"box nothing"/],
    [['box', 'serve', '--nothing'], /--nothing/],
    [['box', 'serve', '--port', 'x'], /--port/],
    [['box', 'serve', 'extra'], /"extra"/],
    [['box', 'settings', 'undo'], /NAME/],
    [['box', 'trash', 'restore'], /NAME/],
    [['demo', '--port', '1'], /--port/],
  ];
  for (const [args, line] of rows) {
    const { status, stdout, stderr } = boxgate(args);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^boxgate: [^\n]+\n$/);
    assert.match(stderr, line);
  }
  assert.match(boxgate(['box', 'serve'], { BOX_PORT: 'x' }).stderr, /^boxgate: BOX_PORT: /);
});

for (const service of ['box', 'gateway']) {
  test(`boxgate spec ${service} prints the document as it is, and with --json as JSON with the same content`, () => {
    const yaml = boxgate(['spec', service]);
    assert.equal(yaml.stdout, readFileSync(join(packageRoot, 'spec', `${service}.openapi.yaml`), 'utf8'));
    const json = boxgate(['spec', service, '--json']);
    assert.deepEqual([yaml.status, json.status, yaml.stderr, json.stderr], [0, 0, '', '']);
    assert.deepEqual(JSON.parse(json.stdout), parse(yaml.stdout, { maxAliasCount: -1 }));
  });
}

test('--version prints the version of the package', () => {
  assert.match(boxgate(['--version']).stdout, /^\d+\.\d+\.\d+\n$/);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} before the server listens ends it with 0`, async () => {
    // A database that accepts connections and never answers, so that the start waits.
    const database = createServer((socket) => void socket.on('error', () => {}).resume());
    const port = await portOf(database);
    const asked = once(database, 'connection');
    const store = {
      GATEWAY_STATE_DIR: join(folder, 'gateway'),
      GATEWAY_STORE: `postgres://nobody@127.0.0.1:${port}/nothing`,
    };
    const { child, said, ended } = startBoxgate(['gateway', 'serve'], { ...env, ...gatewayEnv, ...store });
    await asked;
    child.kill(signal);
    assert.deepEqual(await ended, [0, null], said.err);
    assert.deepEqual(said, { out: '', err: '' });
    database.close();
  });
}

for (const [what, program, path] of [
  ['a box', 'box', '/proc/no/state'],
  ['a gateway', 'gateway', '/proc/no/state'],
  ['a box with a folder in the place of a file', 'box', join(folder, 'blocked')],
] as const) {
  test(`box/process/14, choice/box/166, gateway/process/21, choice/gateway/102: ${what} whose state cannot be written is exit status 1 and one line that names the path`, () => {
    mkdirSync(join(folder, 'blocked', 'running.json'), { recursive: true });
    assertFailsNaming(
      path.replace(/(?<=\/no)\/state$/, ''),
      [program, 'serve', '--port', '0', '--state-dir', path],
      gatewayEnv,
    );
  });
}

/** Runs a command that ends with status 1 and one line that contains the path. */
function assertFailsNaming(path: string, args: string[], variables: Record<string, string>): void {
  const { status, signal, stdout, stderr } = boxgate(args, variables);
  assert.deepEqual([status, signal, stdout], [1, null, ''], stderr);
  assert.match(stderr, /^boxgate: [^\n]+\n$/);
  assert.ok(stderr.includes(path), stderr);
}

/** Preloaded by the program: every write of a temporary file fails as on a full disk. */
const fullDisk = `
const fs = require('node:fs');
const fail = (path) => {
  if (path.includes('.boxgate-write-')) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
};
const { writeFileSync, promises } = fs;
const { open } = promises;
fs.writeFileSync = (path, ...rest) => (fail(String(path)), writeFileSync(path, ...rest));
promises.open = async (path, ...rest) => (fail(String(path)), open(path, ...rest));
`;

test('a box starts on a full disk, with an update to end', async () => {
  const state = join(folder, 'full');
  mkdirSync(state);
  writeFileSync(join(state, 'update-state.json'), '{"stage": "downloading"}');
  writeFileSync(join(folder, 'full.cjs'), fullDisk);
  const argv = [process.execPath, '--require', join(folder, 'full.cjs'), launcher, 'box', 'serve', '--port', '0'];
  const box = startProgram(argv, { ...env, BOX_STATE_DIR: state });
  assert.notEqual(await readyAddress(box), null, box.said.err);
  box.child.kill();
  await box.ended;
  for (const name of ['update-state.json', 'running.json']) {
    assert.match(box.said.err, new RegExp(`^cannot write .*${name}: no space left on the disk; the next update`, 'm'));
  }
});

test('a demo that cannot create its folder ends with status 1 and one line that names the path', () => {
  const path = join(folder, 'nowhere');
  assertFailsNaming(path, ['demo'], { TMPDIR: path });
});

test('ends normally when the reader of its output stops early, like head', async () => {
  const { child, said, ended } = startBoxgate(['--help'], env);
  child.stdout?.destroy();
  assert.deepEqual([await ended, said.err], [[0, null], '']);
});

test('runs by an absolute path, a relative one and a link', () => {
  const link = join(folder, 'boxgate');
  symlinkSync(launcher, link);
  for (const path of [launcher, relative(folder, launcher), link]) {
    const options = { cwd: folder, env, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync(process.execPath, [path, '--version'], options);
    assert.equal(status, 0, path);
    assert.match(stdout, /^\d/);
  }
});

test('an older Node gives one line and exit status 2', () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '20.11.0' }); require(${JSON.stringify(launcher)})`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.equal(stderr, 'boxgate: needs Node 24 or newer, this is 20.11.0\n');
});
