import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installApp } from '../apps/install.ts';
import { updateAppSettings } from '../apps/settings.ts';
import { useTestBox } from '../testing/test-box.ts';
import type { Action } from './rules/actions.ts';
import { hasError } from './rules/actions.ts';

const testBox = useTestBox();

const webImage = 'sha256:registry/web:1';
const shown = (actions: readonly Action[]) => actions.map(({ kind, target, detail }) => `${kind} ${target}: ${detail}`);

/** Installs an app of one service; returns its actions after the copy. */
async function install(settings: Record<string, string> = { PORT: '' }): Promise<string[]> {
  testBox.bundle('a');
  return shown((await installApp(testBox.box, { name: 'a', settings })).actions).filter(
    (text) => !/^(copy|write_env) /.test(text),
  );
}

const change = (name: string, value: string) => updateAppSettings(testBox.box, { name, settings: { PORT: value } });

/** How many seconds of the box's clock some work takes. */
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = testBox.clock.now.getTime();
  await work();
  return (testBox.clock.now.getTime() - before) / 1000;
}

test('choice/box/275: an installed app whose container ends is an error with its status and the end of its log', async () => {
  testBox.containers.fate.set(webImage, { state: 'exited', exitCode: 3 });
  testBox.containers.log = 'starting\n\x1b[31mcannot open the database\x1b[0m\n';
  assert.deepEqual(await install(), [
    'create a/web: created: not brought up before',
    'error a/web: a-web-1 ended with status 3; its log ends with: starting / cannot open the database',
  ]);
});

test('watches a running app for one second, and one without a fault no longer', async () => {
  assert.equal(await secondsOf(() => install()), 1);
  assert.equal(await secondsOf(() => change('a', '1')), 1);
  assert.equal(await secondsOf(() => change('a', '1')), 0);
});

test('waits for a health check, and says after 15 seconds that the app is still starting', async () => {
  testBox.containers.fate.set(webImage, { health: 'starting' });
  let actions: string[] = [];
  const seconds = await secondsOf(async () => {
    actions = await install();
  });
  assert.equal(seconds, 15);
  assert.deepEqual(actions, ['create a/web: created: not brought up before; still starting after 15 s']);
  // A service that was already running has no action yet.
  assert.deepEqual(shown(await change('a', '')), [
    'noop a: nothing to change: its container a-web-1 is still starting',
    'start a/web: still starting after 15 s',
  ]);
});

test('an app that becomes healthy in time has no note', async () => {
  testBox.containers.fate.set(webImage, { health: 'starting' });
  const { pause } = testBox.box;
  testBox.box.pause = async (ms) => {
    const [web] = testBox.containers.containers;
    if (web && testBox.clock.now.getTime() % 60_000 > 10_000) web.health = 'healthy';
    return pause(ms);
  };
  assert.deepEqual(await install(), ['create a/web: created: not brought up before']);
});

test('shows no secret of a log, not even half of one at the end of a long line', async () => {
  const password = 'correct-horse-battery-staple';
  testBox.containers.fate.set(webImage, { state: 'exited', exitCode: 1 });
  testBox.containers.log = `connecting as ${password}\n${'x'.repeat(190)}${password}\n`;
  const [error = ''] = (await install({ DB_PASSWORD: password })).slice(-1);
  assert.match(error, /its log ends with: connecting as ••• \/ x+•••$/);
});

test('leaves out the log if Docker does not give it', async () => {
  testBox.containers.fate.set(webImage, { state: 'exited', exitCode: 3 });
  testBox.containers.fail('logs', 'configured logging driver does not support reading');
  assert.equal((await install()).at(-1), 'error a/web: a-web-1 ended with status 3');
});

test('Docker that stops during the check is an error of the app', async () => {
  const { pause } = testBox.box;
  testBox.box.pause = (ms) => {
    testBox.containers.fail('observe', 'Docker does not answer; is it running?', true);
    return pause(ms);
  };
  assert.equal((await install()).at(-1), 'error a: Docker does not answer; is it running?');
});

test("an unexpected fault during the check is not reported as the app's", async () => {
  testBox.box.pause = async () => {
    throw new TypeError('a mistake in the program');
  };
  assert.equal((await install()).at(-1), 'error a: internal error (fault 1); the log of the box has the details');
});

test('reports each service that does not stay up, once for all its containers', async () => {
  testBox.bundle('a', { 'compose.yaml': 'services:\n  db: { image: db:1 }\n  web: { image: web:1 }\n' });
  testBox.containers.fate.set('sha256:db:1', { state: 'exited', exitCode: 1 });
  testBox.containers.fate.set('sha256:web:1', { state: 'exited', exitCode: 2 });
  const { up } = testBox.containers;
  testBox.containers.up = async (...given) => {
    const said = await up.apply(testBox.containers, given);
    const [db] = testBox.containers.containers;
    if (db) testBox.containers.containers.push({ ...db, id: 'second', name: 'a-db-2' });
    return said;
  };
  const { actions } = await installApp(testBox.box, { name: 'a', settings: {} });
  assert.deepEqual(shown(actions).slice(-2), [
    'error a/db: a-db-1 ended with status 1',
    'error a/web: a-web-1 ended with status 2',
  ]);
});

test('does not look at the containers of services that it did not start', async () => {
  await install();
  const [web] = testBox.containers.containers;
  assert.ok(web);
  testBox.containers.containers.push({
    ...web,
    id: 'tool',
    name: 'a-tool-1',
    service: 'tool',
    state: 'exited',
    exitCode: 1,
  });
  assert.ok(!hasError(await change('a', '1')));
});

test('ignores restarts before the change', async () => {
  await install();
  const [web] = testBox.containers.containers;
  Object.assign(web ?? {}, { restartCount: 3, health: 'unhealthy' });
  const { up } = testBox.containers;
  testBox.containers.up = (...given) => {
    Object.assign(web ?? {}, { health: 'healthy' });
    return up.apply(testBox.containers, given);
  };
  assert.deepEqual(shown(await change('a', '')), ['noop a: nothing to change: its container a-web-1 is unhealthy']);
});

test('a container tool without a listing leaves nothing to watch', async () => {
  testBox.containers.fail('observe', 'answered in a form that is not understood');
  assert.deepEqual(await install(), ['start a: brought up: not brought up before']);
});

test('an app that did not stay up is tried again by its own changes, and only reported by others', async () => {
  testBox.containers.fate.set(webImage, { state: 'restarting', exitCode: 3 });
  await install();
  testBox.installed('b', { 'compose.yaml': 'services:\n  db: { image: db:1 }\n' });
  testBox.containers.calls = [];
  assert.deepEqual(shown(await change('b', '1')).slice(1), [
    'create b/db: created: not brought up before',
    'warn a: its container a-web-1 is restarting again and again after it ended with status 3',
  ]);
  assert.deepEqual(testBox.containers.calls, ['observe', 'config b', 'up b', 'observe']);
  assert.match(shown(await change('a', '')).join('\n'), /^start a\/web: .*\nerror a\/web: /);
  testBox.containers.fate.clear();
  Object.assign(testBox.containers.containers.find(({ name }) => name === 'a-web-1') ?? {}, { state: 'running' });
  assert.deepEqual(shown(await change('b', '1')), ['noop b: in line', 'noop a: in line']);
  assert.match(shown(await change('a', '')).join('\n'), /^noop a: nothing to change: its last start is not on record/);
  assert.deepEqual(shown(await change('a', '')), ['noop a: in line', 'noop b: in line']);
});
