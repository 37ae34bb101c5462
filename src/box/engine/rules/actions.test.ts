import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../testing/sample-container.ts';
import { containerChanges, hasError, upActions, withNotes } from './actions.ts';

test('compares the containers before and after', () => {
  const named = (service: string, fields = {}) =>
    sampleContainer('a', { id: service, name: `a-${service}-1`, service, ...fields });
  const before = [
    named('gone'),
    named('paused', { state: 'paused' }),
    named('old'),
    named('renamed'),
    named('same'),
    named('crashed', { state: 'running', startedAt: 1 }),
    named('again', { state: 'exited', startedAt: 1 }),
    named('unknown', { state: 'exited', startedAt: null }),
  ];
  const after = [
    named('old', { id: 'other' }),
    named('same'),
    named('paused'),
    named('crashed', { state: 'exited', startedAt: 1 }),
    named('again', { state: 'exited', startedAt: 2 }),
    named('unknown', { state: 'running', startedAt: null }),
    named('new'),
    named('renamed', { name: 'mine' }),
  ];
  assert.deepEqual(
    containerChanges(before, after).map(({ service, event }) => `${service} ${event}`),
    [
      'gone removed',
      'old recreated',
      'same running',
      'paused started',
      'crashed running',
      'again started',
      'unknown started',
      'new created',
      'renamed running',
    ],
  );
});

test('reports each service once, by name, with its strongest change and the cause', () => {
  const actions = upActions(
    'app',
    [
      { service: 'web', event: 'started' },
      { service: 'web', event: 'recreated' },
      { service: 'db', event: 'running' },
      { service: 'aux', event: 'removed' },
      { service: 'new', event: 'created' },
      { service: 'late', event: 'started' },
    ],
    'its .env changed',
  );
  assert.deepEqual(
    actions.map(({ kind, target, detail }) => `${kind} ${target} ${detail}`),
    [
      'remove_orphan app/aux removed: its .env changed',
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

test('adds a note to the action of its target, or an action for it', () => {
  const other = { kind: 'noop' as const, target: 'b', detail: 'in line' };
  const actions = [{ kind: 'create' as const, target: 'a/web', detail: 'created: why' }, other];
  const notes = new Map([
    ['a/web', 'still starting'],
    ['a/db', 'still starting, too'],
  ]);
  assert.deepEqual(withNotes(actions, notes), [
    { kind: 'create', target: 'a/web', detail: 'created: why; still starting' },
    other,
    { kind: 'start', target: 'a/db', detail: 'still starting, too' },
  ]);
});
