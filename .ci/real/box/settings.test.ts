import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { container, docker, environment, identity } from '../support/docker.ts';
import { registry } from '../support/registry.ts';
import { freePort } from '../support/server-process.ts';

/** One service reads .env, the other does not. */
const twoServices: AppFiles = {
  compose: `
services:
  seen: { image: "${registry}/web:1", env_file: .env }
  unseen: { image: "${registry}/web:2" }
`,
  files: { '.env.example': '# Written by hand\nA=1\nB=2\n' },
};
const neighbour: AppFiles = {
  compose: `services: { web: { image: "${registry}/web:1", env_file: .env } }`,
  files: { '.env.example': '' },
};

test('a settings update recreates what it must and touches nothing else', async (t) => {
  const box = await startBox(t, { 'real-changed': twoServices, 'real-neighbour': neighbour });
  assert.equal((await box.install('real-neighbour', { A: 'own' })).status, 200);
  assert.equal((await box.install('real-changed')).status, 200);
  const before = { seen: container('real-changed', 'seen'), unseen: container('real-changed', 'unseen') };
  const other = identity('real-neighbour');

  const answer = await box.change('real-changed', { A: 'new' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.updated, 'real-changed');
  const seen = container('real-changed', 'seen');
  assert.notEqual(seen.id, before.seen.id);
  assert.equal(environment(seen.id).get('A'), 'new');
  assert.equal(environment(seen.id).get('B'), '2');
  assert.deepEqual(container('real-changed', 'unseen'), before.unseen);
  assert.deepEqual(identity('real-neighbour'), other);
  assert.equal(box.read('real-changed', '.env'), '# Written by hand\nA=new\nB=2\n');

  const recreated = answer.body.actions.filter((action: { kind: string }) => action.kind === 'recreate');
  assert.deepEqual(
    recreated.map((action: { target: string }) => action.target),
    ['real-changed/seen'],
  );
});

test('values that are the same already write nothing and recreate nothing', async (t) => {
  const box = await startBox(t, { 'real-same': twoServices });
  assert.equal((await box.install('real-same', { A: 'x y' })).status, 200);
  const file = join(box.installed, 'real-same', '.env');
  const before = { running: identity('real-same'), ino: statSync(file).ino, mtimeMs: statSync(file).mtimeMs };
  assert.equal((await box.change('real-same', { A: 'x y', B: '2' })).status, 200);
  assert.deepEqual(
    { running: identity('real-same'), ino: statSync(file).ino, mtimeMs: statSync(file).mtimeMs },
    before,
  );
});

test('a container that an owner stopped runs again after the next change, and is the same one', async (t) => {
  const box = await startBox(t, { 'real-stopped': neighbour, 'real-other': neighbour });
  assert.equal((await box.install('real-stopped')).status, 200);
  const { id } = container('real-stopped', 'web');
  docker('stop', '-t', '1', id);
  const answer = await box.install('real-other');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(container('real-stopped', 'web').status, 'running');
  assert.equal(container('real-stopped', 'web').id, id);
});

test('a container that an owner deleted is there again after the next change', async (t) => {
  const box = await startBox(t, { 'real-deleted': neighbour, 'real-beside': neighbour });
  assert.equal((await box.install('real-deleted')).status, 200);
  docker('rm', '-f', container('real-deleted', 'web').id);
  assert.equal((await box.install('real-beside')).status, 200);
  assert.equal(container('real-deleted', 'web').status, 'running');
});

test('an edit of .env by hand reaches the container with the next change', async (t) => {
  const box = await startBox(t, { 'real-hand': neighbour });
  assert.equal((await box.install('real-hand', { A: '1' })).status, 200);
  writeFileSync(join(box.installed, 'real-hand', '.env'), "A='by hand'\nC=3\n");
  assert.equal((await box.change('real-hand', { C: '3' })).status, 200);
  assert.equal(environment(container('real-hand', 'web').id).get('A'), 'by hand');
});

test('a service that leaves the Compose file leaves the engine', async (t) => {
  const box = await startBox(t, { 'real-orphan': twoServices });
  assert.equal((await box.install('real-orphan')).status, 200);
  box.bundle('real-orphan', {
    compose: `services: { seen: { image: "${registry}/web:1", env_file: .env } }`,
  });
  const answer = await box.install('real-orphan');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(
    identity('real-orphan').map((line) => line.split(' ')[0]),
    ['seen'],
  );
});

test('ten changes at once on one app are done one after the other, and the last word of each key stands', async (t) => {
  const box = await startBox(t, { 'real-queue': neighbour });
  assert.equal((await box.install('real-queue')).status, 200);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => box.change('real-queue', { [`K${n}`]: `${n}` })),
  );
  assert.deepEqual(
    answers.map((each) => each.status),
    Array.from({ length: 10 }, () => 200),
  );
  const seen = environment(container('real-queue', 'web').id);
  for (let n = 0; n < 10; n += 1) assert.equal(seen.get(`K${n}`), `${n}`);
});

/** An app of one service that publishes the port of this setting. */
const onPort = (variable: string): AppFiles => ({
  compose: `services: { web: { image: "${registry}/web:1", ports: ["\${${variable}}:80", "\${${variable}}:80/udp"] } }`,
});

test('a port that something else holds is refused, and the running app stays as it is', async (t) => {
  const box = await startBox(t, { 'real-held': onPort('HELD'), 'real-holder': onPort('HOLDER') });
  const [own, other] = [await freePort(), await freePort()];
  assert.equal((await box.install('real-held', { HELD: own })).status, 200);
  assert.equal((await box.install('real-holder', { HOLDER: other })).status, 200);
  const before = identity('real-held');
  const program = createServer().listen(0);
  t.after(() => program.close());
  await once(program, 'listening');
  const { port } = program.address() as AddressInfo;
  docker('network', 'create', 'real-stranger');
  const options = ['--name', 'real-stranger', '--network', 'real-stranger', '-p', '127.0.0.1::80'];
  const stranger = docker('run', '-d', ...options, `${registry}/web:1`);
  t.after(() => {
    docker('rm', '-f', stranger);
    docker('network', 'rm', 'real-stranger');
  });
  const strange = docker('port', stranger, '80').split(':').at(-1);

  const holders: [string | number | undefined, string][] = [
    [other, 'the app real-holder'],
    [port, `the program ${basename(process.execPath)} (process ${process.pid})`],
    [box.port, 'the box itself'],
    [strange, `a container of no app (docker ps --filter publish=${strange} shows it)`],
  ];
  for (const [taken, holder] of holders) {
    const refusal = `HELD: port ${taken} is in use by ${holder}; choose another one`;
    assert.deepEqual(await box.change('real-held', { HELD: taken }), { status: 400, body: { error: refusal } });
  }
  for (const value of [0, -1, 99999]) {
    assert.deepEqual(await box.change('real-held', { HELD: value }), {
      status: 400,
      body: { error: `HELD: "${value}" is not a port; use a number from 1 to 65535` },
    });
  }
  assert.deepEqual(identity('real-held'), before);
  assert.equal(box.read('real-held', '.env'), `HELD=${own}\n`);
  assert.equal((await box.change('real-held', { OTHER: 1 })).status, 200);
  assert.equal((await box.install('real-held')).status, 200);

  // A container in a crash loop publishes no port between two starts. Its port still counts as its own.
  const crashing = `services: { web: { image: "${registry}/web:1", restart: always, command: ["sh", "-c", "exit 3"], ports: ["\${HELD}:80"] } }`;
  writeFileSync(join(box.installed, 'real-held', 'compose.yaml'), crashing);
  for (let count = 0; count < 5; count += 1) {
    const answer = await box.change('real-held', { OTHER: count });
    assert.notEqual(answer.status, 400, JSON.stringify(answer.body));
  }
});

test('settings undo brings back an app that its new settings broke, beside the running server', async (t) => {
  const compose = `services: { web: { image: "${registry}/web:1", command: ["sh", "-c", "\${START}"] } }`;
  const box = await startBox(t, { 'real-undone': { compose } });
  assert.equal((await box.install('real-undone', { START: 'sleep 1000', KEPT: '1' })).status, 200);
  await box.change('real-undone', { START: 'exit 3', KEPT: '2' });
  assert.equal(container('real-undone', 'web').status, 'exited');

  const undone = box.command('settings', 'undo', 'real-undone');
  assert.deepEqual([undone.stderr, undone.status], ['', 0]);
  assert.match(undone.stdout, /^real-undone has its previous settings again \(changed START, KEPT\) and runs\n/);
  const { id, status } = container('real-undone', 'web');
  assert.equal(status, 'running');
  assert.equal(box.read('real-undone', '.env'), 'START="sleep 1000"\nKEPT=1\n');
  // The server accepts that state: its next reconcile changes nothing.
  const answer = await box.change('real-undone', {});
  assert.deepEqual(
    answer.body.actions.map(({ kind }: { kind: string }) => kind),
    ['noop'],
  );
  assert.equal(container('real-undone', 'web').id, id);
});
