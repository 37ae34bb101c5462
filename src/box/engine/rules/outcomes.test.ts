import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action } from './actions.ts';
import { appOutcome, outcomeOfActions, outcomeOfUpdate, resultFor } from './outcomes.ts';

const action = (kind: Action['kind'], target: string, detail: string): Action => ({ kind, target, detail });
const others = [
  action('noop', 'feeds', 'in line'),
  action('skip', 'notes-2', 'it has no Compose file'),
  action('error', 'shop/web', 'the port is taken'),
];

test('choice/box/116: an app without an error is up, and only its changes are listed', () => {
  const actions = [action('create', 'notes/web', 'created: its container is gone'), ...others];
  assert.deepEqual(appOutcome('notes', actions), {
    isUp: true,
    ending: ' and runs',
    lines: ['notes/web: created: its container is gone', 'shop/web: the port is taken'],
  });
});

test('choice/box/116: an app with an error is not up, even if only one service has it', () => {
  const fault = action('error', 'notes/web', 'it ended');
  const actions = [action('start', 'notes/db', 'started'), fault, { ...fault, target: 'feeds' }];
  assert.deepEqual(appOutcome('notes', actions), {
    isUp: false,
    ending: ', but it does not run: it ended',
    lines: ['notes/db: started'],
  });
});

test('choice/box/116: an app without anything to start is a success', () => {
  const actions = [action('skip', 'notes', 'it has no Compose file')];
  assert.deepEqual(appOutcome('notes', actions), {
    isUp: true,
    ending: '; nothing is started: it has no Compose file',
    lines: [],
  });
});

test('the text of a change has what was done, how it ended, and a line for each effect', () => {
  const actions = [action('error', 'notes', 'a line\nwith another'), action('create', 'notes/web', 'created')];
  assert.deepEqual(resultFor('notes', 'notes was restarted', actions), {
    ok: false,
    text: 'notes was restarted, but it does not run: a line\\u{a}with another\nnotes/web: created',
  });
});

const why = (kind: Action['kind'], target = 'memos'): Action => action(kind, target, `why ${kind}`);

test('choice/box/330: counts the effective actions', () => {
  const done = [why('copy'), why('create', 'memos/web'), why('noop', 'gitea'), why('skip', 'old')];
  assert.deepEqual(outcomeOfActions(done, 'memos'), { outcome: 'ok', detail: '2 actions' });
  assert.deepEqual(outcomeOfActions([why('start')], null), { outcome: 'ok', detail: '1 action' });
  assert.deepEqual(outcomeOfActions([why('noop'), why('warn'), why('keep')], null), {
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
  const actions = [why('copy'), why('error', 'memos/web'), why('error', 'gitea')];
  const failed = (detail: string) => ({ outcome: 'failed', detail });
  assert.deepEqual(outcomeOfActions(actions, null), failed('2 errors, memos/web: why error'));
  assert.deepEqual(outcomeOfActions(actions, 'memos'), failed('1 error, memos/web: why error'));
  assert.deepEqual(outcomeOfActions(actions.toSpliced(1, 1), 'memos'), {
    outcome: 'ok',
    detail: '1 action; other apps: 1 error, gitea: why error',
    isPartial: true,
  });
});
