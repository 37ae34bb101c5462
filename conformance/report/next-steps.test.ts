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

test('has no next step if no check failed', () => {
  const results = [row('box/a/b', 'pass'), row('box/a/c', 'skipped'), row('box/a/d', 'expected-fail')];
  assert.equal(nextSteps(results, facts.rules), null);
  assert.equal(describeNextSteps(results, facts), '');
});

test('counts the passed checks of each topic in their order, without skipped ones', () => {
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

test('groups failures with similar last requests and responses, whatever box or app they are about', () => {
  const results = [
    row('box/a/one', 'fail', '/v1/boxes/17/heartbeat'),
    row('box/b/two', 'timeout', '/v1/routes', '/v1/boxes/18-ab/heartbeat?x=1'),
    row('box/b/three', 'fail', '/v1/routes'),
  ];
  const groups = nextSteps(results, facts.rules)?.reasons.map(({ text, results: group }) => [text, group.length]);
  assert.deepEqual(groups, [
    ['POST /v1/boxes/…/heartbeat answered 501: it does not', 2],
    ['POST /v1/routes answered 501: it does not', 1],
  ]);
});

test('suggests the simplest check of the most common reason', () => {
  const results = [
    row('box/a/alone', 'fail', '/api/self'),
    row('box/a/long', 'fail', '/api/apps', '/api/apps'),
    row('box/b/short', 'fail', '/api/apps'),
    row('box/c/short', 'fail', '/api/apps'),
  ];
  assert.equal(nextSteps(results, facts.rules)?.next?.check.id, 'box/b/short');
  const text = describeNextSteps(results, facts);
  assert.match(text, /3 × POST \/api\/apps answered 501/);
  assert.ok(text.includes(`  ${facts.command} --only box/b/short\n`));
});

test('prefers a check of the failing operation to one that only needs it', () => {
  const path = '/api/apps/quay/update';
  const needs = row('box/a/needs', 'fail', path);
  const about = row('box/b/about', 'fail', '/api/apps', path);
  about.check.rules = ['box/errors/1', 'box/updateApp/1'];
  assert.equal(nextSteps([needs, about], readRules('box'))?.next?.check.id, 'box/b/about');
});

test('runs the check in whose traffic a violation was seen, too', () => {
  const seen = { ...row('box/http/form', 'fail', '/api/apps'), seenIn: 'box/a/one' };
  assert.match(describeNextSteps([seen], facts), / --seed 7 --only box\/http\/form --only box\/a\/one\n/);
});

test('says how many reasons it omits', () => {
  const results = [...'abcdefg'].map((letter) => row(`box/a/${letter}`, 'fail', `/api/${letter}`));
  assert.match(describeNextSteps(results, facts), /\n {2}and 2 more\n/);
});

test('lists an unexpected pass as a reason', () => {
  const reasons = nextSteps([row('box/a/one', 'unexpected-pass')], facts.rules)?.reasons;
  assert.deepEqual(
    reasons?.map(({ text }) => text),
    ['a listed deviation passes'],
  );
});
