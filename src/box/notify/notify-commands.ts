import { type NotificationStatus, statusOf } from '../../notify/notify-status.ts';
import { notifyAddressFault, shownAddress } from '../../notify/rules/notify-request.ts';
import { refuse } from '../api/refusals.ts';
import type { Core } from '../core.ts';
import type { Outcome } from '../report.ts';
import type { NotifyParts } from './ports.ts';

type NotifyBox = Pick<NotifyParts, 'notifications'> & Pick<Core, 'now'>;

export const notificationsOff =
  'notifications are off: set an address on the page under /settings/, or BOX_NOTIFY_FILE in /etc/boxgate/box.env';

export function notificationStatus({ notifications, now }: NotifyBox): NotificationStatus {
  return statusOf(notifications.address(), notifications.log.load(), now());
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
export async function testNotification({ notifications }: NotifyBox): Promise<Outcome> {
  const found = notifications.address();
  if (found === null) return { ok: false, text: notificationsOff };
  const text = 'This is a test. Messages of this box arrive here.';
  const { isSent, answer } = await notifications.send(found.address, text);
  const { log } = notifications;
  await log.inTurn(() => log.save({ ...log.load(), problem: isSent ? null : answer }));
  return { ok: isSent, text: `${shownAddress(found.address)} ${answer}` };
}
