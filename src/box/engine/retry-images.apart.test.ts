import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { updateAppSettings } from '../apps/settings.ts';
import { updateApp } from '../apps/update-app.ts';
import { useTestBox } from '../testing/test-box.ts';
import { reconcile } from './reconcile.ts';
import { retryImages } from './retry-images.ts';

const minuteMs = 60_000;
const compose = 'services:\n  db: { image: db:1 }\n  web: { image: far:1 }\n  own: { image: own:1, build: . }\n';

/** `a` has an image that no registry has; `b` runs. */
const testBox = useTestBox();
beforeEach(async () => {
  testBox.installed('b', { 'compose.yaml': 'services:\n  web: { image: web:1 }\n' });
  testBox.installed('a', { 'compose.yaml': compose });
  testBox.containers.unavailable.add('far:1');
  await reconcile(testBox.box, 'b');
  testBox.containers.calls = [];
});

const run = async (first: string | null = 'b') =>
  (await reconcile(testBox.box, first)).map(({ kind, target, detail }) => `${kind} ${target}: ${detail}`);
const retry = (signal = new AbortController().signal) => retryImages(testBox.box, signal);
const pass = (minutes: number) => testBox.box.pause(minutes * minuteMs);
const isUp = () => testBox.containers.containers.some(({ name, state }) => name === 'a-web-1' && state === 'running');

/** The calls of the engine during `work`. */
async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  testBox.containers.calls = [];
  await work();
  return testBox.containers.calls;
}

test('choice/box/278: the change of another app reports an image that could not be pulled, and does not try again', async () => {
  assert.deepEqual(await run(), [
    'noop b: in line',
    'warn a: pull access denied for far:1; the box tries again by itself',
  ]);
  assert.deepEqual(testBox.containers.calls, ['observe']);
});

test('its own change always tries, and so does any change once its files have changed', async () => {
  assert.deepEqual((await run('a'))[0], 'error a: pull access denied for far:1');
  testBox.installed('a', { '.env': 'EDITED=by hand\n' });
  assert.deepEqual(await callsOf(run), ['observe', 'config a', 'up a', 'imageIds']);
  assert.deepEqual(await callsOf(run), ['observe']);
});

test('its own change that succeeds ends the retries', async () => {
  testBox.containers.unavailable.clear();
  await updateAppSettings(testBox.box, { name: 'a', settings: { PORT: '1' } });
  assert.ok(isUp());
  assert.deepEqual(await run(), ['noop b: in line', 'noop a: in line']);
});

test('pulls only missing images, after one minute, two, four … thirty, and then brings the app up', async () => {
  for (const minutes of [1, 2, 4, 8, 16, 30, 30]) {
    await pass(minutes - 0.1);
    assert.deepEqual(await callsOf(retry), [], `before ${minutes} minutes`);
    await pass(0.1);
    assert.deepEqual(await callsOf(retry), ['pullServices a web'], `after ${minutes} minutes`);
  }
  testBox.containers.unavailable.clear();
  await pass(30);
  assert.deepEqual(await callsOf(retry), ['pullServices a web', 'observe', 'up a', 'observe']);
  assert.ok(isUp());
  assert.deepEqual(
    testBox.changes.map(({ operation, subject, outcome }) => `${operation} ${subject}: ${outcome}`),
    ['reconcile a: ok'],
  );
  assert.deepEqual(await run(), ['noop b: in line', 'noop a: in line']);
  await pass(60);
  assert.deepEqual(await callsOf(retry), []);
});

test('keeps counting if the image was pulled and the app still lacks it', async () => {
  await pass(1);
  const { pullServices } = testBox.containers;
  testBox.containers.pullServices = async () => undefined;
  assert.deepEqual(await callsOf(retry), ['observe', 'up a', 'imageIds']);
  testBox.containers.pullServices = pullServices;
  await pass(1);
  assert.deepEqual(await callsOf(retry), []);
  await pass(1);
  assert.deepEqual(await callsOf(retry), ['pullServices a web']);
});

test('does not repeat a change of the app that ended during the pull', async () => {
  await pass(1);
  testBox.containers.unavailable.clear();
  const { pullServices } = testBox.containers;
  testBox.containers.pullServices = async (...given) => {
    await pullServices.apply(testBox.containers, given);
    await updateAppSettings(testBox.box, { name: 'a', settings: { PORT: '1' } });
  };
  const calls = await callsOf(retry);
  assert.equal(calls.filter((call) => call === 'up a').length, 1);
});

test('forgets an app that was removed or edited meanwhile', async () => {
  await pass(1);
  testBox.installed('a', { '.env': 'EDITED=by hand\n' });
  assert.deepEqual(await callsOf(retry), []);
  await run();
  await pass(1);
  rmSync(join(testBox.directories.installed, 'a'), { recursive: true });
  assert.deepEqual(await callsOf(retry), []);
  assert.equal(testBox.box.failedUps.size, 0);
});

test('begins no further pull once the box stops', async () => {
  await pass(1);
  assert.deepEqual(await callsOf(() => retry(AbortSignal.abort())), []);
});

test('tries every app again once Docker was started', async () => {
  testBox.box.failedUps.clear();
  assert.deepEqual(await callsOf(run), ['observe', 'up a', 'imageIds']);
});

test('the change of another app starts the pull at once, its own change pulls itself', async () => {
  const hastened: string[][] = [];
  testBox.box.retryImages = () => hastened.push([...testBox.box.failedUps.keys()]);
  await run('a');
  await run(null);
  assert.deepEqual(hastened, []);
  assert.deepEqual(await callsOf(retry), []);
  await run('b');
  assert.deepEqual(hastened, [['a']]);
  assert.deepEqual(await callsOf(retry), ['pullServices a web']);
});

test('an update that can pull its image brings the app up', async () => {
  testBox.containers.unavailable.clear();
  assert.deepEqual((await updateApp(testBox.box, 'a')).services, []);
  assert.ok(isUp());
});

test('another failure is tried again by every change', async () => {
  testBox.containers.unavailable.clear();
  testBox.containers.fail('up', 'port is already allocated');
  testBox.containers.images.set('far:1', 'sha256:far').set('db:1', 'sha256:db');
  testBox.box.failedUps.clear();
  for (const _ of [1, 2]) assert.deepEqual(await callsOf(run), ['observe', 'up a', 'imageIds']);
});

test('if Docker does not list its images, every change asks again', async () => {
  testBox.containers.fail('imageIds', 'Docker does not answer; is it running?', true);
  testBox.box.failedUps.clear();
  for (const _ of [1, 2]) assert.deepEqual(await callsOf(run), ['observe', 'up a', 'imageIds']);
});
