import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppRecord, type AppResult, nextRecord, type ReadProject } from './app-record.ts';

const facts = { name: null, files: [], isComplete: true };
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
  containers: ['notes-web-1'],
  failure: null,
};
const result = (fields: Partial<AppResult>): AppResult => ({
  outcome: undefined,
  inputs: {},
  isCalm: false,
  isClosed: false,
  ...fields,
});

test('a success is recorded with what the containers see now', () => {
  const done = result({ outcome: { containers: ['notes-web-1'] }, inputs: { web: 'new' } });
  const failed = { ...before, succeeded: null, failure: 'why' };
  assert.deepEqual(nextRecord(read, failed, done), { ...before, inputs: { web: 'new' }, replaced: [] });
});

test('a failure is recorded, and what is left to do stays', () => {
  const done = result({ outcome: { failure: 'why' } });
  assert.deepEqual(nextRecord(read, before, done), { ...before, succeeded: null, failure: 'why' });
  const first = nextRecord({ ...read, problem: 'no such file' }, undefined, done);
  const none = { inputs: {}, replaced: [], containers: [], succeeded: null };
  assert.deepEqual(first, { ...before, ...none, model: null, modelFor: '', failure: 'why' });
});

test('what holds an app back stays until the app is up', () => {
  const held = { ...before, held: 'put its data back' };
  const failed = nextRecord(read, held, result({ outcome: { failure: 'why' } }));
  assert.equal(failed.held, held.held);
  assert.equal('held' in nextRecord(read, failed, result({ outcome: { containers: [] } })), false);
});

test('whether the port is to be closed is that of the last success', () => {
  const up = { outcome: { containers: ['notes-web-1'] } };
  const closed = nextRecord(read, before, result({ ...up, isClosed: true }));
  assert.equal(closed.isClosed, true);
  assert.equal(nextRecord(read, closed, result({ outcome: { failure: 'why' } })).isClosed, true);
  assert.equal('isClosed' in nextRecord(read, closed, result(up)), false);
});

test('a record without news is the same object; an app in line has no failure any more', () => {
  assert.equal(nextRecord(read, before, result({})), before);
  assert.equal(nextRecord(read, before, result({ isCalm: true })), before);
  const failed = { ...before, failure: 'why' };
  assert.equal(nextRecord(read, failed, result({})), failed);
  assert.deepEqual(nextRecord(read, failed, result({ isCalm: true })), before);
  const changed = nextRecord({ ...read, digest: 'e' }, failed, result({}));
  assert.deepEqual(changed, { ...failed, modelFor: 'e' });
  assert.equal(nextRecord({ ...read, factsDigest: 'g' }, undefined, result({})).succeeded, null);
});
