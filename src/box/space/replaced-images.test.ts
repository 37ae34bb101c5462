import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { printRoom } from '../../console/rooms.ts';
import { installApp } from '../apps/install.ts';
import { updateApp } from '../apps/update-app.ts';
import { ContainersFailed } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { removeReplacedImages, removeReplacedNow } from './replaced-images.ts';
import { showSpace } from './show-space.ts';

const testBox = useTestBox();
const dayMs = 24 * 60 * 60 * 1000;
const tag = 'registry/web:1';

/** Returns the id of the image that the update has replaced. */
async function updated(): Promise<string> {
  const { box, containers } = testBox;
  testBox.bundle('notes');
  await installApp(box, { name: 'notes', settings: {} });
  const before = containers.images.get(tag) ?? '';
  containers.registry.set(tag, 'sha256:newer');
  await updateApp(box, 'notes');
  return before;
}

test('an image that an update has replaced goes after its days, and the newer one stays', async () => {
  const { box, containers, clock } = testBox;
  const before = await updated();
  containers.calls = [];
  assert.deepEqual(await removeReplacedImages(box, false), { removed: [], kept: [] });
  assert.deepEqual(containers.calls, [], 'asks the engine nothing before the day');
  clock.now = new Date(clock.now.getTime() + 7 * dayMs);
  const { removed } = await removeReplacedImages(box, false);
  assert.deepEqual(
    removed.map(({ id }) => id),
    [before],
  );
  assert.deepEqual(containers.removed, [before]);
  assert.equal(containers.images.get(tag), 'sha256:newer');
  assert.deepEqual(await removeReplacedImages(box, true), { removed: [], kept: [] });
});

test('an upgrade notes the image of the version before, which goes with its tag', async () => {
  const { box, containers } = testBox;
  testBox.bundle('notes');
  await installApp(box, { name: 'notes', settings: {} });
  const before = containers.images.get(tag);
  const compose = 'services: { web: { image: "registry/web:2", restart: always } }';
  testBox.bundle('notes', { 'manifest.json': '{"name":"notes","version":"2.0.0"}', 'compose.yaml': compose });
  await updateApp(box, 'notes');
  assert.deepEqual(await removeReplacedNow(box), { ok: true, text: `removed ${tag} of notes` });
  assert.deepEqual([containers.removed, containers.images.has(tag)], [[before], false]);
});

test('an image that somebody has tagged stays, and so does one that another app names', async () => {
  const { box, containers } = testBox;
  const before = await updated();
  containers.images.set('mine:keep', before);
  assert.match((await removeReplacedNow(box)).text, /^kept registry\/web:1 of notes: it has the tag mine:keep/);
  containers.images.delete('mine:keep');
  containers.fail('observe', 'no answer', true);
  assert.deepEqual(await removeReplacedNow(box), { ok: false, text: 'no answer' });
  containers.failing.clear();
  assert.equal((await removeReplacedNow(box)).text, 'removed registry/web:1 of notes');
  assert.equal((await removeReplacedNow(box)).text, 'there is nothing to remove');
});

test('an engine that keeps an image says why', async () => {
  const { box } = testBox;
  await updated();
  box.space.images.remove = async () => {
    throw new ContainersFailed('a stopped container uses it', false);
  };
  assert.match((await removeReplacedNow(box)).text, /^kept registry\/web:1 of notes: a stopped container uses it/);
});

test('boxgate box space lists what takes the space', async () => {
  const { box, containers } = testBox;
  const before = await updated();
  box.space.disks = async () => [{ uses: ['Docker (/d)'], free: 1e9, size: 100e9 }];
  const image = (id: string, bytes: number) => ({ id, tags: [], bytes, own: bytes });
  box.space.engineUsage = async () => ({
    images: [image(containers.containers[0]?.imageId ?? '', 5e6), image(before, 3e6), image('other', 1e6)],
    volumes: [
      { name: 'notes_data', project: 'notes', bytes: 2e6 },
      { name: 'lost', project: null, bytes: 1e6 },
    ],
  });
  const { lines } = await printRoom(box, 'space');
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('backups at')),
    [
      'NEARLY FULL: 1.0 GB of 100 GB free: Docker (/d)',
      'notes: folder 1.0 kB, images 5.0 MB, 1 volume(s) 2.0 MB',
      'volumes of no installed app: 1, 1.0 MB',
      'images of no installed app: 4.0 MB',
      'removed apps (boxgate box trash list): 0.0 kB',
      'images that updates have replaced: 1, 3.0 MB',
      '  registry/web:1 of notes: 3.0 MB, goes on 2026-01-09',
      'to remove them now: boxgate box space free',
    ],
  );
  const failures: [ContainersFailed, string][] = [
    [new ContainersFailed('docker system failed with status 125: unknown', false), 'Docker does not say how large'],
    [new ContainersFailed('Docker does not answer; is it running?', true), 'Docker does not answer'],
  ];
  for (const [failure, reason] of failures) {
    box.space.engineUsage = () => Promise.reject(failure);
    const report = (await printRoom(box, 'space')).lines.join('\n');
    assert.match(report, new RegExp(`\nimages and volumes are not counted: ${reason}.*\nnotes: folder`));
  }
  box.space.engineUsage = async (signal) => {
    await once(signal, 'abort');
    throw failures[0]?.[0];
  };
  assert.match(String((await showSpace(box, 1)).problem), /^Docker counts for longer than boxgate waits\./);
});
