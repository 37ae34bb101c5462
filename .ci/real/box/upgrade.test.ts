import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { container, docker, identity } from '../support/docker.ts';
import { newTag, registry } from '../support/registry.ts';
import { freePort } from '../support/server-process.ts';
import { pageAt } from '../support/until.ts';

const page = (port: number) => pageAt(`http://127.0.0.1:${port}/`);

/** An app version with a pinned tag, an `env_file`, a mounted file and an unchanged service. */
function version(version: string, tag: string, port: number, more: Record<string, string> = {}): AppFiles {
  return {
    manifest: { version },
    compose: `
services:
  web:
    image: "${registry}/web:${tag}"
    ports: ["127.0.0.1:${port}:8080"]
    restart: unless-stopped
    env_file: .env
    volumes: ["./conf:/conf:ro", "./data:/data"]
  stays: { image: "${registry}/web:3" }
`,
    files: { '.env.example': 'GREETING=hi\n', 'conf/a.conf': `of ${version}\n`, ...more },
  };
}

async function start(t: Parameters<typeof startBox>[0], name: string): Promise<{ box: Box; port: number }> {
  const port = await freePort();
  const box = await startBox(t, { [name]: version('1.10', '1', port) });
  const answer = await box.install(name, { GREETING: 'ahoy' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  writeFileSync(join(box.installed, name, 'conf/a.conf'), 'edited\n');
  return { box, port };
}

const snapshot = (box: Box, name: string) =>
  ['manifest.json', 'compose.yaml', '.env', 'conf/a.conf'].map((path) => box.read(name, path));

test('choice/box/304: an update brings the newer version of the catalogue; settings and edits stay', async (t) => {
  const name = 'real-upgrade';
  const { box, port } = await start(t, name);
  const stays = container(name, 'stays');
  box.bundle(name, version('1.11', '2', port, { '.env.example': 'GREETING=hi\nNEW=1\n' }));
  const [entry] = (await box.get('/api/apps')).body;
  assert.deepEqual([entry.version, entry.available_version], ['1.10', '1.11']);

  const answer = await box.update(name);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { updated, services, from_version, to_version, kept } = answer.body;
  assert.deepEqual([updated, from_version, to_version], [true, '1.10', '1.11']);
  assert.deepEqual(kept, ['conf/a.conf.kept']);
  assert.deepEqual(
    services.map(({ service, tag }: { service: string; tag: string }) => [service, tag]),
    [['web', `${registry}/web:2`]],
  );
  assert.equal(await page(port), 'web 2\n');
  assert.equal(box.read(name, '.env'), 'GREETING=ahoy\nNEW=1\n');
  assert.equal(box.read(name, 'conf/a.conf.kept'), 'edited\n');
  assert.deepEqual(container(name, 'stays'), stays);
  const second = await box.update(name);
  assert.deepEqual(second.body, { app: name, updated: false, services: [] });
});

test('choice/box/304: an image that the registry does not have touches nothing', async (t) => {
  const name = 'real-absent';
  const { box, port } = await start(t, name);
  const before = [snapshot(box, name), identity(name)];
  box.bundle(name, version('1.11', newTag('never-was'), port));
  const answer = await box.update(name);
  assert.equal(answer.status, 502, JSON.stringify(answer.body));
  assert.deepEqual([snapshot(box, name), identity(name)], before);
  assert.ok(!box.has(name, 'conf/a.conf.kept'));
});

test('choice/box/304: a version that does not stay up is rolled back, and one that does is taken after that', async (t) => {
  const name = 'real-falls';
  const { box, port } = await start(t, name);
  const before = snapshot(box, name);
  box.bundle(name, version('1.11', 'stops', port, { '.env.example': 'GREETING=hi\nNEW=1\n' }));
  const answer = await box.update(name);
  assert.equal(answer.status, 502, JSON.stringify(answer.body));
  assert.match(answer.body.error, /; the app runs version 1\.10 again; its data stays as the newer version left it$/);
  assert.deepEqual(snapshot(box, name), before);
  assert.equal(await page(port), 'web 1\n');

  box.bundle(name, version('1.12', '2', port));
  const repaired = await box.update(name);
  assert.equal(repaired.status, 200, JSON.stringify(repaired.body));
  assert.equal(await page(port), 'web 2\n');
});

test('choice/box/304: after a kill -9 during an upgrade the app is whole, in the old version or the new', async (t) => {
  const name = 'real-killed';
  const { box, port } = await start(t, name);
  const before = snapshot(box, name);
  // This version runs but never becomes healthy, so the upgrade waits.
  const waits = version('1.11', '2', port);
  box.bundle(name, {
    ...waits,
    compose: waits.compose.replace('env_file', 'healthcheck: { test: "exit 1", interval: 300s }\n    env_file'),
  });
  const cut = box.update(name).catch(() => null);
  while (!box.read(name, 'manifest.json').includes('1.11')) await new Promise((done) => setTimeout(done, 50));
  await box.kill();
  await cut;
  await box.start();
  assert.deepEqual(snapshot(box, name), before);
  const answer = await box.change(name, { GREETING: 'again' });
  assert.ok([200, 207].includes(answer.status), JSON.stringify(answer.body));
  assert.equal(await page(port), 'web 1\n');
});

test('choice/box/304: a stopped app gets the files of the newer version and stays stopped', async (t) => {
  const name = 'real-asleep';
  const { box, port } = await start(t, name);
  docker('stop', '-t', '0', container(name, 'web').id, container(name, 'stays').id);
  box.bundle(name, version('1.11', '2', port));
  const answer = await box.update(name);
  assert.deepEqual([answer.status, answer.body.to_version], [200, '1.11'], JSON.stringify(answer.body));
  assert.match(box.read(name, 'manifest.json'), /1\.11/);
  assert.equal(container(name, 'web').status, 'exited');
});
