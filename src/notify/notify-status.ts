import type { NotifyAddress } from './ports.ts';
import { dueMessage, type NoticeLog } from './rules/notices.ts';
import { shownAddress } from './rules/notify-request.ts';

export type NotificationStatus = {
  /** The host that messages go to; `null` if notifications are off. */
  host: string | null;
  /** Whether the address is that of the settings and not of the page. */
  isSetting: boolean;
  /** When the latest message was sent. */
  lastSent: Date | null;
  /** Why the latest message could not be sent. */
  problem: string | null;
  /** What is still to be sent. */
  waiting: string | null;
};

export function statusOf(found: NotifyAddress | null, log: NoticeLog, now: Date): NotificationStatus {
  const at = log.sentAt.at(-1);
  return {
    host: found === null ? null : shownAddress(found.address),
    isSetting: found?.isKept === false,
    lastSent: at === undefined ? null : new Date(at),
    problem: found === null ? null : log.problem,
    waiting: found === null ? null : dueMessage(log, now),
  };
}

/** @param setting - what of the settings may have the address */
export function statusLines({ host, isSetting, lastSent, problem, waiting }: NotificationStatus, setting: string) {
  const lines = [
    `notifications go to ${host}, the address of ${isSetting ? setting : 'the page'}`,
    `the latest was sent ${lastSent === null ? 'never' : `at ${lastSent.toISOString()}`}`,
    ...(problem === null ? [] : [`${host} ${problem}`]),
    ...(waiting === null ? [] : ['still to be sent:', waiting]),
  ];
  return { status: problem === null ? 0 : 1, text: lines.join('\n') };
}
