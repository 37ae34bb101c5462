import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { part } from '../support/part.ts';
import { commandOf, processTree } from '../support/processes.ts';
import { container, containers, docker } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { required } from '../support/required.ts';
import { freePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const engine = required('BOXGATE_ENGINE');
const time = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/;

/** An app with one service, `web`; `more` is added to the service. */
function app(more: string, manifest: AppFiles['manifest'] = {}): AppFiles {
  return { manifest, compose: `services: { web: { image: "${registry}/web:1", restart: always, ${more} } }` };
}

type Entry = { state: string; state_detail: string; published: number[]; open_ports: unknown[] };

async function entryOf(box: Box, name: string): Promise<Entry> {
  const { body } = await box.get('/api/apps');
  return body.find((one: { name: string }) => one.name === name);
}

/** Waits until the list shows this state. Returns the entry and the waiting time in ms. */
async function shown(box: Box, name: string, state: string): Promise<Entry & { afterMs: number }> {
  const beganAt = Date.now();
  let entry: Entry | undefined;
  const isShown = async () => {
    entry = await entryOf(box, name);
    return entry?.state === state;
  };
  await until(`${name} is ${state}`, isShown).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(entry)}`);
  });
  return { ...(entry as Entry), afterMs: Date.now() - beganAt };
}

const running = (name: string) => containers(name).map(({ service, status }) => `${service} ${status}`);

/** Process ids of the box's `docker events` commands. */
function streams(box: Box): number[] {
  const isStream = (pid: number) => commandOf(pid).includes('docker events ');
  return processTree(Number(box.process?.pid)).filter(isStream);
}

const isGone = (pid: number) => !commandOf(pid).includes('events');

test('each state is seen in the app list, and a death within 2 s', { timeout: 120_000 }, async (t) => {
  const port = await freePort();
  const health = (command: string, more = '') =>
    `healthcheck: { test: ["CMD-SHELL", "${command}"], interval: 1s, retries: 1${more} }`;
  const box = await startBox(t, {
    'real-runs': app(`ports: ["${port}:8080"]`, { ports: [{ port: 9, label: 'Web' }] }),
    'real-crashes': app(`entrypoint: ["sh", "-c", "exit 3"]`),
    'real-ill': app(health('exit 1')),
    'real-slow': app(health('test -e /tmp/well', ', start_period: 600s')),
    'real-taken': app(`ports: ["${port}:8080"]`),
    'real-held': {
      ...app('env_file: .env', { settings: [{ name: 'PW', type: 'password' }] }),
      files: { '.env.example': 'PW=changeme\n' },
    },
  });
  for (const name of ['real-runs', 'real-crashes', 'real-ill', 'real-slow', 'real-held']) await box.install(name);

  const runs = await shown(box, 'real-runs', 'running');
  assert.match(runs.state_detail, time);
  assert.deepEqual([runs.published, runs.open_ports], [[port], [{ port, label: 'Web' }]]);
  assert.match((await shown(box, 'real-crashes', 'restarting')).state_detail, /exit code 3|restarted it/);
  assert.match((await shown(box, 'real-ill', 'unhealthy')).state_detail, /health check/);
  assert.match((await shown(box, 'real-held', 'not_started')).state_detail, /\bPW\b/);
  await shown(box, 'real-slow', 'starting');
  docker('exec', container('real-slow', 'web').id, 'touch', '/tmp/well');
  await shown(box, 'real-slow', 'running');

  for (const how of ['kill', 'stop']) {
    const { id } = container('real-runs', 'web');
    docker('update', '--restart', 'no', id);
    docker(how, how === 'stop' ? '-t0' : '-sKILL', id);
    const stopped = await shown(box, 'real-runs', 'stopped');
    assert.ok(stopped.afterMs < 2000, `seen after ${stopped.afterMs} ms`);
    assert.match(stopped.state_detail, /exit code 137/);
    assert.deepEqual([stopped.published, stopped.open_ports], [[], []]);
    await box.change('real-runs', {});
    await shown(box, 'real-runs', 'running');
  }

  // Started by hand, because the box refuses a port that is in use.
  const folder = join(box.installed, 'real-taken');
  cpSync(join(box.bundled, 'real-taken'), folder, { recursive: true });
  assert.throws(() => docker('compose', '--project-directory', folder, 'up', '-d'));
  const isTold = async () => {
    const { state, state_detail } = await entryOf(box, 'real-taken');
    t.diagnostic(state_detail);
    return state === 'stopped' && /already (allocated|in use)/.test(state_detail);
  };
  await until('the card says that the port is taken', isTold, 5000);
});

test('with Docker stopped every state is unknown; when it is back, apps are brought up', async (t) => {
  const box = await startBox(t, { 'real-back': app('stop_grace_period: 0s'), 'real-too': app('tty: false') });
  for (const name of ['real-back', 'real-too']) assert.equal((await box.install(name)).status, 200);
  await shown(box, 'real-too', 'running');
  docker('rm', '-f', container('real-too', 'web').id);
  await part('engine_stop', engine);
  try {
    const gone = await shown(box, 'real-back', 'unknown');
    assert.match(gone.state_detail, /Docker does not answer/);
    assert.equal((await box.get('/api/apps')).body.length, 2);
  } finally {
    await part('engine_restart', engine);
  }
  for (const name of ['real-back', 'real-too']) await shown(box, name, 'running');
  assert.deepEqual(running('real-too'), ['web running']);
  await until('the reconcile is logged', () => /^reconcile: ok.*because Docker is back/m.test(box.stderr));
});

test('choice/box/663: a stopped app stays stopped when Docker and the box start again, until it is started', async (t) => {
  const box = await startBox(t, { 'real-still': app('stop_grace_period: 0s'), 'real-other': app('tty: false') });
  for (const name of ['real-still', 'real-other']) assert.equal((await box.install(name)).status, 200);
  const { id } = container('real-still', 'web');
  const stopping = box.command('stop', 'real-still');
  assert.equal(stopping.status, 0, stopping.stderr);
  const isStopped = async () => {
    assert.match((await shown(box, 'real-still', 'stopped')).state_detail, /^Stopped by you on .* UTC\.$/);
    assert.deepEqual([running('real-still'), container('real-still', 'web').id], [['web exited'], id]);
  };
  await isStopped();
  assert.equal((await box.change('real-other', {})).status, 200);
  await isStopped();
  await part('engine_stop', engine);
  await shown(box, 'real-still', 'unknown').finally(() => part('engine_restart', engine));
  // The policy `always` starts it with Docker, and the box stops it.
  await until('the reconcile is logged', () => /^reconcile: ok.*because Docker is back/m.test(box.stderr));
  await isStopped();
  await shown(box, 'real-other', 'running');
  assert.equal(await box.stop(), 0);
  docker('start', id);
  await box.start();
  await isStopped();
  assert.equal((await box.change('real-still', {})).status, 200);
  await shown(box, 'real-still', 'running');
  assert.equal(container('real-still', 'web').id, id);
});

test('after kill -9 in the middle of an install a start brings all apps up, and no stream is left', async (t) => {
  const box = await startBox(t, { 'real-cut': app('tty: false'), 'real-other': app('tty: false') });
  assert.equal((await box.install('real-other')).status, 200);
  await until('a stream of events', () => streams(box).length === 1);
  const [stream] = streams(box) as [number];
  const install = box.install('real-cut').catch(() => undefined);
  await until('the app is copied', () => box.has('real-cut'));
  await box.kill();
  await install;
  await until('the stream has ended', () => isGone(stream));
  docker('stop', '-t0', container('real-other', 'web').id);
  await box.start();
  for (const name of ['real-cut', 'real-other']) {
    await shown(box, name, 'running');
    assert.deepEqual(running(name), ['web running']);
  }
  const [next] = streams(box) as [number];
  const beganAt = Date.now();
  assert.equal(await box.stop(), 0);
  t.diagnostic(`stopped after ${Date.now() - beganAt} ms`);
  await until('the stream has ended', () => isGone(next));
});
