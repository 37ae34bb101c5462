import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { interruptedState, isUndone, isUnfinished, readUpdateState } from './update-state.ts';

const now = new Date('2026-03-01T10:00:00Z');

describe('readUpdateState', () => {
  test('is {} when no update was ever attempted', () => {
    assert.deepEqual(readUpdateState(null), {});
  });

  test('gives the object as it stands in the file, fields of other versions included', () => {
    const state = { stage: 'done', outcome: 'updated', later_field: [1] };
    assert.deepEqual(readUpdateState(JSON.stringify(state)), state);
  });

  const noStates = ['', '{', 'null', '[]', '"done"', '{"stage": 5}', '{"reason": null}', ' '.repeat(70_000)];
  for (const damaged of noStates) {
    test(`says that the file is damaged, and is final: ${damaged.slice(0, 20).trim() || 'blanks'}`, () => {
      const state = readUpdateState(damaged);
      assert.equal(state.stage, 'rolled_back');
      assert.match(state.reason ?? '', /update-state\.json, is damaged/);
    });
  }
});

type Property = { type: string; format?: string };
const document = parse(readFileSync(new URL('../../../spec/box.openapi.yaml', import.meta.url), 'utf8'));
const properties: Record<string, Property> = document.components.schemas.SelfUpdateState.properties;

/** Values that a field can have, by its name, its format or its type; and values that it cannot have. */
const samples: Record<string, [unknown[], unknown[]]> = {
  'date-time': [
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123456+02:00'],
    ['', 'yesterday', '2026-01-02', '2026-13-02T03:04:05Z', 1767323045],
  ],
  progress: [
    [0, 1, 0.5],
    [-0.1, 1.1, '0.5'],
  ],
  int64: [
    [0, 1, 47_000_000],
    [-1, 0.5, '7'],
  ],
  changelog: [
    ['https://a.example', 'https://A.example:8443/b%20c/d;e?f=g&h#i', 'https://[::1]/b'],
    [
      ...['', 'https://', 'a.example', 'CHANGELOG.md', 'javascript:alert(1)//https://a.example', 7],
      ...['HTTPS://a.example/', 'http://a.example/', 'https://a@b.example/'],
      ...['https://a.example/b c', 'https://a.example/%zz', 'https://a.example/"'],
    ],
  ],
  string: [['', 'x'], [7]],
};

describe('choice/box/131: a field of the document', () => {
  for (const [field, { type, format }] of Object.entries(properties)) {
    const [sound, odd] = samples[field] ?? samples[format ?? type] ?? [];
    assert.ok(sound, `there are no samples of ${format ?? type}`);
    test(`has the form that boxgate gives it: ${field}`, () => {
      for (const value of sound)
        assert.deepEqual(readUpdateState(JSON.stringify({ [field]: value })), { [field]: value });
      for (const value of [...(odd ?? []), null, [], {}, true]) {
        const { reason } = readUpdateState(JSON.stringify({ stage: 'done', [field]: value }));
        assert.match(reason ?? '', /is damaged/, JSON.stringify(value));
      }
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
  const versions = { from: '1.0.0', to: '1.1.0' };
  const cases = [
    ['is rolled back when the old version runs', 'downloading', '1.0.0', 'rolled_back', 'unchanged'],
    ['says that the link went back after a switch', 'restarting', '1.0.0', 'rolled_back', 'reverted'],
    ['is done when the new version runs', 'health_check', '1.1.0', 'done', 'updated'],
  ] as const;
  for (const [title, stage, running, ...expected] of cases) {
    test(title, () => {
      const end = interruptedState({ stage, ...versions }, running, now);
      assert.deepEqual([end.stage, end.outcome], expected);
      assert.equal(end.reason, end.stage === 'done' ? undefined : 'interrupted');
      assert.equal(end.finished_at, '2026-03-01T10:00:00.000Z');
    });
  }

  test('is rolled back when nothing is known', () => {
    assert.equal(interruptedState({}, '1.0.0', now).stage, 'rolled_back');
  });
});

test('choice/gateway/391: the version before runs again only where the switch was made and no end is written', () => {
  const state = { stage: 'health_check', from: '1.0.0', to: '2.0.0' };
  assert.equal(isUndone(state, '1.0.0'), true);
  for (const stage of ['checking', 'downloading', 'verifying', 'staging', 'done', 'rolled_back']) {
    assert.equal(isUndone({ ...state, stage }, '1.0.0'), false, stage);
  }
  assert.equal(isUndone(state, '2.0.0'), false);
  assert.equal(isUndone({ ...state, to: '1.0.0' }, '1.0.0'), false);
  assert.equal(isUndone({}, '1.0.0'), false);
});
