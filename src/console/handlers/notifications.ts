import { notificationStatus, setNotifications, testNotification } from '../../box/notify/notify-commands.ts';
import type { BoxPorts } from '../../box/ports.ts';
import type { ConsoleHandlers } from '../service.ts';

export function notificationHandlers(
  box: BoxPorts,
): Pick<ConsoleHandlers, 'showNotifications' | 'setNotifications' | 'testNotification'> {
  return {
    showNotifications: async () => {
      const { host, isSetting, lastSent, problem, waiting } = notificationStatus(box);
      const last_sent = lastSent?.toISOString() ?? null;
      return { status: 200 as const, body: { host, is_setting: isSetting, last_sent, problem, waiting } };
    },
    setNotifications: async ({ address }) => {
      return { status: 200 as const, body: { ok: true, text: await setNotifications(box, address) } };
    },
    testNotification: async () => {
      const { status, text } = await testNotification(box);
      return { status: 200 as const, body: { ok: status === 0, text } };
    },
  };
}
