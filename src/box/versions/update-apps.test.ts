import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installApp } from '../apps/install.ts';
import { useTestBox } from '../testing/test-box.ts';
import { lookForNewer } from './look.ts';
import { setAppUpdates } from './room.ts';
import { newerLines, updateApps } from './update-apps.ts';

const testBox = useTestBox();
const hourMs = 60 * 60 * 1000;
const compose = (image: string) => `services: { web: { image: "${image}", restart: always } }`;

async function installed(name: string, image: string): Promise<void> {
  testBox.bundle(name, { 'manifest.json': `{"name":"${name}","version":"1.0.0"}`, 'compose.yaml': compose(image) });
  await installApp(testBox.box, { name, settings: {} });
}

async function run(minAgeHours: number | null = null, isStopping = () => false) {
  const lines: string[] = [];
  const tell = ({ text }: { text: string }) => void lines.push(text);
  return { status: await updateApps(testBox.box, { minAgeHours, tell, isStopping }), lines };
}

/** A registry that has these digests; other images have a problem. */
function registryHas(digests: Record<string, string>): string[] {
  const asked: string[] = [];
  testBox.box.versions.askRegistry = async (reference) => {
    asked.push(reference);
    if (reference.includes('@')) return { isPinned: true };
    const digest = digests[reference];
    return digest === undefined ? { problem: 'nas does not answer' } : { digest };
  };
  return asked;
}

const later = (hours: number) => {
  testBox.clock.now = new Date(testBox.clock.now.getTime() + hours * hourMs);
};

test('looks once at each image that runs, and finds newer ones and newer versions of the catalogue', async () => {
  await installed('notes', 'web:1');
  await installed('feeds', 'web:1');
  await installed('pinned', 'web@sha256:12');
  await installed('away', 'nas/web:1');
  testBox.bundle('feeds', { 'manifest.json': '{"name":"feeds","version":"2.0.0"}' });
  const asked = registryHas({ 'web:1': 'sha256:newer' });
  const known = await lookForNewer(testBox.box);
  assert.deepEqual(asked.toSorted(), ['nas/web:1', 'web:1', 'web@sha256:12']);
  const shown = Object.entries(known.apps).map(([app, all]) => [app, all.map(({ what, to }) => `${what} ${to}`)]);
  assert.deepEqual(shown, [
    ['feeds', ['catalogue 2.0.0', 'image sha256:newer']],
    ['notes', ['image sha256:newer']],
  ]);
  assert.deepEqual(newerLines(known), [
    'looked at 2026-01-02T03:04:09.000Z',
    'feeds: version 2.0.0, known since 2026-01-02 03:04 UTC',
    'notes: a newer image of web:1, known since 2026-01-02 03:04 UTC',
    'nas/web:1 was not looked up: nas does not answer',
    'apps are not updated by themselves: boxgate box update apps enable',
  ]);
});

test('an image that is up to date, built here or loaded by hand is no newer one', async () => {
  await installed('notes', 'web:1');
  const { box, containers } = testBox;
  registryHas({ 'web:1': containers.containers[0]?.imageId ?? '' });
  assert.deepEqual((await lookForNewer(box)).apps, {});
  const asked = registryHas({ 'web:1': 'sha256:newer' });
  box.containers.imageDigests = async (ids) => new Map(ids.map((id) => [id, []]));
  assert.deepEqual((await lookForNewer(box)).apps, {});
  assert.deepEqual(asked, []);
});

test('updates apps whose newer version is old enough, in the journal like the button, and tells each failure', async () => {
  await installed('fails', 'web:1');
  await installed('notes', 'web:2');
  const { box, containers } = testBox;
  registryHas({ 'web:1': 'sha256:newer', 'web:2': 'sha256:newest' });
  const first = await run();
  assert.equal(first.status, 0);
  assert.match(first.lines.join('\n'), /^fails: a newer image of web:1, .*; updated when known for 72 h\nnotes: /);

  later(72);
  containers.registry.set('web:1', 'sha256:newer').set('web:2', 'sha256:newest');
  containers.fate.set('sha256:newer', { state: 'exited', exitCode: 1 });
  testBox.changes.length = 0;
  const { status, lines } = await run();
  assert.equal(status, 1);
  assert.match(lines[0] ?? '', /^fails: not updated: .*runs its old images again/);
  assert.match(lines[1] ?? '', /^notes: 1 image\(s\) updated \(a newer image of web:2, known since /);
  const journal = testBox.changes.map(({ operation, subject, by, outcome }) => [operation, subject, by, outcome]);
  assert.deepEqual(journal, [
    ['update', 'fails', 'boxgate box update apps', 'failed'],
    ['update', 'notes', 'boxgate box update apps', 'ok'],
  ]);
  assert.deepEqual(Object.keys(box.versions.known.load().apps), ['fails']);

  // Every night the same, until there is a later image.
  const calls = containers.calls.length;
  registryHas({ 'web:1': 'sha256:newer', 'web:2': 'sha256:newest' });
  const next = await run();
  assert.equal(next.status, 0);
  assert.match(next.lines.join('\n'), /^fails: not updated: its update was rolled back at 2026-/m);
  assert.equal(containers.calls.slice(calls).filter((call) => call.startsWith('pull')).length, 0);
  registryHas({ 'web:1': 'sha256:later', 'web:2': 'sha256:newest' });
  containers.registry.set('web:1', 'sha256:later');
  await run();
  later(72);
  assert.match((await run()).lines.join('\n'), /^fails: 1 image\(s\) updated/m);
});

test('a rolled-back version of the catalogue is not tried again by itself, a later one is', async () => {
  await installed('notes', 'web:1');
  const { box, containers } = testBox;
  registryHas({ 'web:1': containers.containers[0]?.imageId ?? '' });
  const offer = (version: string, image: string) =>
    testBox.bundle('notes', {
      'manifest.json': `{"name":"notes","version":"${version}"}`,
      'compose.yaml': compose(image),
    });
  offer('2.0.0', 'web:2');
  containers.registry.set('web:2', 'sha256:bad');
  containers.fate.set('sha256:bad', { state: 'exited', exitCode: 1 });
  assert.match((await run(0)).lines.join(), /^notes: not updated: .*runs version 1\.0\.0 again/);
  assert.match((await run(0)).lines.join(), /^notes: not updated: its update was rolled back at /);
  offer('2.0.1', 'web:3');
  assert.match((await run(0)).lines.join(), /^notes: updated to 2\.0\.1/);
  assert.deepEqual(box.versions.known.load().apps, {});
});

test('leaves an app alone that stays stopped because its data could not be put back', async () => {
  await installed('notes', 'web:1');
  const { box, containers } = testBox;
  testBox.bundle('notes', { 'manifest.json': '{"name":"notes","version":"2.0.0"}' });
  registryHas({ 'web:1': containers.containers[0]?.imageId ?? '' });
  const records = box.records.load();
  const record = records.get('notes');
  assert.ok(record !== undefined);
  await box.records.save(records.set('notes', { ...record, held: 'run boxgate box backup restore notes' }));
  assert.deepEqual(await run(0), { status: 0, lines: ['notes: not updated: run boxgate box backup restore notes'] });
});

test('stops between two apps, takes another age, and says that Docker does not answer', async () => {
  await installed('notes', 'web:1');
  registryHas({ 'web:1': 'sha256:newer' });
  assert.deepEqual(await run(0, () => true), { status: 1, lines: [] });
  testBox.containers.registry.set('web:1', 'sha256:newer');
  const { lines } = await run(0);
  assert.match(lines[0] ?? '', /^notes: 1 image\(s\) updated/);
  registryHas({ 'web:1': testBox.containers.containers[0]?.imageId ?? '' });
  assert.deepEqual(await run(0), { status: 0, lines: ['no newer version of any app is known'] });
  testBox.containers.fail('observe', 'no answer', true);
  assert.deepEqual(await run(0), { status: 1, lines: ['no answer'] });
});

test('is turned on and off with its timer, and keeps its age', async () => {
  const { box } = testBox;
  const calls: string[] = [];
  box.versions.timer = { enable: async () => void calls.push('on'), disable: async () => void calls.push('off') };
  await setAppUpdates(box, true, 24);
  await setAppUpdates(box, true);
  assert.match(newerLines(box.versions.known.load()).at(-1) ?? '', /daily, .* known for 24 h/);
  await setAppUpdates(box, false);
  assert.deepEqual([calls, box.versions.known.load().isEnabled], [['on', 'on', 'off'], false]);
});
