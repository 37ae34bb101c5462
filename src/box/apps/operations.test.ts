import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { OnProgress } from '../core.ts';
import { makeObserver } from '../engine/observer.ts';
import { useTestBox } from '../testing/test-box.ts';
import { installApp } from './install.ts';
import { listApps, listBundledApps } from './list-apps.ts';
import type { AppsBox } from './ports.ts';
import { removeApp } from './remove.ts';
import { updateAppSettings } from './settings.ts';
import { updateApp } from './update-app.ts';

const t = useTestBox();

/**
 * What both lists say of an app while the work runs, one text for each different operation. Leaves out `preparing`, which
 * may be over before the first look.
 */
async function shownDuring(app: string, work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const look = () => {
    const installed = listApps(t.box).find(({ name }) => name === app)?.operation;
    const bundled = listBundledApps(t.box).find(({ name }) => name === app)?.operation;
    const { kind, step, bytes } = installed ?? bundled ?? { kind: 'none', step: 'none' };
    const text = [installed ? 'installed' : 'bundled', kind, step, bytes ?? []].flat().join(' ');
    if (kind !== 'none' && step !== 'preparing' && texts.at(-1) !== text) texts.push(text);
  };
  const containers = new Proxy(t.containers, {
    get:
      (target, verb: keyof AppsBox['containers']) =>
      async (...args: unknown[]) => {
        look();
        // Compose tells how far it is.
        const [, , last] = args as [unknown, unknown, OnProgress | { onProgress?: OnProgress } | undefined];
        const onProgress = typeof last === 'function' ? last : last?.onProgress;
        onProgress?.({ step: 'pulling', bytes: 12, bytes_total: 80 });
        look();
        return Reflect.apply(target[verb], target, args);
      },
  });
  const { box } = t;
  const before = { containers: box.containers, observer: box.observer };
  Object.assign(box, { containers, observer: makeObserver({ ...box, containers }) });
  const done = work();
  look();
  await done;
  Object.assign(box, before);
  assert.equal(listApps(box).find(({ name }) => name === app)?.operation, undefined);
  return texts;
}

test('both lists show what a change of an app does, until it ends', async () => {
  t.bundle('notes');
  const since = t.clock.now.toISOString();
  const installing = shownDuring('notes', () => installApp(t.box, { name: 'notes', settings: {} }));
  assert.deepEqual(listBundledApps(t.box)[0]?.operation, { kind: 'install', since, step: 'waiting' });
  assert.deepEqual(await installing, [
    'bundled install waiting',
    'installed install starting',
    'installed install pulling 12',
    'installed install verifying',
  ]);
  assert.deepEqual(await shownDuring('notes', () => updateAppSettings(t.box, { name: 'notes', settings: {} })), [
    'installed start waiting',
  ]);
  const settings = { PORT: '1' };
  const saving = await shownDuring('notes', () => updateAppSettings(t.box, { name: 'notes', settings }));
  assert.deepEqual(saving.slice(0, 2), ['installed settings waiting', 'installed settings starting']);
  t.containers.registry.set('registry/web:1', 'sha256:newer');
  assert.deepEqual(await shownDuring('notes', () => updateApp(t.box, 'notes')), [
    'installed update waiting',
    'installed update pulling',
    'installed update pulling 12',
    'installed update starting',
    'installed update pulling 12',
    'installed update verifying',
  ]);
  const again = await shownDuring('notes', () => installApp(t.box, { name: 'notes', settings: {} }));
  assert.match(again[0] ?? '', /^installed reinstall/);
  assert.deepEqual(await shownDuring('notes', () => removeApp(t.box, 'notes')), [
    'installed remove waiting',
    'installed remove stopping',
  ]);
});

test('a change waits for the ones before it, and of several changes of an app the first is shown', async () => {
  t.installed('notes');
  t.bundle('other');
  const held = Promise.withResolvers<void>();
  const first = t.box.changes.run(() => held.promise, { app: 'notes', kind: 'update' });
  const second = t.box.changes.run(async () => undefined, { app: 'notes', kind: 'remove' });
  const third = installApp(t.box, { name: 'other', settings: {} });
  assert.equal(listApps(t.box)[0]?.operation?.kind, 'update');
  assert.equal(listBundledApps(t.box)[0]?.operation?.step, 'waiting');
  assert.equal(t.box.operations.all(), t.box.operations.all());
  held.resolve();
  await first;
  assert.equal(listApps(t.box)[0]?.operation?.kind, 'remove');
  await Promise.all([second, third]);
  assert.deepEqual([...t.box.operations.all()], []);
});

test('a change that fails, or that no app asked for, leaves nothing behind', async () => {
  t.installed('notes');
  const failing = t.box.changes.run(async () => Promise.reject(new Error('no')), { app: 'notes', kind: 'update' });
  await assert.rejects(failing);
  await t.box.changes.run(async () => t.box.operations.report({ step: 'pulling' }));
  assert.deepEqual([...t.box.operations.all()], []);
});

test('a change of another process is shown, before one of the same app that waits for it', async () => {
  t.installed('notes');
  const operation = { kind: 'restart', since: '2026-01-02T03:04:05Z', step: 'stopping' } as const;
  const file = join(t.box.stateDirectory, 'change.lock');
  const pid = process.ppid;
  const startedAt = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
  writeFileSync(file, JSON.stringify({ app: 'notes', ...operation, pid, startedAt }));
  const held = Promise.withResolvers<void>();
  const waiting = t.box.changes.run(() => held.promise, { app: 'notes', kind: 'update' });
  assert.deepEqual(listApps(t.box)[0]?.operation, operation);
  assert.equal(t.box.operations.all(), t.box.operations.all());
  writeFileSync(file, '');
  assert.equal(listApps(t.box)[0]?.operation?.kind, 'update');
  held.resolve();
  await waiting;
  assert.equal(listApps(t.box)[0]?.operation, undefined);
});
