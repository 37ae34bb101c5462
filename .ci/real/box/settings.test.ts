// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { container, docker, identity } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { freePort } from '../support/server-process.ts';

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
    [port, 'another program on this machine'],
    [box.port, 'the box itself'],
    [strange, 'another program on this machine'],
  ];
  for (const [taken, holder] of holders) {
    const refusal = `HELD: port ${taken} is in use by ${holder}; choose another one`;
    assert.deepEqual(await box.change('real-held', { HELD: taken }), { status: 400, body: { error: refusal } });
  }
  for (const value of [-1, 99999]) {
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

test('a volume leads to the folder that a setting names now, also after a removal, and an earlier version gets its own back', async (t) => {
  const name = 'real-films';
  const version = (number: string, device: string, tag: string): AppFiles => ({
    manifest: { version: number, settings: [{ name: 'FILMS' }] },
    compose: `
services:
  web: { image: "${registry}/web:${tag}", stop_grace_period: 1s, volumes: ["films:/data"] }
volumes:
  films: { driver_opts: { type: none, o: bind, device: "${device}" } }
`,
  });
  const box = await startBox(t, { [name]: version('1.0', '$FILMS', '1') });
  const folder = (film: string) => {
    mkdirSync(join(box.folder, film));
    writeFileSync(join(box.folder, film, 'name'), film);
    return join(box.folder, film);
  };
  const [one, two] = [folder('one'), folder('two')];
  const seen = () => docker('exec', container(name, 'web').id, 'cat', '/data/name');
  await box.install(name, { FILMS: one });
  assert.equal(seen(), 'one');
  await box.change(name, { FILMS: two });
  assert.equal(seen(), 'two');
  await box.remove(name);
  await box.install(name, { FILMS: one });
  assert.equal(seen(), 'one');
  box.bundle(name, version('2.0', two, 'stops'));
  assert.equal((await box.update(name)).status, 502);
  assert.deepEqual([seen(), readFileSync(join(two, 'name'), 'utf8')], ['one', 'two']);
});
