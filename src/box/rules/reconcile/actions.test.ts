import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasError, upActions } from './actions.ts';

test('reports each service once, by name, with its strongest change and the cause', () => {
  const actions = upActions(
    'app',
    [
      { service: 'web', event: 'started' },
      { service: 'web', event: 'recreated' },
      { service: 'db', event: 'running' },
      { service: 'aux', event: 'removed' },
      { service: 'job', event: 'stopped' },
      { service: 'new', event: 'created' },
      { service: 'late', event: 'started' },
    ],
    'its .env changed',
  );
  assert.deepEqual(
    actions.map(({ kind, target, detail }) => `${kind} ${target} ${detail}`),
    [
      'remove_orphan app/aux removed: its .env changed',
      'stop app/job stopped: its .env changed',
      'start app/late started: its .env changed',
      'create app/new created: its .env changed',
      'recreate app/web recreated: its .env changed',
    ],
  );
});

test('reports the app if no service changed', () => {
  const [action, ...others] = upActions('app', [{ service: 'web', event: 'running' }], 'cause');
  assert.deepEqual(others, []);
  assert.deepEqual([action?.kind, action?.target], ['noop', 'app']);
});

test('reports that the app was brought up if its services are unknown', () => {
  assert.deepEqual(upActions('app', [], 'its .env changed'), [
    { kind: 'start', target: 'app', detail: 'brought up: its .env changed' },
  ]);
});

test('a result has an error exactly if one of its actions is one (box/post-rules/4)', () => {
  const noop = { kind: 'noop', target: 'a', detail: '' } as const;
  assert.equal(hasError([noop, { ...noop, kind: 'warn' }, { ...noop, kind: 'skip' }]), false);
  assert.equal(hasError([noop, { ...noop, kind: 'error' }]), true);
  assert.equal(hasError([]), false);
});
