import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action } from './actions.ts';
import { outcomeOfActions, outcomeOfUpdate } from './change-outcome.ts';

const action = (kind: Action['kind'], target = 'memos'): Action => ({ kind, target, detail: `why ${kind}` });

test('choice/box/330: counts the effective actions', () => {
  const done = [action('copy'), action('create', 'memos/web'), action('noop', 'gitea'), action('skip', 'old')];
  assert.deepEqual(outcomeOfActions(done), { outcome: 'ok', detail: '2 actions' });
  assert.deepEqual(outcomeOfActions([action('start')]), { outcome: 'ok', detail: '1 action' });
  assert.deepEqual(outcomeOfActions([action('noop'), action('warn'), action('keep')]), {
    outcome: 'ok',
    detail: 'nothing to do',
  });
  assert.deepEqual(outcomeOfUpdate([]), { outcome: 'ok', detail: 'nothing newer' });
  assert.deepEqual(outcomeOfUpdate([1]), { outcome: 'ok', detail: '1 service updated' });
});

test('choice/box/330: counts the errors and gives the first', () => {
  const actions = [action('copy'), action('error', 'memos/web'), action('error', 'gitea')];
  assert.deepEqual(outcomeOfActions(actions), { outcome: 'failed', detail: '2 errors, memos/web: why error' });
});
