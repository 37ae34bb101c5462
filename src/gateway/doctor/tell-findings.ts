import type { NoticeFile, Sent } from '../../notify/ports.ts';
import { dueMessage, mayBeSent, withMessage, withNotices } from '../../notify/rules/notices.ts';
import type { Finding } from './rules/diagnosis.ts';
import { findingNotices } from './rules/finding-notices.ts';

export type Teller = { log: NoticeFile; send(text: string): Promise<Sent>; now(): Date };

/** Sends what has changed since the last examination. Returns why it could not; `null` if it was sent or nothing was due. */
export async function tellFindings(findings: readonly Finding[], { log, send, now }: Teller): Promise<string | null> {
  let problem: string | null = null;
  await log.inTurn(async () => {
    const before = log.load();
    const after = withNotices(before, findingNotices(findings, before), now());
    const text = dueMessage(after, now());
    if (text === null || !mayBeSent(after, now())) return log.save(after);
    const { isSent, answer } = await send(text);
    if (!isSent) problem = answer;
    // A message that failed is sent by the next examination.
    await log.save(isSent ? withMessage(after, now()) : { ...after, problem: answer });
  });
  return problem;
}
