import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueMessage, emptyLog, type NoticeLog, withMessage, withNotice } from '../../notify/rules/notices.ts';
import { findingNotices } from './finding-notices.ts';

const off = (hour: number) => ({
  about: 'box_a (attic)',
  text: `its last heartbeat was at 0${hour}:00: is the box on?`,
});

test('tells a finding once it was there twice, and its end; what comes and goes is not told', () => {
  let log: NoticeLog = emptyLog;
  const told = [[], [off(1)], [off(1)], [off(2)], [], [], [off(3)], []].map((findings) => {
    log = findingNotices(findings, log).reduce(withNotice, log);
    const text = dueMessage(log);
    if (text !== null) log = withMessage(log, new Date(0));
    return text;
  });
  const first = 'box_a (attic): its last heartbeat was at 01:00: is the box on?';
  assert.deepEqual(told, [null, null, first, null, `no longer: ${first}`, null, null, null]);
  assert.deepEqual(log.topics, {});
});
