import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostState } from './host-state.ts';

const stateOf = (answer: Partial<Parameters<typeof hostState>[0]>, hasLogin = false) => {
  const {
    proxy,
    proxy_problem: problem,
    isFinal,
  } = hostState({ status: 200, text: '', problem: null, distrust: null, ...answer }, hasLogin);
  return [proxy, problem, isFinal];
};

test('choice/gateway/311: any answer of the app counts, also one that refuses', () => {
  for (const status of [200, 302, 401, 404, 500, 503]) {
    assert.deepEqual(stateOf({ status }), ['answers', null, true]);
  }
});

test('a new login that Traefik does not take yet is waited for', () => {
  const answer = { status: 401, text: '401 Unauthorized\n' };
  assert.deepEqual(stateOf(answer, true), ['not_yet', 'it does not take the new login', false]);
  assert.deepEqual(stateOf(answer), ['answers', null, true]);
  assert.deepEqual(stateOf({ status: 401, text: 'the app' }, true), ['answers', null, true]);
});

test("choice/gateway/311: Traefik's own 404 page is no answer of the app", () => {
  assert.deepEqual(stateOf({ status: 404, text: '404 page not found\n' }), [
    'not_yet',
    'it answers 404, as for a host without a route',
    false,
  ]);
});

test('choice/gateway/311: distinguishes a proxy that does not reach the app', () => {
  for (const status of [502, 504]) {
    assert.deepEqual(stateOf({ status }), ['no_app', `the app does not answer through the tunnel: ${status}`, true]);
  }
});

test('choice/gateway/311: without a trusted certificate or an answer it is not served yet', () => {
  assert.deepEqual(stateOf({ distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), [
    'not_yet',
    'browsers do not trust its certificate: DEPTH_ZERO_SELF_SIGNED_CERT',
    false,
  ]);
  assert.deepEqual(stateOf({ problem: 'ECONNREFUSED' }), ['not_yet', 'no answer: ECONNREFUSED', false]);
});

test('choice/gateway/311: a name that cannot be looked up is not waited for', () => {
  for (const problem of ['ENOTFOUND', 'EAI_AGAIN']) {
    assert.deepEqual(stateOf({ problem }), ['not_yet', `this box cannot look its name up: ${problem}`, true]);
  }
});
