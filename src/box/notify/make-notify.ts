import { hostname } from 'node:os';
import { makeNotifyFiles } from '../../notify/notify-files.ts';
import { sendMessage } from '../../notify/send-message.ts';
import type { Base } from '../make-base.ts';
import { makeNotifier } from './notifier.ts';

export function makeNotify({ directories, now, warn, report }: Base, { notify }: { notify: string | null }) {
  const notifications = { machine: hostname(), send: sendMessage, ...makeNotifyFiles(directories.state, notify) };
  const later = (ms: number, run: () => void) => setTimeout(run, ms);
  return { notifications, ...makeNotifier({ notifications, now, later, warn, report }) };
}
