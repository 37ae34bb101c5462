import { attempt } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { dueMessage, mayBeSent, type NoticeLog, withMessage, withNotices } from '../../notify/rules/notices.ts';
import { shownAddress } from '../../notify/rules/notify-request.ts';
import { type Notice, StorageFailed } from '../core.ts';
import type { NotifyBox } from './ports.ts';

type NotifierBox = Pick<NotifyBox, 'notifications' | 'now' | 'warn' | 'report'> & {
  /** Calls back after so many milliseconds. */
  later(ms: number, run: () => void): void;
};

/** Notices that come at once go into one message. */
const gatherMs = 1000;
const firstRetryMs = 10_000;
const longestRetryMs = 60 * 60_000;
/** While a message is on its way. */
const mostTaken = 1000;

/**
 * Sends one message for each change of a state, also across restarts and processes: the state directory has what was
 * sent. A message that cannot be sent is tried again after 10 s, 20 s, 40 s … 1 h, with the states of that moment.
 */
export function makeNotifier(box: NotifierBox): Pick<NotifyBox, 'notify' | 'deliver'> {
  const { notifications, now, warn, report, later } = box;
  const { log } = notifications;
  let taken: Notice[] = [];
  let isBusy = false;
  let retryMs = firstRetryMs;
  let notBefore = 0;
  let lastAddress = '';
  /** Told once, although messages are looked at every few seconds. */
  let lastFault = '';
  /** The log if it could not be written, as on a full disk. */
  let unwritten: NoticeLog | null = null;

  const isDue = (after: NoticeLog) =>
    dueMessage(after, now()) !== null && now().getTime() >= notBefore && mayBeSent(after, now());

  const send = async (address: string, before: NoticeLog): Promise<NoticeLog> => {
    const text = dueMessage(before, now());
    if (text === null || !isDue(before)) return before;
    const { isSent, answer } = await notifications.send(address, text);
    notBefore = isSent ? 0 : now().getTime() + retryMs;
    retryMs = isSent ? firstRetryMs : Math.min(retryMs * 2, longestRetryMs);
    if (isSent) return withMessage(before, now());
    if (before.problem === null) warn(`notifications cannot be sent to ${shownAddress(address)}: ${answer}`);
    return { ...before, problem: answer };
  };

  const work = async () => {
    const found = notifications.address();
    const notices = taken;
    taken = [];
    if (found === null) return;
    // Another address needs no patience.
    if (found.address !== lastAddress) [lastAddress, notBefore, retryMs] = [found.address, 0, firstRetryMs];
    const present = unwritten ?? log.load();
    const after = withNotices(present, notices, now());
    if (after === present && !isDue(present)) return;
    await log.inTurn(async () => {
      // Read again, because another process may have written meanwhile.
      unwritten = await send(found.address, withNotices(unwritten ?? log.load(), notices, now()));
      await log.save(unwritten);
      unwritten = null;
    });
  };

  const deliver = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
      lastFault = '';
    } catch (error) {
      if (!(error instanceof StorageFailed)) report(error);
      else if (error.message !== lastFault) {
        lastFault = error.message;
        warn(`notifications: ${lastFault}`);
      }
    }
    isBusy = false;
    if (taken.length > 0) later(gatherMs, deliver);
  };

  return {
    notify({ topic, state, text }) {
      if (taken.length >= mostTaken || (taken.length === 0 && !isOn(notifications))) return;
      taken.push({ topic, state, text: text === null ? null : shownName(text) });
      if (taken.length === 1) later(gatherMs, deliver);
    },
    deliver,
  };
}

/** An address that cannot be read is reported when a message is sent. */
export function isOn({ address }: NotifyBox['notifications']): boolean {
  return attempt(
    () => address() !== null,
    StorageFailed,
    () => true,
  );
}
