import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { container, containers, networks } from '../support/docker.ts';
import { part } from '../support/part.ts';
import { processTree } from '../support/processes.ts';
import { registry } from '../support/registry.ts';
import { required } from '../support/required.ts';
import { until } from '../support/until.ts';

const engine = required('BOXGATE_ENGINE');
/** Time limit of a read, generous for a busy machine. A read that waits for a hanging engine would never end. */
const readLimitMs = 10_000;
const web: AppFiles = {
  compose: `services: { web: { image: "${registry}/web:1", env_file: .env, restart: always } }`,
  files: { '.env.example': '' },
};

/** Stops the engine, runs `story`, and always starts the engine again. */
async function whileStopped(story: () => Promise<void>): Promise<void> {
  await part('engine_stop', engine);
  try {
    await story();
  } finally {
    await part('engine_restart', engine);
  }
}

const visible = (box: Box) => readdirSync(box.installed).filter((name) => !name.startsWith('.'));

test('with Docker stopped: reads answer, changes are written and say that Docker does not run', async (t) => {
  const box = await startBox(t, { 'real-down': web, 'real-down-too': web, 'real-down-new': web });
  assert.equal((await box.install('real-down', { A: '1' })).status, 200);
  assert.equal((await box.install('real-down-too')).status, 200);

  await whileStopped(async () => {
    assert.equal((await box.get('/api/apps')).body.length, 2);
    assert.equal((await box.get('/api/apps/real-down/settings')).status, 200);

    const changed = await box.change('real-down', { A: '2' });
    assert.equal(changed.status, 207, JSON.stringify(changed.body));
    assert.match(box.read('real-down', '.env'), /^A=2$/m);
    const errors = changed.body.actions.filter((action: { kind: string }) => action.kind === 'error');
    assert.ok(errors.length > 0 && errors.every((action: { detail: string }) => /docker/i.test(action.detail)));

    const added = await box.install('real-down-new', { A: 'x' });
    assert.equal(added.status, 207, JSON.stringify(added.body));

    const updated = await box.update('real-down');
    assert.equal(updated.status, 502);
    assert.match(updated.body.error, /docker/i);

    const removed = await box.remove('real-down-too');
    assert.equal(removed.status, 200);
    assert.match(removed.body.compose_warning, /docker/i);
    assert.deepEqual(visible(box), ['real-down', 'real-down-new']);
  });

  // The next change reconciles all apps, and takes down the projects of apps that were removed meanwhile.
  const answer = await box.change('real-down', { A: '3' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(container('real-down', 'web').status, 'running');
  assert.equal(container('real-down-new', 'web').status, 'running');
  assert.deepEqual(containers('real-down-too'), []);
  assert.deepEqual(networks('real-down-too'), []);
});

test('an engine that hangs: reads answer meanwhile, and the install ends well when it comes back', async (t) => {
  const box = await startBox(t, { 'real-hung': web });
  const dockerd = processTree(Number(readFileSync(join(engine, 'unshare.pid'), 'utf8'))).slice(2, 3);
  for (const pid of dockerd) process.kill(pid, 'SIGSTOP');
  try {
    const answer = box.install('real-hung');
    const isUnderWay = ({ operation }: { operation?: object }) => operation !== undefined;
    await until('the install began', async () => (await box.get('/api/bundled')).body.some(isUnderWay));
    for (const path of ['/api/apps', '/api/bundled', '/api/apps/real-hung/settings']) {
      const started = performance.now();
      assert.equal((await box.get(path)).status, 200);
      assert.ok(performance.now() - started < readLimitMs, `${path} waited`);
    }
    for (const pid of dockerd) process.kill(pid, 'SIGCONT');
    assert.equal((await answer).status, 200);
  } finally {
    for (const pid of dockerd) process.kill(pid, 'SIGCONT');
  }
  assert.equal(container('real-hung', 'web').status, 'running');
});
