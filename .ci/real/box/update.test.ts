import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { container, docker, imageId } from '../support/docker.ts';
import { moveTag, newTag, registry } from '../support/registry.ts';
import { freePort } from '../support/server-process.ts';
import { pageAt } from '../support/until.ts';

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
    if (restart === 'no') await freesReplaced(box, failing, before.moves.image);
  });
}

/** An image that only this app has goes; that of `web:1` has this tag, too, so it stays. */
async function freesReplaced(box: Box, tag: string, one: string): Promise<void> {
  const own = `${registry}/web:${tag}-own`;
  docker('tag', one, `${registry}/web:1`);
  docker('commit', '--change', `LABEL of=${tag}`, container('real-failing', 'moves').id, own);
  docker('push', own);
  docker('rmi', own);
  await moveTag(tag, `${tag}-own`);
  assert.equal((await box.update('real-failing')).status, 200);
  // The digest of the registry, against that of the image that runs.
  assert.doesNotMatch(box.command('update', 'apps', 'look').stdout, /real-failing/);
  await moveTag(tag, '1');
  const young = box.command('update', 'apps', '--min-age', '1h');
  assert.match(
    young.stdout,
    new RegExp(`^real-failing: a newer image of ${registry}/web:${tag}, .*updated when known for 1 h$`, 'm'),
  );
  const updated = box.command('update', 'apps', '--min-age', '0h');
  assert.match(updated.stdout, /^real-failing: 1 image\(s\) updated/m, updated.stderr);
  const { stdout } = box.command('space', 'free');
  assert.match(stdout, new RegExp(`^removed ${registry}/web:${tag} of real-failing$`, 'm'));
  assert.doesNotMatch(docker('image', 'ls', '-q', '--filter', `label=of=${tag}`), /./);
  assert.equal(imageId(`${registry}/web:1`), one);
  assert.equal(container('real-failing', 'moves').status, 'running');
}
