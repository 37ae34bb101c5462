import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyLog, type NoticeLog } from '../../notify/rules/notices.ts';
import { tellFindings } from './tell-findings.ts';

test('sends one message for a change, and again what could not be sent', async () => {
  let kept: NoticeLog = emptyLog;
  let isUp = false;
  const sent: string[] = [];
  const teller = {
    now: () => new Date(0),
    log: {
      load: () => kept,
      async save(log: NoticeLog) {
        kept = log;
      },
      inTurn: (work: () => Promise<void>) => work(),
    },
    send: async (text: string) => {
      if (isUp) sent.push(text);
      return { isSent: isUp, answer: isUp ? 'answered 200 OK' : 'cannot be reached: ECONNREFUSED' };
    },
  };
  const findings = [{ topic: 'proxy', about: 'the proxy', text: 'it does not answer' }];
  assert.equal(await tellFindings(findings, teller), null);
  assert.equal(await tellFindings(findings, teller), 'cannot be reached: ECONNREFUSED');
  isUp = true;
  for (let times = 0; times < 3; times += 1) assert.equal(await tellFindings(findings, teller), null);
  assert.equal(await tellFindings([], teller), null);
  const text = 'the proxy: it does not answer';
  assert.deepEqual(sent, [text, `no longer: ${text}`]);
  assert.equal(kept.problem, null);
});
