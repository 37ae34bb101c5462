import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { container, containers, docker, forget } from '../support/docker.ts';
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

test('a removal takes down what another project runs from the folder, and names it and a network that others use', async (t) => {
  const box = await startBox(t, { 'real-shared': withVolume });
  t.after(() => forget(['real-shared-mine']));
  assert.equal((await box.install('real-shared')).status, 200);
  const folder = `${box.installed}/real-shared`;
  docker('compose', '--project-directory', folder, '-p', 'real-shared-mine', 'up', '-d', 'web');
  const foreign = docker('run', '-d', '--rm', '--network', 'real-shared_inner', `${registry}/web:1`);
  const { body } = await box.remove('real-shared');
  docker('rm', '-f', foreign);
  assert.match(
    body.compose_warning,
    /network real-shared_inner is left, .*; real-shared-mine-web-1 ran from its folder/,
  );
  assert.deepEqual([...containers('real-shared'), ...containers('real-shared-mine')], []);
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
