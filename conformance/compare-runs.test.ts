import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences } from './compare-runs.ts';
import type { Outcome } from './run/result.ts';

const report = (outcomes: Record<string, Outcome>) => ({
  checks: Object.entries(outcomes).map(([id, outcome]) => ({
    id,
    outcome,
    title: '',
    rules: [],
    level: 'must' as const,
    reason: '',
    evidence: [],
    command: '',
    milliseconds: 1,
    exchanges: [],
    script: '',
  })),
});

const whole = { name: 'seed 1', reports: [report({ a: 'pass', b: 'fail' })] };

test('runs in another order and in shards agree with a complete run', () => {
  const shuffled = { name: 'seed 2', reports: [report({ b: 'fail', a: 'pass' })] };
  const parts = { name: 'parts', reports: [report({ a: 'pass' }), report({ b: 'fail' })] };
  assert.deepEqual(differences([whole, shuffled, parts]), []);
});

test('names a check whose outcome differs, or that is missing or ran twice', () => {
  const other = { name: 'seed 2', reports: [report({ a: 'timeout', b: 'fail' })] };
  assert.deepEqual(differences([whole, other]), ['a: pass in seed 1, timeout in seed 2']);
  const fewer = { name: 'parts', reports: [report({ a: 'pass' })] };
  assert.deepEqual(differences([whole, fewer]), ['b: fail in seed 1, absent in parts']);
  const twice = { name: 'parts', reports: [report({ a: 'pass', b: 'fail' }), report({ a: 'pass' })] };
  assert.deepEqual(differences([whole, twice]), ['a: pass in seed 1, pass and pass in parts']);
});

test('names a check that passes late in every run', () => {
  const late = { name: 'seed 1', reports: [report({ a: 'passed-late' })] };
  assert.deepEqual(differences([late]), ['a: passed-late in seed 1']);
});
