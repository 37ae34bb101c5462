import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action } from './actions.ts';
import { appOutcome, resultFor } from './app-outcome.ts';

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
