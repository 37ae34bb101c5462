import type { Subject } from '../core.ts';
import { type Finding, off, ok, problem } from '../rules/findings/finding.ts';
import { notificationStatus } from './notify-commands.ts';
import type { NotifyBox } from './ports.ts';
import { noticeOf, watchBox } from './watch-box.ts';

const lookEveryMs = 5000;

export function notifySubject(box: NotifyBox): Subject {
  return {
    rooms: async (of) => [(await import('./room.ts')).notificationsRoom({ ...box, ...of })],
    examine: async () => examineNotifications(box),
    keepHouse() {
      setInterval(watchBox(box), lookEveryMs).unref();
    },
    beforeExit: () => box.deliver(),
    changed(entry) {
      const notice = noticeOf(entry);
      if (notice !== null) box.notify(notice);
    },
  };
}

function examineNotifications(box: NotifyBox): Finding[] {
  const { host, problem: failure } = notificationStatus(box);
  if (host === null) return [off('notifications', 'nobody gets a message when something is wrong')];
  return [
    failure === null ? ok('notifications', `they go to ${host}`) : problem('notifications', `${host} ${failure}`),
  ];
}
