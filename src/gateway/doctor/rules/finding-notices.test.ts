import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueMessage, emptyLog, type NoticeLog, withMessage, withNotices } from '../../../notify/rules/notices.ts';
import { findingNotices } from './finding-notices.ts';

const now = new Date(0);
const off = (hour: number) => ({
  topic: 'box_a: heartbeat',
  about: 'box_a (attic)',
  text: `its last heartbeat was at 0${hour}:00: is the box on?`,
});

test('tells a finding once it was there twice, and its end; what comes and goes is not told', () => {
  let log: NoticeLog = emptyLog;
  const told = [[], [off(1)], [off(1)], [off(2)], [], [], [off(3)], []].map((findings) => {
    log = withNotices(log, findingNotices(findings, log), now);
    const text = dueMessage(log, now);
    if (text !== null) log = withMessage(log, now);
    return text;
  });
  const first = 'box_a (attic): its last heartbeat was at 01:00: is the box on?';
  assert.deepEqual(told, [null, null, first, null, `no longer: ${first}`, null, null, null]);
  assert.deepEqual(log.topics['box_a: heartbeat']?.told, 'ok');
});
