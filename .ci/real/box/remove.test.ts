import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppFiles, startBox } from '../support/box.ts';
import { containers, docker, forget } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';

const withVolume: AppFiles = {
  compose: `
services:
  web: { image: "${registry}/web:1", volumes: ["kept:/data"], networks: [inner, default] }
  stopped: { image: "${registry}/web:1", command: ["true"] }
networks: { inner: {} }
volumes: { kept: {} }
`,
};

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
