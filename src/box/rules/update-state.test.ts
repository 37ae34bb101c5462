import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { interruptedState, isUnfinished, readUpdateState } from './update-state.ts';

const now = new Date('2026-03-01T10:00:00Z');

describe('readUpdateState', () => {
  test('is {} when no update was ever attempted', () => {
    assert.deepEqual(readUpdateState(null), {});
  });

  test('gives the object as it stands in the file, fields of other versions included', () => {
    const state = { stage: 'done', outcome: 'updated', later_field: [1] };
    assert.deepEqual(readUpdateState(JSON.stringify(state)), state);
  });

  for (const damaged of [
    '',
    '{',
    'null',
    '[]',
    '"done"',
    '{"stage": 5}',
    '{"reason": null}',
    ' '.repeat(70_000),
  ]) {
    test(`says that the file is damaged, and is final: ${damaged.slice(0, 20).trim() || 'blanks'}`, () => {
      const state = readUpdateState(damaged);
      assert.equal(state.stage, 'rolled_back');
      assert.match(state.reason ?? '', /update-state\.json, is damaged/);
    });
  }
});

describe('isUnfinished', () => {
  const cases = [
    [{}, false],
    [{ stage: 'done' }, false],
    [{ stage: 'rolled_back' }, false],
    [{ stage: 'checking' }, true],
    [{ stage: 'health_check' }, true],
  ] as const;
  for (const [state, expected] of cases) {
    test(`${JSON.stringify(state)}: ${expected}`, () => assert.equal(isUnfinished(state), expected));
  }
});

describe('interruptedState', () => {
  test('is rolled back, reason interrupted, when the old version runs', () => {
    const state = interruptedState({ stage: 'downloading', from: '1.0.0', to: '1.1.0' }, '1.0.0', now);
    assert.equal(state.stage, 'rolled_back');
    assert.equal(state.reason, 'interrupted');
    assert.equal(state.outcome, 'unchanged');
    assert.equal(state.finished_at, '2026-03-01T10:00:00.000Z');
  });

  test('tells that the link went back when the interruption came after the switch', () => {
    const state = interruptedState({ stage: 'restarting', from: '1.0.0', to: '1.1.0' }, '1.0.0', now);
    assert.equal(state.outcome, 'reverted');
  });

  test('is done when the new version runs', () => {
    const state = interruptedState({ stage: 'health_check', from: '1.0.0', to: '1.1.0' }, '1.1.0', now);
    assert.equal(state.stage, 'done');
    assert.equal(state.outcome, 'updated');
  });

  test('is rolled back when nothing is known but a stage', () => {
    const state = interruptedState({}, '1.0.0', now);
    assert.equal(state.stage, 'rolled_back');
  });
});
