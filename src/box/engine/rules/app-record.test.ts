import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppRecord, type AppResult, missingContainers, nextRecord, type ReadProject } from './app-record.ts';

const facts = { name: null, files: [], built: [], isComplete: true };
const model = { name: 'notes', services: {} };
const read: ReadProject = { facts, factsDigest: 'f', digest: 'd', model, problem: null };
const before: AppRecord = {
  facts,
  factsDigest: 'f',
  model,
  modelFor: 'd',
  inputs: { web: 'old' },
  replaced: ['app.conf'],
  succeeded: 'd',
  containers: [{ name: 'notes-web-1', service: 'web' }],
  failure: null,
};
const result = (fields: Partial<AppResult>): AppResult => ({
  outcome: undefined,
  inputs: {},
  isCalm: false,
  isClosed: false,
  now: 5,
  ...fields,
});

test('a success is recorded with what the containers see now', () => {
  const done = result({ outcome: { containers: [{ name: 'notes-web-1', service: 'web' }] }, inputs: { web: 'new' } });
  const failed = { ...before, succeeded: null, failure: 'why' };
  assert.deepEqual(nextRecord(read, failed, done), { ...before, inputs: { web: 'new' }, replaced: [] });
});

test('a failure is recorded, and what is left to do stays', () => {
  const done = result({ outcome: { failure: 'why' } });
  assert.deepEqual(nextRecord(read, before, done), { ...before, succeeded: null, failure: 'why', failedAt: 5 });
  const first = nextRecord({ ...read, problem: 'no such file' }, undefined, done);
  const none = { inputs: {}, replaced: [], containers: [], succeeded: null };
  assert.deepEqual(first, { ...before, ...none, model: null, modelFor: '', failure: 'why', failedAt: 5 });
});

test('what holds an app back stays until the app is up', () => {
  const held = { ...before, held: 'put its data back' };
  const failed = nextRecord(read, held, result({ outcome: { failure: 'why' } }));
  assert.equal(failed.held, held.held);
  assert.equal('held' in nextRecord(read, failed, result({ outcome: { containers: [] } })), false);
});

test('whether the port is to be closed is that of the last success', () => {
  const up = { outcome: { containers: [{ name: 'notes-web-1', service: 'web' }] } };
  const closed = nextRecord(read, before, result({ ...up, isClosed: true }));
  assert.equal(closed.isClosed, true);
  assert.equal(nextRecord(read, closed, result({ outcome: { failure: 'why' } })).isClosed, true);
  assert.equal('isClosed' in nextRecord(read, closed, result(up)), false);
});

test('a record without news is the same object; an app in line has no failure any more', () => {
  assert.equal(nextRecord(read, before, result({})), before);
  assert.equal(nextRecord(read, before, result({ isCalm: true })), before);
  const failed = { ...before, failure: 'why', failedAt: 3 };
  assert.equal(nextRecord(read, failed, result({})), failed);
  assert.deepEqual(nextRecord(read, failed, result({ isCalm: true })), before);
  const changed = nextRecord({ ...read, digest: 'e' }, failed, result({}));
  assert.deepEqual(changed, { ...failed, modelFor: 'e' });
  assert.equal(nextRecord({ ...read, factsDigest: 'g' }, undefined, result({})).succeeded, null);
});

test('a container that was renamed stands for one of its service, and for no second one', () => {
  const named = (name: string, service: string) => ({ name, service });
  const last = [named('a-web-1', 'web'), named('a-web-2', 'web'), named('a-db-1', 'db')];
  assert.deepEqual(missingContainers(last, [named('mine', 'web'), named('a-db-1', 'db')]), ['a-web-2']);
  assert.deepEqual(missingContainers([named('a-web-1', 'web')], [named('mine', 'db')]), ['a-web-1']);
});
