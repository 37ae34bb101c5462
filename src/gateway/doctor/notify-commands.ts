import type { CommandResult } from '../../lib/command-result.ts';
import { makeNotifyFiles } from '../../notify/notify-files.ts';
import { statusLines, statusOf } from '../../notify/notify-status.ts';
import type { NoticeFile, Sent } from '../../notify/ports.ts';
import { dueMessage, mayBeSent, withMessage, withNotices } from '../../notify/rules/notices.ts';
import { shownAddress } from '../../notify/rules/notify-request.ts';
import { sendMessage } from '../../notify/send-message.ts';
import { type GatewaySettings, usualProxy } from '../gateway-settings.ts';
import { examineGateway, reportText } from './doctor.ts';
import type { Finding } from './rules/diagnosis.ts';
import { findingNotices } from './rules/finding-notices.ts';

/** `gateway notify changes`: examines as the doctor does, and sends what has changed since the last time. */
export async function notifyCommand(
  settings: GatewaySettings,
  address: string,
  warn: (text: string) => void,
): Promise<CommandResult> {
  const report = await examineGateway(settings, usualProxy, warn);
  const { log } = makeNotifyFiles(settings.stateDir, address);
  const problem = await tellFindings(report.findings, log, (text) => sendMessage(address, text));
  const end = problem === null ? '' : `\n${shownAddress(address)} ${problem}`;
  return { status: problem === null ? 0 : 1, text: `${reportText(report)}${end}` };
}

/** Sends what has changed since the last examination. Returns why it could not; `null` if it was sent or nothing was due. */
export async function tellFindings(
  findings: readonly Finding[],
  log: NoticeFile,
  send: (text: string) => Promise<Sent>,
): Promise<string | null> {
  let problem: string | null = null;
  await log.inTurn(async () => {
    const now = new Date();
    const before = log.load();
    const after = withNotices(before, findingNotices(findings, before), now);
    const text = dueMessage(after, now);
    if (text === null || !mayBeSent(after, now)) return log.save(after);
    const { isSent, answer } = await send(text);
    if (!isSent) problem = answer;
    // A message that failed is sent by the next examination.
    await log.save(isSent ? withMessage(after, now) : { ...after, problem: answer });
  });
  return problem;
}

export function notifyStatus(stateDir: string, address: string): CommandResult {
  const { log } = makeNotifyFiles(stateDir, address);
  return statusLines(statusOf({ address, isKept: false }, log.load(), new Date()), 'GATEWAY_NOTIFY');
}

export async function notifyTest(address: string): Promise<CommandResult> {
  const text = 'This is a test. Messages about this gateway arrive here.';
  const { isSent, answer } = await sendMessage(address, text);
  return { status: isSent ? 0 : 1, text: `${shownAddress(address)} ${answer}` };
}
