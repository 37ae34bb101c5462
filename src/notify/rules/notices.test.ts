import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueMessage, emptyLog, mayBeSent, type Notice, parseLog, withMessage, withNotice } from './notices.ts';

const now = new Date('2026-01-02T03:04:05Z');
const down: Notice = { topic: 'app notes', state: 'down', text: 'notes is down.' };
const back: Notice = { topic: 'app notes', state: 'ok', text: 'notes runs again.' };

const cases: [string, (Notice | 'sent')[], string | null][] = [
  ['nothing at first', [], null],
  ['nothing while all is well', [back], null],
  ['a change of state', [down], 'notes is down.'],
  ['a change of state once', [down, 'sent', down], null],
  ['the change back', [down, 'sent', back], 'notes runs again.'],
  ['nothing twice', [down, 'sent', back, 'sent', back], null],
  ['nothing that was over before it could be sent', [down, back], null],
  ['the first text of a state', [down, { ...down, text: 'another' }], 'notes is down.'],
  [
    'all topics at once',
    [down, { ...down, topic: 'disk', text: 'The disk is full.' }],
    'notes is down.\nThe disk is full.',
  ],
  ['nothing for a state without a text', [down, 'sent', { ...back, text: null }], null],
  ['a state after one without a text', [{ ...down, text: null }, back], 'notes runs again.'],
];
for (const [name, steps, message] of cases) {
  test(`tells ${name}`, () => {
    const log = steps.reduce(
      (one, step) => (step === 'sent' ? withMessage(one, now) : withNotice(one, step)),
      emptyLog,
    );
    assert.equal(dueMessage(log), message);
    assert.deepEqual(parseLog(JSON.stringify(log)), log);
  });
}

test('keeps the same log if a state has not changed', () => {
  const log = withNotice(emptyLog, down);
  assert.equal(withNotice(log, down), log);
  assert.equal(withNotice(emptyLog, back), emptyLog);
});

test('bounds topics, texts and messages', () => {
  let log = emptyLog;
  for (let i = 0; i < 600; i += 1) log = withNotice(log, { topic: `app ${i}`, state: 'down', text: 'ü'.repeat(700) });
  assert.equal(Object.keys(log.topics).length, 500);
  const message = dueMessage(log) ?? '';
  assert.match(message, /^ü{500}…\nü{500}…\nü{500}…\nAnd 497 more\.$/);
  assert.ok(Buffer.byteLength(message) < 4096);
});

test('sends at most ten messages an hour', () => {
  let log = emptyLog;
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  for (let i = 0; i < 10; i += 1) {
    assert.ok(mayBeSent(log, at(i)));
    log = withMessage(log, at(i));
  }
  assert.equal(mayBeSent(log, at(10)), false);
  assert.ok(mayBeSent(log, at(61)));
  assert.ok(mayBeSent(log, at(-600)), 'a clock that was set back stops no message');
});

test('keeps why a message could not be sent', () => {
  const log = { ...emptyLog, problem: 'answered 403 Forbidden' };
  assert.deepEqual(parseLog(JSON.stringify(log)), log);
});

test('a damaged log counts as never told', () => {
  for (const text of ['', '[]', '{', '{"topics":[],"sentAt":7,"problem":[]}', '{"topics":{"disk":{"told":1}}}']) {
    assert.deepEqual(parseLog(text), emptyLog);
  }
});
