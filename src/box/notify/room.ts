import { statusLines } from '../../notify/notify-status.ts';
import { note, type Room, type Row, type ShownAction } from '../report.ts';
import { momentText } from '../rules/text/amounts.ts';
import { notificationStatus, notificationsOff, setNotifications, testNotification } from './notify-commands.ts';
import type { NotifyBox } from './ports.ts';

const what =
  'The box can send a message to your phone when an app or Docker is down and when it is back, when an update or a backup fails, when a newer version is there, and when a disk is nearly full. Notifications are off.';
const steps = [
  ['The app on your phone', 'Install ntfy (ntfy.sh), or run ntfy or Gotify yourself.'],
  [
    'The topic',
    'Think up one that nobody guesses, or let one be invented here: whoever knows it can read the messages.',
  ],
  ['The address', 'Save it here, subscribe to the same topic in the app, and send a test message.'],
] as const;
const others =
  'An address of Gotify looks like https://HOST/message?token=TOKEN, one of Telegram like https://api.telegram.org/botTOKEN/sendMessage?chat_id=ID. Web-hooks of Discord and Slack work as they are. Any other gets the message as text.';

/** Notifications: where messages of the box go. */
export function notificationsRoom(box: NotifyBox): Room {
  // The same for as long as the console runs, so that a redrawn form keeps what was typed.
  const topic = crypto.getRandomValues(new Uint32Array(3)).join('');
  return {
    path: 'notifications',
    title: 'Notifications',
    group: 'box',
    async read() {
      const status = notificationStatus(box);
      return {
        sections: [
          { rows: stateOf(status), actions: actionsOf(status, topic) },
          { title: 'How it works', rows: [...steps.map(([text, how]): Row => ({ text, facts: [how] })), note(others)] },
        ],
      };
    },
    async print() {
      const status = notificationStatus(box);
      if (status.host === null) return { status: 0, lines: [notificationsOff] };
      const { status: code, text } = statusLines(status, 'BOX_NOTIFY');
      return { status: code, lines: text.split('\n') };
    },
    actions: {
      set: {
        verb: 'set notifications',
        fields: { address: 2048 },
        needed: ['address'],
        run: async ({ address = '' }) => ({ ok: true, text: await setNotifications(box, address) }),
      },
      test: { verb: null, fields: {}, run: () => testNotification(box) },
    },
  };
}

type Status = ReturnType<typeof notificationStatus>;

function stateOf({ host, isSetting, lastSent, problem, waiting }: Status): Row[] {
  if (host === null) return [{ is: 'text', text: what }];
  const from = isSetting ? ', the address that BOX_NOTIFY has in /etc/boxgate/box.env' : '';
  const last = lastSent === null ? 'None was sent yet.' : `The latest was sent ${momentText(lastSent)}.`;
  const late = (waiting ?? '').split('\n').filter((line) => line !== '');
  return [
    { is: 'text', text: `Messages go to \`${host}\`${from}. ${last}` },
    ...(problem === null ? [] : [{ is: 'warning' as const, text: `${host} ${problem}` }]),
    ...(late.length === 0 ? [] : [note(`Still to be sent: ${late.join(' ')}`)]),
  ];
}

function actionsOf({ host, isSetting }: Status, topic: string): ShownAction[] {
  const invented = { text: 'Invent one at ntfy.sh', value: `https://ntfy.sh/boxgate-${topic}` };
  const label = host === null ? 'Address' : 'Another address';
  const field = { name: 'address', label, type: 'url' as const, choices: [invented] };
  const set = { act: 'notifications/set', label: 'Save', kind: 'primary', doing: 'Saving the address' } as const;
  const test = { act: 'notifications/test', label: 'Send a test message', kind: 'quiet', doing: 'Sending' } as const;
  const off = { act: 'notifications/set', label: 'Turn off', kind: 'quiet', given: { address: '' } } as const;
  return [
    { ...set, fields: [field] },
    ...(host === null ? [] : [test]),
    ...(host === null || isSetting ? [] : [{ ...off, doing: 'Turning notifications off' }]),
  ];
}
