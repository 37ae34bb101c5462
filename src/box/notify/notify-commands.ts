import { dueMessage } from '../../notify/rules/notices.ts';
import { notifyAddressFault, shownAddress } from '../../notify/rules/notify-request.ts';
import type { CommandResult } from '../apps/app-commands.ts';
import type { BoxPorts } from '../ports.ts';
import { refuse } from '../refusals.ts';
import { titleOf } from './notifier.ts';

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

type NotifyBox = Pick<BoxPorts, 'notifications' | 'now'>;

const off =
  'notifications are off: set an address on the page under /settings/, or BOX_NOTIFY_FILE in /etc/boxgate/box.env';

export function notificationStatus({ notifications, now }: NotifyBox): NotificationStatus {
  const found = notifications.address();
  const log = notifications.log.load();
  const at = log.sentAt.at(-1);
  return {
    host: found === null ? null : shownAddress(found.address),
    isSetting: found?.isKept === false,
    lastSent: at === undefined ? null : new Date(at),
    problem: found === null ? null : log.problem,
    waiting: found === null ? null : dueMessage(log, now()),
  };
}

/**
 * Keeps the address that an owner typed; an empty text forgets it. An address without a scheme, such as
 * `ntfy.sh/topic`, is one with `https`.
 */
export async function setNotifications(box: NotifyBox, typed: string): Promise<string> {
  const { notifications } = box;
  const text = typed.trim();
  const address = text === '' || /^[a-z]+:/i.test(text) ? text : `https://${text}`;
  const fault = address === '' ? null : notifyAddressFault(address);
  if (fault !== null) refuse('invalidValues', { reason: fault });
  await notifications.setAddress(address === '' ? null : address);
  const { log } = notifications;
  await log.inTurn(() => log.save({ ...log.load(), problem: null }));
  const { host } = notificationStatus(box);
  if (host === null) return 'Notifications are off.';
  return address === '' ? `Messages go to ${host} again, the address of BOX_NOTIFY.` : `Messages go to ${host} now.`;
}

/** Sends a test message; says what the other side answered, as `box notify status` does from then on. */
export async function testNotification({ notifications }: NotifyBox): Promise<CommandResult> {
  const found = notifications.address();
  if (found === null) return { status: 1, text: off };
  const text = 'This is a test. Messages of this box arrive here.';
  const { isSent, answer } = await notifications.send(found.address, { title: titleOf(notifications), text });
  const { log } = notifications;
  await log.inTurn(() => log.save({ ...log.load(), problem: isSent ? null : answer }));
  return { status: isSent ? 0 : 1, text: `${shownAddress(found.address)} ${answer}` };
}

/** `box notify status` */
export function notificationLines(box: NotifyBox): CommandResult {
  const { host, isSetting, lastSent, problem, waiting } = notificationStatus(box);
  if (host === null) return { status: 0, text: off };
  const lines = [
    `notifications go to ${host}, the address of ${isSetting ? 'BOX_NOTIFY' : 'the page'}`,
    `the latest was sent ${lastSent === null ? 'never' : `at ${lastSent.toISOString()}`}`,
    ...(problem === null ? [] : [`${host} ${problem}`]),
    ...(waiting === null ? [] : ['still to be sent:', waiting]),
  ];
  return { status: problem === null ? 0 : 1, text: lines.join('\n') };
}
