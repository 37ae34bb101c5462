import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyLog, type NoticeLog } from '../../notify/rules/notices.ts';
import { tellFindings } from './notify-commands.ts';

test('sends one message for a change, and again what could not be sent', async () => {
  let kept: NoticeLog = emptyLog;
  let isUp = false;
  const sent: string[] = [];
  const log = {
    load: () => kept,
    async save(after: NoticeLog) {
      kept = after;
    },
    inTurn: (work: () => Promise<void>) => work(),
  };
  const send = async (text: string) => {
    if (isUp) sent.push(text);
    return { isSent: isUp, answer: isUp ? 'answered 200 OK' : 'cannot be reached: ECONNREFUSED' };
  };
  const findings = [{ topic: 'proxy', about: 'the proxy', text: 'it does not answer' }];
  assert.equal(await tellFindings(findings, log, send), null);
  assert.equal(await tellFindings(findings, log, send), 'cannot be reached: ECONNREFUSED');
  isUp = true;
  for (let times = 0; times < 3; times += 1) assert.equal(await tellFindings(findings, log, send), null);
  assert.equal(await tellFindings([], log, send), null);
  const text = 'the proxy: it does not answer';
  assert.deepEqual(sent, [text, `no longer: ${text}`]);
  assert.equal(kept.problem, null);
});
