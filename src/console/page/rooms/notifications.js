/** Notifications: where messages of the box go. */

import { button, element } from '../../../box/page/dom.js';
import { shownTime } from '../visit.js';

/** @typedef {import('../visit.js').Schemas['Notifications']} Notifications */

/** @type {import('../visit.js').Room} */
export const notificationRoom = {
  path: 'notifications',
  title: 'Notifications',
  async open(visit) {
    /** @type {Notifications | null} */
    const state = await visit.get('notifications');
    if (state === null) return;
    visit.place.replaceChildren(...stateOfMessages(state), addressForm(visit, state), ...advice());
  },
};

/** @param {Notifications} state */
function stateOfMessages({ host, is_setting: isSetting, last_sent: lastSent, problem, waiting }) {
  if (host === null) {
    const what =
      'The box can send a message to your phone when an app or Docker is down and when it is back, when an update or a backup fails, when a newer version is there, and when a disk is nearly full. Notifications are off.';
    return [element('p', { text: what })];
  }
  const from = isSetting ? ', the address that BOX_NOTIFY has in /etc/boxgate/box.env' : '';
  const last = lastSent === null ? 'None was sent yet.' : `The latest was sent ${shownTime(lastSent)}.`;
  const trouble = problem === null ? [] : [element('p', { class: 'warning', text: `${host} ${problem}` })];
  const texts = (waiting ?? '').split('\n').filter((line) => line !== '');
  const late =
    texts.length === 0 ? [] : [element('p', { class: 'note', text: `Still to be sent: ${texts.join(' ')}` })];
  return [
    element('p', {}, 'Messages go to ', element('strong', { text: host }), `${from}. ${last}`),
    ...trouble,
    ...late,
  ];
}

/**
 * @param {import('../visit.js').Visit} visit
 * @param {Notifications} state
 */
function addressForm(visit, { host, is_setting: isSetting }) {
  const input = element('input', {
    attributes: { id: 'notify-address', type: 'text', inputmode: 'url', autocomplete: 'off', spellcheck: 'false' },
  });
  const label = host === null ? 'Address' : 'Another address';
  const save = button('Save', 'primary', () => set(save, 'Saving the address', input.value));
  const invent = button('Invent one at ntfy.sh', 'quiet', () => {
    input.value = `https://ntfy.sh/boxgate-${crypto.getRandomValues(new Uint32Array(3)).join('')}`;
    input.focus();
  });
  const test = button('Send a test message', 'quiet', async () => {
    await visit.change(test, 'Sending', 'notifications/test', {});
  });
  const off = button('Turn off', 'quiet', () => set(off, 'Turning notifications off', ''));
  /** @param {HTMLButtonElement} pressed @param {string} doing @param {string} address */
  const set = async (pressed, doing, address) => {
    if (!(await visit.change(pressed, doing, 'notifications', { address }))) return;
    visit.focusTitle();
    await notificationRoom.open(visit);
  };
  const form = element(
    'form',
    { class: 'fields' },
    element('label', { text: label, attributes: { for: 'notify-address' } }),
    input,
    element(
      'div',
      { class: 'row-buttons' },
      save,
      invent,
      host === null ? null : test,
      host === null || isSetting ? null : off,
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    save.click();
  });
  return form;
}

function advice() {
  const steps = [
    'Install the app ntfy on your phone (ntfy.sh), or run ntfy or Gotify yourself.',
    'Think up a topic that nobody guesses, or let one be invented here: whoever knows it can read the messages.',
    'Save its address here, subscribe to the same topic in the app, and send a test message.',
  ];
  return [
    element('h3', { text: 'How it works' }),
    element('ol', { class: 'note' }, ...steps.map((text) => element('li', { text }))),
    element('p', {
      class: 'note',
      text: 'An address of Gotify looks like https://HOST/message?token=TOKEN, one of Telegram like https://api.telegram.org/botTOKEN/sendMessage?chat_id=ID. Web-hooks of Discord and Slack work as they are. Any other gets the message as text.',
    }),
  ];
}
