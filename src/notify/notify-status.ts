import type { NotifyAddress } from './ports.ts';
import { dueMessage, type NoticeLog } from './rules/notices.ts';
import { shownAddress } from './rules/notify-request.ts';

export type NotificationStatus = ReturnType<typeof statusOf>;

/**
 * `host` is `null` if notifications are off. `isSetting`: the address is that of the settings and not of the page.
 * `waiting`: what is still to be sent.
 */
export function statusOf(found: NotifyAddress | null, log: NoticeLog, now: Date) {
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
