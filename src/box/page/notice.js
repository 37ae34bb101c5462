/** One notice above the lists, about what concerns all apps. */
import { dockerHelp, splitOff } from './apps/app-state.js';
import { announce, byId, element, withCode } from './dom.js';

/** @param {() => boolean} isUpdating whether the box software is being updated, so that it may be away */
export function makeNotice(isUpdating) {
  let shown = '';

  /** @param {string} title empty if there is nothing to say @param {...(Node | string)} content */
  function show(title, ...content) {
    const notice = byId('notice');
    const paragraph = element('p', {}, element('strong', { text: title }), ...content);
    const text = title && (paragraph.textContent ?? '');
    if (text === shown) return;
    announce(text || 'What the notice said is over: the box is well again.');
    shown = text;
    notice.replaceChildren(paragraph);
    notice.toggleAttribute('hidden', text === '');
  }

  return {
    /** @param {boolean} isReached @param {string} dockerTrouble @param {string} backupTrouble */
    update: (isReached, dockerTrouble, backupTrouble) => {
      if (!isReached && isUpdating()) {
        return show(
          'The box software restarts for its update.',
          ' Apps keep running, and this page goes on once it answers.',
        );
      }
      if (!isReached) {
        return show('The box does not answer.', 'This page keeps looking; until then the lists stay as they are.');
      }
      if (dockerTrouble === '' && backupTrouble === '') return show('');
      const room = element('a', { text: 'Backups', href: '/settings/#/backups' });
      if (dockerTrouble === '') return show('Backups fail.', ' ', ...withCode(backupTrouble), ' ', room);
      const [title, reason] = splitOff('Docker does not answer', dockerTrouble);
      show(title, reason, ' ', ...withCode(dockerHelp));
    },
  };
}
