import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, cpSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type GatewayEnvironment, makeGatewayEnvironment } from '../../fakes/gateway-environment.ts';
import { writeTunnelPrograms } from '../../fakes/tunnel-programs.ts';
import { launcher, type Program, readyAddress, startProgram } from '../lib/testing/boxgate-process.ts';
import { oddFiles, putOdd } from '../lib/testing/odd-files.ts';

/** A gateway with one box and one route, whose folders each case copies; and that box's own state directory. */

const kinds = Object.keys(oddFiles);
const deviceMode = statSync('/dev/zero').mode;

/** The memory limit: below the size of the huge file and far above the need of a gateway. */
const mostMemoryBytes = 1_000_000_000;

/** Far longer than a start or a command takes: only a hang exceeds it. */
const endsWithinMs = 60_000;

let environment: GatewayEnvironment;
let routeFile: string;
let box: { box_id: string; box_token: string };
let cases = 0;

/** Starts boxgate with a memory limit. A hanging process is killed. */
function run(words: string[], env: Record<string, string>): Program {
  // A fake `nft` protects the packet filter of this machine.
  const path = { PATH: `${join(environment.root, 'bin')}:${process.env.PATH}` };
  const limited = ['prlimit', `--data=${mostMemoryBytes}`, process.execPath, launcher, ...words];
  const program = startProgram(limited, { ...env, ...path });
  const limit = setTimeout(() => program.child.kill('SIGKILL'), endsWithinMs);
  program.child.on('close', () => clearTimeout(limit));
  return program;
}

/** The folders of a case: copies of the folders that a gateway and a box have left. */
function makeCase() {
  cases += 1;
  const folder = join(environment.root, `case-${cases}`);
  const place = (name: string) => join(folder, name);
  cpSync(environment.stateDir, place('state'), { recursive: true });
  cpSync(environment.routesDir, place('routes'), { recursive: true });
  cpSync(join(environment.root, 'box'), place('box'), { recursive: true });
  const env = { ...environment.env(), GATEWAY_STATE_DIR: place('state'), GATEWAY_ROUTES_DIR: place('routes') };
  return { place, env, count: cases };
}

type Gateway = Program & { address: string | null };

/** Starts a gateway and waits until it is ready. Its address is `null` if it ended before. */
async function serve(env: Record<string, string>): Promise<Gateway> {
  const started = run(['gateway', 'serve', '--port', '0'], env);
  return { ...started, address: await readyAddress(started) };
}

async function stop({ child, ended, said }: Program, told: string): Promise<void> {
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null], `${told}: ${said.err}`);
  assert.doesNotMatch(said.err, /internal error|\n {4}at /, told);
}

/** Waits for output: it may arrive after the response. */
async function untilSaid({ child, said }: Gateway, isSaid: () => boolean): Promise<void> {
  while (!isSaid()) {
    assert.equal(child.exitCode, null, said.err);
    await once(child.stderr ?? assert.fail(), 'data');
  }
}

/** Publishes a route, and verifies that the status is documented. */
async function publish(address: string, subdomain: string): Promise<number> {
  const answer = await fetch(`${address}/v1/routes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${box.box_token}` },
    body: JSON.stringify({ app_name: 'notes', subdomain, port: 80 }),
    signal: AbortSignal.timeout(endsWithinMs),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** The program works, or it ends with one line that names the file. */
function assertToldInOneLine(told: string, err: string, file: string): void {
  assert.match(err, /^boxgate: [^\n]+\n$/, told);
  assert.ok(err.includes(file), `${told}: ${err}`);
}

/** Runs `work` for each kind of file, four at a time, because a start mostly waits. */
async function forEachKind(work: (kind: string) => Promise<void>): Promise<void> {
  const left = [...kinds];
  const worker = async () => {
    for (let kind = left.shift(); kind !== undefined; kind = left.shift()) await work(kind);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

before(async () => {
  environment = await makeGatewayEnvironment();
  const place = (name: string) => join(environment.root, name);
  mkdirSync(place('bin'));
  writeTunnelPrograms(place('bin'));
  writeFileSync(place('bin/nft'), '#!/bin/sh\ncat > /dev/null\n', { mode: 0o755 });
  const gateway = await serve(environment.env());
  const address = gateway.address ?? assert.fail(gateway.said.err);
  const env = {
    BOX_STATE_DIR: place('box'),
    BOX_REGISTRATION_TOKEN: environment.registrationToken,
    BOX_GATEWAY_PROXY: environment.traefik.url,
  };
  for (const words of [
    ['join', '--gateway', address, '--name', 'attic'],
    ['publish', 'notes', '--subdomain', 'notes', '--port', '80'],
  ]) {
    const { ended, said } = run(['tunnel', ...words], env);
    assert.deepEqual(await ended, [0, null], said.err);
  }
  box = JSON.parse(readFileSync(place('box/tunnel.json'), 'utf8'));
  routeFile = `boxgate-${box.box_id}.yml`;
  await stop(gateway, 'the first gateway');
});

after(async () => {
  const left = statSync('/dev/zero').mode;
  if (left !== deviceMode) chmodSync('/dev/zero', deviceMode & 0o777);
  await environment.dispose();
  assert.equal(left, deviceMode, 'a device keeps its mode');
});

for (const file of [
  'state/gateway.db',
  'state/gateway.db-wal',
  'state/gateway.db-shm',
  'state/gateway.db-journal',
  'state/gateway.db.lock',
  'routes/.boxgate/store-id',
]) {
  test(`${file} as an odd file: the gateway serves, or its start says why not`, () =>
    forEachKind(async (kind) => {
      const { place, env } = makeCase();
      const told = `${file} is ${kind}`;
      await putOdd(kind, place(file));
      const gateway = await serve(env);
      if (gateway.address === null) {
        // For a readable marker of another store the message names its folder.
        const named = file.endsWith('store-id') ? 'routes/.boxgate' : file;
        return assertToldInOneLine(told, gateway.said.err, place(named));
      }
      // A store without its database does not know the box.
      assert.ok([201, 401].includes(await publish(gateway.address, 'more')), told);
      await stop(gateway, told);
    }));
}

test('an odd file in the place of a route file is replaced, at a start and at a change, and a directory is named', () =>
  forEachKind(async (kind) => {
    const { place, env } = makeCase();
    const path = place(`routes/${routeFile}`);
    await putOdd(kind, path);
    let gateway = await serve(env);
    if (kind === 'a directory') {
      assert.equal(gateway.address, null);
      assertToldInOneLine(kind, gateway.said.err, routeFile);
      await putOdd('unreadable bytes', path);
      gateway = await serve(env);
    }
    const address = gateway.address ?? assert.fail(`${kind}: ${gateway.said.err}`);
    assert.match(readFileSync(path, 'utf8'), /notes/, kind);
    await putOdd(kind, path);
    const status = await publish(address, 'more');
    assert.equal(status, kind === 'a directory' ? 500 : 201, `${kind}: ${gateway.said.err}`);
    if (status === 201) assert.ok(lstatSync(path).size < 10_000, kind);
    else await untilSaid(gateway, () => gateway.said.err.includes(routeFile));
    await stop(gateway, kind);
  }));

test('unmanaged odd files in the routes directory do not block the gateway, and those that block the proxy are named', async () => {
  const { place, env } = makeCase();
  for (const [i, kind] of kinds.entries()) await putOdd(kind, place(`routes/foreign-${i}.yml`));
  const gateway = await serve(env);
  const address = gateway.address ?? assert.fail(gateway.said.err);
  assert.equal(await publish(address, 'more'), 201);
  const isTold = (i: number) => gateway.said.err.includes(`foreign-${i}.yml`);
  const harmful = kinds.filter((kind) => !['a directory', 'a huge file'].includes(kind));
  await untilSaid(gateway, () => harmful.every((kind) => isTold(kinds.indexOf(kind))));
  await stop(gateway, 'files of others');
  for (const [i, kind] of kinds.entries()) {
    assert.equal(isTold(i), harmful.includes(kind), `${kind}: ${gateway.said.err}`);
  }
});

for (const [file, ...words] of [
  ['tunnel.json', 'heartbeat'],
  ['tunnel.json', 'join'],
  ['tunnel.json.reserved', 'join'],
  ['tunnel.conf.reserved', 'join'],
  ['tunnel.conf', 'join'],
  ['tunnel.conf', 'firewall'],
  ['tunnel-ports.json', 'firewall'],
  ['tunnel-ports.json', 'publish', 'notes', '--port', '80'],
  ['tunnel.lock', 'firewall'],
  ['apps/notes/manifest.json', 'publish', 'notes'],
] as [string, ...string[]][]) {
  test(`${file} as an odd file: tunnel ${words.join(' ')} works, or ends with one line that names it`, async (t) => {
    const gateway = await serve(makeCase().env);
    t.after(() => stop(gateway, file));
    const address = gateway.address ?? assert.fail(gateway.said.err);
    await forEachKind(async (kind) => {
      const { place, count } = makeCase();
      const env = {
        BOX_STATE_DIR: place('box'),
        BOX_GATEWAY_URL: address,
        BOX_NAME: `attic-${count}`,
        BOX_REGISTRATION_TOKEN: environment.registrationToken,
        BOX_ROUTE_SUBDOMAIN: `notes-${count}`,
        BOX_GATEWAY_PROXY: address,
      };
      const identity = place('box/tunnel.json');
      if (words[0] === 'join') rmSync(identity);
      else writeFileSync(identity, JSON.stringify({ ...box, gateway: address }));
      await putOdd(kind, place(`box/${file}`));
      const { ended, said } = run(['tunnel', ...words], env);
      const [status] = await ended;
      const told = `${file} is ${kind}, ${words.join(' ')}`;
      if (status === 0) return;
      assert.equal(status, 1, `${told}: ${said.err}`);
      // A dangling link counts as an absent file. For a readable file the message quotes the text.
      const isRead = ['a dangling link', 'unreadable bytes', 'a huge file'].includes(kind);
      assertToldInOneLine(told, said.err, isRead ? '' : place(`box/${file}`));
    });
  });
}
