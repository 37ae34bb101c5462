import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action } from './actions.ts';
import { outcomeOfActions, outcomeOfUpdate } from './change-outcome.ts';

const action = (kind: Action['kind'], target = 'memos'): Action => ({ kind, target, detail: `why ${kind}` });

test('choice/box/330: counts the effective actions', () => {
  const done = [action('copy'), action('create', 'memos/web'), action('noop', 'gitea'), action('skip', 'old')];
  assert.deepEqual(outcomeOfActions(done, 'memos'), { outcome: 'ok', detail: '2 actions' });
  assert.deepEqual(outcomeOfActions([action('start')], null), { outcome: 'ok', detail: '1 action' });
  assert.deepEqual(outcomeOfActions([action('noop'), action('warn'), action('keep')], null), {
    outcome: 'ok',
    detail: 'nothing to do',
  });
  assert.deepEqual(outcomeOfUpdate([]), { outcome: 'ok', detail: 'nothing newer' });
  assert.equal(outcomeOfUpdate([1], ['web: still starting']).detail, '1 service updated; web: still starting');
  assert.deepEqual(outcomeOfUpdate([1]), { outcome: 'ok', detail: '1 service updated' });
  assert.equal(outcomeOfUpdate([], [], '1.11').detail, 'version 1.11');
  assert.equal(outcomeOfUpdate([1], [], '1.11').detail, 'version 1.11; 1 service updated');
});

test('choice/box/330: counts the errors of the app acted on and gives the first, or those of other apps', () => {
  const actions = [action('copy'), action('error', 'memos/web'), action('error', 'gitea')];
  const failed = (detail: string) => ({ outcome: 'failed', detail });
  assert.deepEqual(outcomeOfActions(actions, null), failed('2 errors, memos/web: why error'));
  assert.deepEqual(outcomeOfActions(actions, 'memos'), failed('1 error, memos/web: why error'));
  assert.deepEqual(outcomeOfActions(actions.toSpliced(1, 1), 'memos'), {
    outcome: 'ok',
    detail: '1 action; other apps: 1 error, gitea: why error',
    isPartial: true,
  });
});
