/** Native modal dialogs: the browser keeps the focus inside, closes on Escape and gives the focus back. */

import { api } from './api.js';
import { boxCommand } from './apps/model.js';
import { button, element } from './dom.js';

/** @param {string} title @param {(Node | null)[]} content */
export function openDialog(title, content) {
  const heading = element('h2', { class: 'dialog-title', text: title, id: `dialog-${++dialogCount}` });
  const dialog = element('dialog', { 'aria-labelledby': heading.id }, heading, ...content);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

let dialogCount = 0;

/**
 * Asks a question. The last choice, which has the focus, changes nothing: like Escape, it has no answer.
 * @template {string} Answer
 * @param {string} title
 * @param {Node[]} content
 * @param {{ answer?: Answer, text: string, kind: string }[]} choices
 * @returns {Promise<Answer | undefined>}
 */
function ask(title, content, choices) {
  return new Promise((resolve) => {
    /** @type {Answer | undefined} */
    let given;
    const buttons = choices.map(({ answer, text, kind }) =>
      button(text, kind, () => {
        given = answer;
        dialog.close();
      }),
    );
    const dialog = openDialog(title, [...content, element('div', { class: 'dialog-buttons' }, ...buttons)]);
    dialog.addEventListener('close', () => resolve(given));
    buttons.at(-1)?.focus();
  });
}

/**
 * Asks whether the owner wants what the danger button says.
 * @param {string} title
 * @param {Node[]} content
 * @param {string} text
 * @param {string} [kind] of the button
 */
export async function isWanted(title, content, text, kind = 'danger') {
  const answer = await ask(title, content, [
    { answer: 'yes', text, kind },
    { text: 'Cancel', kind: 'quiet' },
  ]);
  return answer === 'yes';
}

/** Shows something until it is closed. @param {string} title @param {Node[]} content */
export function tell(title, content) {
  return ask(title, content, [{ text: 'Close', kind: 'quiet' }]);
}

/** @param {string} title @param {string} name */
export function askToRemove(title, name) {
  const back = element(
    'p',
    {},
    'This command on the box brings it back: ',
    element('code', { text: boxCommand('trash restore', name) }),
  );
  const content = [
    element('p', { text: 'It stops, and leaves this list.' }),
    element('p', {
      text: 'Its settings and data are kept for 7 days, unless this box is set up otherwise. Then its folder is deleted.',
    }),
    back,
  ];
  void api.isConsoleThere().then((isThere) => {
    if (!isThere) return;
    const room = element('a', { text: 'Removed apps', href: '/settings/#/trash' });
    back.replaceChildren('Until then ', room, ' brings it back as it was.');
  });
  return isWanted(`Remove ${title}?`, content, 'Remove');
}

/** Tells a command in the place of a room of the console. @param {string} command */
export function tellCommand(command) {
  const text = 'On the box, this command does the same: ';
  return tell('The page for that does not answer', [element('p', {}, text, element('code', { text: command }))]);
}

/** @param {string} title */
export function askToUpdateWithoutBackup(title) {
  const text = 'If the new version does not come up, data that it has changed cannot be put back.';
  return isWanted(`Update ${title} without a backup?`, [element('p', { text })], 'Update without a backup');
}

/** @param {string[]} labels */
export function askAboutEmptyPasswords(labels) {
  const text =
    labels.length === 1
      ? `“${labels[0]}” is empty. The app may then let anyone in, or not start at all.`
      : `These are empty: ${labels.join(', ')}. The app may then let anyone in, or not start at all.`;
  return ask(
    'Install without a password?',
    [element('p', { text })],
    [
      { answer: 'empty', text: 'Install with it empty', kind: 'danger' },
      { answer: 'make', text: labels.length === 1 ? 'Make one for me' : 'Make them for me', kind: 'primary' },
      { text: 'Back to the form', kind: 'quiet' },
    ],
  );
}
