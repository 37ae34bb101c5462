import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { container, containers, docker, identity, imageId, networks, volumes } from '../support/docker.ts';
import { registry } from '../support/registry.ts';

const withVolume: AppFiles = {
  compose: `
services:
  web: { image: "${registry}/web:1", volumes: ["kept:/data"], networks: [inner, default] }
  stopped: { image: "${registry}/web:1", command: ["true"] }
networks: { inner: {} }
volumes: { kept: {} }
`,
};

test('remove leaves no container and no network, and keeps named volumes and images', async (t) => {
  const neighbour = { compose: `services: { web: { image: "${registry}/web:1" } }` };
  const box = await startBox(t, { 'real-removed': withVolume, 'real-left': neighbour });
  for (const name of ['real-left', 'real-removed']) {
    const answer = await box.install(name);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
  docker('exec', container('real-removed', 'web').id, 'sh', '-c', 'echo mine >/data/file');
  const other = identity('real-left');

  const answer = await box.remove('real-removed');
  assert.deepEqual(answer, { status: 200, body: { removed: 'real-removed', compose_warning: null } });
  assert.deepEqual(containers('real-removed'), []);
  assert.deepEqual(networks('real-removed'), []);
  assert.deepEqual(volumes('real-removed'), ['real-removed_kept']);
  assert.ok(imageId(`${registry}/web:1`));
  assert.deepEqual(identity('real-left'), other);
  assert.deepEqual(
    readdirSync(box.installed).filter((name) => !name.startsWith('.')),
    ['real-left'],
  );
  assert.equal((await box.remove('real-removed')).status, 404);

  // After a new install of the app, the volume still has its data.
  assert.equal((await box.install('real-removed')).status, 200);
  assert.equal(docker('exec', container('real-removed', 'web').id, 'cat', '/data/file'), 'mine');
});

test('remove takes down what only a profile starts, too', async (t) => {
  const compose = `
services:
  web: { image: "${registry}/web:1" }
  extra: { image: "${registry}/web:1", profiles: [extra] }
`;
  const box = await startBox(t, { 'real-profile': { compose } });
  assert.equal((await box.install('real-profile')).status, 200);
  const cwd = join(box.installed, 'real-profile');
  execFileSync('docker', ['compose', '--profile', 'extra', 'up', '-d'], { cwd, stdio: 'pipe' });
  assert.equal(containers('real-profile').length, 2);
  const answer = await box.remove('real-profile');
  assert.deepEqual(answer, { status: 200, body: { removed: 'real-profile', compose_warning: null } });
  assert.deepEqual(containers('real-profile'), []);
  assert.deepEqual(networks('real-profile'), []);
});

test('an app that was never started, and one without a Compose file that can be read, are removed too', async (t) => {
  const box = await startBox(t, {
    'real-never': {
      compose: `services: { web: { image: "${registry}/web:1" } }`,
      files: { '.env.example': 'SECRET=change-me\n' },
    },
    'real-unreadable': { compose: 'services: [' },
  });
  assert.equal((await box.install('real-never')).status, 400);
  assert.equal((await box.install('real-unreadable')).status, 207);
  assert.deepEqual((await box.remove('real-never')).body.removed, 'real-never');
  const answer = await box.remove('real-unreadable');
  assert.equal(answer.status, 200);
  assert.equal(typeof answer.body.compose_warning, 'string');
  assert.deepEqual((await box.get('/api/apps')).body, []);
});

test('an app whose Compose file broke after it was started leaves no container behind in silence', async (t) => {
  const box = await startBox(t, {
    'real-broke': { compose: `services: { web: { image: "${registry}/web:1" } }` },
  });
  assert.equal((await box.install('real-broke')).status, 200);
  writeFileSync(`${box.installed}/real-broke/compose.yaml`, 'services: [');
  const answer = await box.remove('real-broke');
  assert.equal(answer.status, 200);
  if (containers('real-broke').length > 0) assert.equal(typeof answer.body.compose_warning, 'string');
});

test('trash restore brings an app back and starts it, beside the running server', async (t) => {
  const box = await startBox(t, { 'real-back': withVolume });
  assert.equal((await box.install('real-back')).status, 200);
  docker('exec', container('real-back', 'web').id, 'sh', '-c', 'echo mine >/data/file');
  assert.equal((await box.remove('real-back')).status, 200);
  const restored = box.command('trash', 'restore', 'real-back');
  assert.deepEqual([restored.stderr, restored.status], ['', 0]);
  assert.match(
    restored.stdout,
    /^real-back is back and runs\nreal-back\/stopped: created: [^\n]+\nreal-back\/web: created: /,
  );
  assert.equal(docker('exec', container('real-back', 'web').id, 'cat', '/data/file'), 'mine');
  const { body } = await box.change('real-back', {});
  assert.deepEqual(
    body.actions.map(({ kind }: { kind: string }) => kind),
    ['noop'],
  );
});
