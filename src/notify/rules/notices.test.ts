import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dueMessage,
  emptyLog,
  mayBeSent,
  type Notice,
  type NoticeLog,
  parseLog,
  withMessage,
  withNotices,
} from './notices.ts';

const now = new Date('2026-01-02T03:04:05Z');
const withNotice = (log: NoticeLog, notice: Notice) => withNotices(log, [notice], now);
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
    assert.equal(dueMessage(log, now), message);
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
  const message = dueMessage(log, now) ?? '';
  assert.match(message, /^ü{500}…\nAnd 499 more\.$/);
  assert.ok(Buffer.byteLength(message) < 1900);
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

test('tells once that something flaps, and what it has come to when it has stayed the same for two hours', () => {
  const told: string[] = [];
  let log = emptyLog;
  let minutes = 0;
  /** The state changes, and is looked at each minute. */
  const pass = (state: 'down' | 'ok', forMinutes: number, text: string | null = `it is ${state}`) => {
    for (const end = minutes + forMinutes; minutes < end; minutes += 1) {
      const at = new Date(now.getTime() + minutes * 60_000);
      log = parseLog(JSON.stringify(withNotices(log, [{ topic: 'app notes', state, text }], at)));
      const message = dueMessage(log, at);
      if (message === null) continue;
      told.push(message);
      log = withMessage(log, at);
    }
    return told.splice(0);
  };
  const flapping =
    'it is down It comes and goes (flapping): the next message about it follows when it has stayed the same for two hours.';
  assert.deepEqual(Array.from({ length: 240 }, (_, i) => pass(i % 2 === 0 ? 'down' : 'ok', 6)).flat(), [
    'it is down',
    'it is ok',
    'it is down',
    'it is ok',
    flapping,
  ]);
  assert.deepEqual([pass('down', 110), pass('down', 20)], [[], ['it is down']]);
  assert.deepEqual([pass('ok', 119), pass('down', 5), pass('ok', 130)], [['it is ok'], ['it is down'], ['it is ok']]);
  pass('down', 1);
  assert.deepEqual(log.topics['app notes']?.tells, 1, 'a calm of two hours ends the count');
  pass('ok', 1, null);
  pass('ok', 200);
});

test('tells another subject while one flaps', () => {
  const minute = (i: number) => new Date(now.getTime() + i * 60_000);
  let log = emptyLog;
  for (let i = 0; i < 6; i += 1) log = withMessage(withNotices(log, [i % 2 === 0 ? down : back], minute(i)), minute(i));
  log = withNotices(log, [{ topic: 'disk', state: 'low', text: 'The disk is full.' }], minute(6));
  assert.equal(dueMessage(log, minute(6)), 'The disk is full.');
  const { told, state } = withMessage(log, minute(6)).topics['app notes'] ?? {};
  assert.deepEqual([told, state], ['flapping', 'ok']);
});

test('forgets what has been well for two hours, and what a wrong clock has written', () => {
  const later = new Date(now.getTime() + 2 * 60 * 60_000);
  const well = [down, back].reduce((log, notice) => withMessage(withNotice(log, notice), now), emptyLog);
  assert.deepEqual(Object.keys(well.topics), ['app notes']);
  const disk = { topic: 'disk', state: 'low', text: '' };
  assert.deepEqual(Object.keys(withNotices(well, [disk], later).topics), ['disk']);
  assert.deepEqual(Object.keys(withNotices(well, [disk], new Date(0)).topics), ['disk']);
});

test('keeps why a message could not be sent', () => {
  const log = { ...emptyLog, problem: 'answered 403 Forbidden' };
  assert.deepEqual(parseLog(JSON.stringify(log)), log);
});

test('a damaged log counts as never told', () => {
  for (const text of ['', '[]', '{', '{"topics":[],"sentAt":7,"problem":[]}', '{"topics":{"disk":{"told":1},"x":7}}']) {
    assert.deepEqual(parseLog(text), emptyLog);
  }
});
