/** The two lists: loaded from the box, shown as cards, searched and sorted; focus and scroll survive every load. */
import { dockerHelp, dockerTrouble, makeNews, newsText, splitOff } from '../apps/app-state.js';
import { appLists, backupTrouble, needsHelp } from '../apps/model.js';
import { announce, byId, element, withCode } from '../dom.js';
import { makeLoads } from './lists-loads.js';
import { makeShownCards, makeShownLists } from './shown-lists.js';
/** @import { Outcome } from '../api.js' */
/** @import { CardPresses } from '../apps/menu.js' */
/** @import { App } from '../apps/model.js' */

/**
 * @param {CardPresses} presses
 * @param {(installed: App[]) => void} onShow
 * @param {() => boolean} isUpdating whether the box software is being updated
 */
export function makeLists(presses, onShow, isUpdating) {
  const cards = makeShownCards(presses);
  const { getStatus, setStatus } = cards;
  const isUnderWay = () => listed().some(({ operation }) => operation) || cards.isAnyRunning();
  const loads = makeLoads(isUnderWay, afterLook);
  const { loaded, load, poll } = loads;
  const notice = makeNotice(isUpdating);
  const news = makeNews();
  const showLists = makeShownLists(loads, cards);
  /**
   * The apps that the order "in trouble first" puts first. The set stays fixed while the owner reads, so that no card
   * moves.
   * @type {Set<string> | null}
   */
  let inTrouble = null;
  let failures = 0;
  /** @type {App[]} */
  let apps = [];

  function listed() {
    return [...(loaded.installed ?? []), ...(loaded.bundled ?? [])];
  }

  /** @param {Outcome<any>} installed */
  function afterLook(installed) {
    failures = installed.kind === 'lost' ? failures + 1 : 0;
    if (inTrouble === null && loaded.installed !== null) sort();
    else show();
    const docker = dockerTrouble(apps);
    // A single lost answer is not reported.
    notice.update(failures < 2, docker, backupTrouble(apps));
    byId('installed-list').classList.toggle('all-unknown', docker !== '');
    if (installed.kind === 'done') tellNews();
  }

  function tellNews() {
    const told = news(apps, (name) => getStatus(name)?.kind === 'running');
    // Hides the outdated status of an earlier operation; the activity panel still shows it.
    for (const { name } of told.better) if (getStatus(name)?.kind === 'partial') setStatus(name, null);
    for (const { name } of told.worse) if (getStatus(name)?.kind === 'done') setStatus(name, null);
    const text = newsText(told);
    if (text) announce(text);
  }

  /** Shows the lists, sorted again, because the owner wants them so. */
  function sort() {
    const { installed } = appLists(loaded.installed ?? [], []);
    inTrouble = new Set(installed.filter(needsHelp).map(({ name }) => name));
    show();
  }

  function show() {
    apps = showLists(inTrouble);
    onShow(apps);
  }

  return {
    load,
    poll,
    sort,
    search: show,
    focusApp: cards.focusNear,
    /** @param {string} app */
    getOperation: (app) => listed().find(({ name, operation }) => name === app && operation)?.operation ?? null,
    getStatus,
    setStatus,
  };
}

/**
 * One notice above the lists, about what concerns all apps.
 * @param {() => boolean} isUpdating whether the box software is being updated, so that it may be away
 */
function makeNotice(isUpdating) {
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
