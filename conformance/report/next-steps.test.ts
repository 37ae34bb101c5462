import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRules } from '../kernel/rules.ts';
import type { Outcome, Result } from '../run/result.ts';
import { describeNextSteps, nextSteps } from './next-steps.ts';
import { exchange, facts, result, ruleIds } from './testing/results.ts';

const [rule = ''] = ruleIds;

function row(id: string, outcome: Outcome, ...paths: string[]): Result {
  const made = result('x', [rule], outcome);
  const exchanges = paths.map((path) => ({ ...exchange, method: 'POST', path, status: 501 }));
  return { ...made, check: { ...made.check, id, title: `shows ${id}` }, exchanges };
}

test('there is no next step where nothing is broken', () => {
  const results = [row('box/a/b', 'pass'), row('box/a/c', 'skipped'), row('box/a/d', 'expected-fail')];
  assert.equal(nextSteps(results, facts.rules), null);
  assert.equal(describeNextSteps(results, { ...facts, exec: 'x' }), '');
});

test('counts what holds of each topic, in the order of the list, without what was not asked', () => {
  const results = [
    row('box/lists/one', 'pass'),
    row('box/lists/two', 'fail'),
    row('box/update/one', 'expected-fail'),
    row('box/lists/three', 'skipped'),
    row('box/page/one', 'not-applicable'),
  ];
  assert.deepEqual(nextSteps(results, facts.rules)?.topics, [
    { name: 'lists', passed: 1, all: 2 },
    { name: 'update', passed: 1, all: 1 },
  ]);
});

test('takes failures together whose last request and answer are alike, whatever box or app they were about', () => {
  const results = [
    row('box/a/one', 'fail', '/v1/boxes/17/heartbeat'),
    row('box/b/two', 'timeout', '/v1/routes', '/v1/boxes/18-ab/heartbeat?x=1'),
    row('box/b/three', 'fail', '/v1/routes'),
  ];
  const groups = nextSteps(results, facts.rules)?.reasons.map(({ text, results: group }) => [
    text,
    group.length,
  ]);
  assert.deepEqual(groups, [
    ['POST /v1/boxes/…/heartbeat answered 501: it does not', 2],
    ['POST /v1/routes answered 501: it does not', 1],
  ]);
});

test('goes on with the check of the commonest reason that asks the least', () => {
  const results = [
    row('box/a/alone', 'fail', '/api/self'),
    row('box/a/long', 'fail', '/api/apps', '/api/apps'),
    row('box/b/short', 'fail', '/api/apps'),
    row('box/c/short', 'fail', '/api/apps'),
  ];
  assert.equal(nextSteps(results, facts.rules)?.next?.check.id, 'box/b/short');
  const text = describeNextSteps(results, { ...facts, exec: "python3 'it.py'" });
  assert.match(text, /3 × POST \/api\/apps answered 501/);
  assert.match(text, /boxgate conformance box --exec 'python3 '\\''it\.py'\\''' --only box\/b\/short\n/);
});

test('prefers the check that is about what was asked to one that only needs it', () => {
  const path = '/api/apps/quay/update';
  const needs = row('box/a/needs', 'fail', path);
  const about = row('box/b/about', 'fail', '/api/apps', path);
  about.check.rules = ['box/errors/1', 'box/updateApp/1'];
  assert.equal(nextSteps([needs, about], readRules('box'))?.next?.check.id, 'box/b/about');
});

test('says by how many it shortens a long list of reasons', () => {
  const results = [...'abcdefg'].map((letter) => row(`box/a/${letter}`, 'fail', `/api/${letter}`));
  assert.match(describeNextSteps(results, { ...facts, exec: 'x' }), /\n {2}and 2 more\n/);
});

test('a deviation that passes is told as one', () => {
  const reasons = nextSteps([row('box/a/one', 'unexpected-pass')], facts.rules)?.reasons;
  assert.deepEqual(
    reasons?.map(({ text }) => text),
    ['a listed deviation passes'],
  );
});
