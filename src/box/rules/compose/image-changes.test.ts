import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedContainers, imageChanges, servicesToStart, servicesToUpgrade } from './image-changes.ts';

const local = new Map([
  ['web:1', 'new-web'],
  ['db:1', 'db'],
  ['aux:1', 'new-aux'],
]);

test('reports a service whose container has another image than the local one of its tag', () => {
  const running = [
    { service: 'web', imageId: 'old-web', tag: 'web:1' },
    { service: 'db', imageId: 'db', tag: 'db:1' },
    { service: 'aux', imageId: 'old-aux', tag: 'aux:1' },
    { service: 'zoo', imageId: 'old-zoo', tag: 'web:1' },
  ];
  assert.deepEqual(imageChanges(running, local), [
    { service: 'aux', from: 'old-aux', to: 'new-aux', tag: 'aux:1' },
    { service: 'web', from: 'old-web', to: 'new-web', tag: 'web:1' },
    { service: 'zoo', from: 'old-zoo', to: 'new-web', tag: 'web:1' },
  ]);
});

test('reports a service with several containers once', () => {
  const running = [
    { service: 'web', imageId: 'new-web', tag: 'web:1' },
    { service: 'web', imageId: 'old-1', tag: 'web:1' },
    { service: 'web', imageId: 'old-2', tag: 'web:1' },
  ];
  assert.deepEqual(imageChanges(running, local), [{ service: 'web', from: 'old-1', to: 'new-web', tag: 'web:1' }]);
});

test('does not compare a service whose tag has no local image', () => {
  assert.deepEqual(imageChanges([{ service: 'x', imageId: 'a', tag: 'gone:1' }], local), []);
  assert.deepEqual(imageChanges([], local), []);
});

test('should/box/240: compares containers that run, are paused or are being restarted', () => {
  const states = ['running', 'paused', 'restarting', 'removing', 'exited', 'dead'];
  const compared = comparedContainers(states.map((state) => ({ service: state, state })));
  assert.deepEqual(
    compared.map(({ state }) => state),
    ['running', 'paused', 'restarting'],
  );
});

test('compares a stopped container that a killed update was about to replace', () => {
  const web = (state: string) => ({ service: 'web', state });
  const stopped = { service: 'db', state: 'exited' };
  assert.deepEqual(comparedContainers([web('exited'), web('created'), stopped]), [web('exited'), web('created')]);
});

const containers = (states: Record<string, string>) =>
  Object.entries(states).map(([service, state]) => ({ service, state }));

test('should/box/240: an update may start every service if all have a container and none is stopped', () => {
  assert.equal(servicesToStart(containers({ web: 'running', db: 'created' }), { web: {}, db: {} }), null);
});

test('should/box/240: otherwise only active services, or those that an update left behind', () => {
  const services = { web: {}, db: {}, cache: {}, late: {} };
  const states = containers({ web: 'running', db: 'exited', cache: 'created', added: 'paused' });
  assert.deepEqual(servicesToStart(states, services), ['added', 'cache', 'web']);
  assert.deepEqual(servicesToStart(containers({ web: 'exited' }), { web: {} }), []);
});

test('choice/box/304: an upgrade starts running and new services, or nothing if nothing runs', () => {
  const run = (...states: [string, string][]) => states.map(([service, state]) => ({ service, state }));
  const services = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));
  const before = services('web', 'db');
  const both = run(['web', 'running'], ['db', 'running']);
  assert.equal(servicesToUpgrade(both, before, services('web', 'db')), null);
  assert.equal(servicesToUpgrade(both, before, services('web', 'db', 'cache')), null);
  assert.equal(servicesToUpgrade(both, before, services('web')), null);
  const one = run(['web', 'running'], ['db', 'exited']);
  assert.deepEqual(servicesToUpgrade(one, before, services('web', 'db', 'cache')), ['cache', 'web']);
  assert.deepEqual(servicesToUpgrade(run(['web', 'created'], ['db', 'exited']), before, before), ['web']);
  assert.deepEqual(servicesToUpgrade(run(['web', 'exited']), before, services('web', 'cache')), []);
  assert.deepEqual(servicesToUpgrade([], before, services('web', 'cache')), []);
});

test('and the jobs that must end before one of them starts', () => {
  const services = {
    web: { after: ['migrate'] },
    migrate: { after: ['seed', 'web'] },
    seed: {},
    db: { after: ['clean'] },
  };
  const states = containers({ web: 'running', migrate: 'exited', seed: 'exited', db: 'exited' });
  assert.deepEqual(servicesToStart(states, services), ['migrate', 'seed', 'web']);
});
