import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerProblem, judgeHealth, type Look, whyUnhealthy } from './health.ts';

const good: Look = {
  at: 0,
  state: 'active',
  pid: 7,
  restarts: 0,
  answer: { status: 200, server: 'boxgate/2.0.0', problem: null },
};
const silent: Look = { ...good, answer: { status: 0, server: '', problem: 'connect ECONNREFUSED' } };
const looksAt = (times: number[], look: Look = good) => times.map((at) => ({ ...look, at }));

describe('choice/box/365: a version', () => {
  const cases: [string, Look[], string][] = [
    ['is not healthy before the first look', [], 'not yet'],
    ['is not healthy at its first answer', looksAt([0]), 'not yet'],
    ['is not healthy after less than 3 s', looksAt([0, 2999]), 'not yet'],
    ['is healthy when it has answered for 3 s', looksAt([0, 1500, 3000]), 'healthy'],
    ['begins anew after a pause', [...looksAt([0]), { ...silent, at: 1000 }, ...looksAt([2000, 4000])], 'not yet'],
    ['begins anew with another process', [{ ...good, pid: 6 }, ...looksAt([1000, 3500])], 'not yet'],
    ['is not healthy while its unit starts', looksAt([0, 4000], { ...good, state: 'activating' }), 'not yet'],
    ['has ended when its unit failed', [good, { ...silent, state: 'failed', pid: 0 }], 'ended'],
    ['has ended when its unit is inactive', [{ ...silent, state: 'inactive' }], 'ended'],
    ['has ended at its third restart', looksAt([0, 4000], { ...good, restarts: 3 }), 'ended'],
    ['may take a second process', [...looksAt([0], { ...silent, pid: 1 }), ...looksAt([1000, 4000])], 'healthy'],
  ];
  for (const [name, looks, expected] of cases) {
    test(name, () => assert.equal(judgeHealth(looks, '2.0.0'), expected));
  }
});

describe('an answer', () => {
  const cases: [Look['answer'], string | null][] = [
    [{ status: 200, server: 'boxgate/2.0.0', problem: null }, null],
    [{ status: 404, server: 'boxgate/2.0.0', problem: null }, null],
    [{ status: 500, server: 'boxgate/2.0.0', problem: null }, 'answers with status 500'],
    [{ status: 200, server: 'boxgate/2.0.0-rc.1', problem: null }, 'answers as "boxgate/2.0.0-rc.1"'],
    [{ status: 200, server: '', problem: null }, 'answers as ""'],
    [{ status: 0, server: '', problem: 'ECONNRESET' }, 'does not answer: ECONNRESET'],
  ];
  for (const [answer, expected] of cases) {
    test(`${JSON.stringify(answer)} is ${expected === null ? 'good' : 'bad'}`, () =>
      assert.equal(answerProblem(answer, '2.0.0'), expected));
  }
});

describe('the reason', () => {
  const cases: [Look[], string][] = [
    [[], 'was not looked at'],
    [[good, silent], 'does not answer: connect ECONNREFUSED'],
    [[{ ...silent, state: 'failed' }], 'starts and then ends'],
    [[{ ...silent, state: 'inactive' }], 'starts and then ends'],
    [[{ ...silent, restarts: 1 }], 'starts and then ends'],
    [[{ ...silent, state: 'activating', pid: 0 }], 'starts and then ends'],
    [[good], 'does not keep on answering'],
  ];
  for (const [looks, expected] of cases) {
    test(expected, () => assert.equal(whyUnhealthy(looks, '2.0.0'), expected));
  }
});
