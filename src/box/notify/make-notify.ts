import { makeNotifyFiles } from '../../notify/notify-files.ts';
import { sendMessage } from '../../notify/send-message.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { Base } from '../make-base.ts';
import type { SelfUpdateParts } from '../self-update.ts';
import { makeNotifier } from './notifier.ts';
import { notifySubject } from './notify-subject.ts';
import type { NotifyParts } from './ports.ts';

export function makeNotify(
  { directories, now, warn, report }: Base,
  box: AppsBox & SelfUpdateParts,
  { notify }: { notify: string | null },
  fakes: Partial<NotifyParts> = {},
): NotifyParts {
  const notifications = { send: sendMessage, ...makeNotifyFiles(directories.state, notify) };
  const later = (ms: number, run: () => void) => setTimeout(run, ms);
  const parts = { notifications, ...makeNotifier({ notifications, now, later, warn, report }), ...fakes };
  box.subjects.push(notifySubject({ ...box, ...parts }));
  return parts;
}
