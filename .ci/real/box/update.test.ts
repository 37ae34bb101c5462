import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { container, docker, identity, imageId } from '../support/docker.ts';
import { moveTag, newTag, registry } from '../support/registry.ts';
import { freePort } from '../support/server-process.ts';
import { pageAt } from '../support/until.ts';

const moving = newTag('moving');
const both = newTag('both');
const pulled = newTag('pulled');
const waits = newTag('waits');
const gone = newTag('gone');
const stopped = newTag('stopped');
const partly = newTag('partly');

/** An app with two services: one whose tag moves, and one that never changes. */
async function following(tag: string, port: number, restart = 'no'): Promise<AppFiles> {
  await moveTag(tag, '1');
  return {
    compose: `
services:
  moves: { image: "${registry}/web:${tag}", ports: ["127.0.0.1:${port}:8080"], restart: "${restart}" }
  stays: { image: "${registry}/web:3" }
`,
  };
}

const page = (port: number) => pageAt(`http://127.0.0.1:${port}/`);

async function installed(box: Box, ...names: string[]): Promise<void> {
  for (const name of names) {
    const answer = await box.install(name);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
}

test('an update after the image moved reports exact image ids and recreates just that service', async (t) => {
  const port = await freePort();
  const box = await startBox(t, {
    'real-moving': await following(moving, port),
    'real-idle': { compose: `services: { web: { image: "${registry}/web:1" } }` },
  });
  await installed(box, 'real-idle', 'real-moving');
  const before = { moves: container('real-moving', 'moves'), stays: container('real-moving', 'stays') };
  const idle = identity('real-idle');
  await moveTag(moving, '2');

  const answer = await box.update('real-moving');
  const after = container('real-moving', 'moves');
  const tag = `${registry}/web:${moving}`;
  const services = [{ service: 'moves', from: before.moves.image, to: imageId(tag), tag }];
  assert.deepEqual(answer, { status: 200, body: { app: 'real-moving', updated: true, services } });
  assert.notEqual(after.id, before.moves.id);
  assert.equal(after.image, imageId(tag));
  assert.equal(await page(port), 'web 2\n');
  assert.deepEqual(container('real-moving', 'stays'), before.stays);
  assert.deepEqual(identity('real-idle'), idle);

  const running = identity('real-moving');
  const second = await box.update('real-moving');
  assert.deepEqual(second, { status: 200, body: { app: 'real-moving', updated: false, services: [] } });
  assert.deepEqual(identity('real-moving'), running);
});

test('every service that follows a moved tag has a record, sorted by name', async (t) => {
  await moveTag(both, '1');
  const service = `{ image: "${registry}/web:${both}" }`;
  const box = await startBox(t, {
    'real-both': { compose: `services: { zeta: ${service}, alpha: ${service} }` },
  });
  await installed(box, 'real-both');
  await moveTag(both, '2');
  const answer = await box.update('real-both');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(
    answer.body.services.map((each: { service: string }) => each.service),
    ['alpha', 'zeta'],
  );
});

test('an image that somebody pulled already still counts as newer than the container', async (t) => {
  await moveTag(pulled, '1');
  const box = await startBox(t, {
    'real-pulled': { compose: `services: { web: { image: "${registry}/web:${pulled}" } }` },
  });
  await installed(box, 'real-pulled');
  const from = container('real-pulled', 'web').image;
  await moveTag(pulled, '2');
  docker('pull', '-q', `${registry}/web:${pulled}`);
  const answer = await box.update('real-pulled');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.services[0].from, from);
  assert.equal(container('real-pulled', 'web').image, answer.body.services[0].to);
});

test('a reconcile never pulls: a moved tag waits for an update', async (t) => {
  await moveTag(waits, '1');
  const box = await startBox(t, {
    'real-waits': { compose: `services: { web: { image: "${registry}/web:${waits}" } }` },
  });
  await installed(box, 'real-waits');
  await moveTag(waits, '2');
  const { image } = container('real-waits', 'web');
  assert.equal((await box.change('real-waits', { A: '1' })).status, 200);
  assert.equal(container('real-waits', 'web').image, image);
});

for (const restart of ['no', 'unless-stopped']) {
  test(`a container (restart: ${restart}) that will not start after an update ends as before, with a 502`, async (t) => {
    const failing = newTag('failing');
    const port = await freePort();
    const box = await startBox(t, { 'real-failing': await following(failing, port, restart) });
    await installed(box, 'real-failing');
    const before = { moves: container('real-failing', 'moves'), stays: container('real-failing', 'stays') };
    await moveTag(failing, 'stops');

    const answer = await box.update('real-failing');
    assert.equal(answer.status, 502, JSON.stringify(answer.body));
    assert.match(answer.body.error, /moves/);
    assert.match(answer.body.error, /back|previous|before|old/i);
    const after = container('real-failing', 'moves');
    assert.equal(after.status, 'running');
    assert.equal(after.image, before.moves.image);
    assert.equal(imageId(`${registry}/web:${failing}`), before.moves.image);
    assert.equal(await page(port), 'web 1\n');
    assert.deepEqual(container('real-failing', 'stays'), before.stays);

    // After the failure, an update to an image that starts succeeds.
    await moveTag(failing, '2');
    const repaired = await box.update('real-failing');
    assert.equal(repaired.status, 200, JSON.stringify(repaired.body));
    assert.equal(await page(port), 'web 2\n');
  });
}

test('a tag that the registry no longer has is a 502, and nothing is touched', async (t) => {
  const port = await freePort();
  const box = await startBox(t, { 'real-gone': await following(gone, port) });
  await installed(box, 'real-gone');
  const before = identity('real-gone');
  const compose = box.read('real-gone', 'compose.yaml').replace('web:3', 'web:never-was');
  writeFileSync(`${box.installed}/real-gone/compose.yaml`, compose);
  await moveTag(gone, '2');
  const answer = await box.update('real-gone');
  assert.equal(answer.status, 502, JSON.stringify(answer.body));
  assert.deepEqual(identity('real-gone'), before);
});

test('a stopped app is neither compared nor started, although a newer image is there', async (t) => {
  const port = await freePort();
  const box = await startBox(t, { 'real-stopped': await following(stopped, port, 'unless-stopped') });
  await installed(box, 'real-stopped');
  const before = [container('real-stopped', 'moves'), container('real-stopped', 'stays')];
  docker('stop', '-t', '0', ...before.map(({ id }) => id));
  await moveTag(stopped, '2');
  const answer = await box.update('real-stopped');
  assert.deepEqual(answer, { status: 200, body: { app: 'real-stopped', updated: false, services: [] } });
  const after = [container('real-stopped', 'moves'), container('real-stopped', 'stays')];
  assert.deepEqual(
    after.map(({ id, status }) => [id, status]),
    before.map(({ id }) => [id, 'exited']),
  );
});

test('a stopped service stays stopped while the one that runs is recreated', async (t) => {
  const port = await freePort();
  const box = await startBox(t, { 'real-partly': await following(partly, port) });
  await installed(box, 'real-partly');
  const { id } = container('real-partly', 'stays');
  docker('stop', '-t', '0', id);
  await moveTag(partly, '2');
  const answer = await box.update('real-partly');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(
    answer.body.services.map((each: { service: string }) => each.service),
    ['moves'],
  );
  assert.equal(await page(port), 'web 2\n');
  const stays = container('real-partly', 'stays');
  assert.deepEqual([stays.id, stays.status], [id, 'exited']);
});
