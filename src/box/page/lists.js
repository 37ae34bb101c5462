/** The two lists: loaded from the box, shown as cards, searched and sorted; focus and scroll survive every load. */
import { dockerTrouble, makeNews, newsText } from './apps/app-state.js';
import { appLists, backupTrouble, needsHelp } from './apps/model.js';
import { byId } from './dom.js';
import { makeLoads } from './lists-loads.js';
import { makeNotice } from './notice.js';
import { makeShownCards } from './shown-cards.js';
import { showLists } from './shown-lists.js';

/** @typedef {import('./apps/model.js').App} App */

/**
 * @param {import('./api.js').Api} api
 * @param {import('./apps/card.js').CardPresses} presses
 * @param {(text: string) => void} announce
 * @param {(installed: App[]) => void} onShow
 * @param {() => boolean} isUpdating whether the box software is being updated
 */
export function makeLists(api, presses, announce, onShow, isUpdating) {
  const cards = makeShownCards(presses);
  const { getStatus, setStatus } = cards;
  const isUnderWay = () => listed().some(({ operation }) => operation) || cards.isAnyRunning();
  const loads = makeLoads(api, isUnderWay, afterLook);
  const { loaded, load, poll } = loads;
  const notice = makeNotice(announce, isUpdating);
  const news = makeNews();
  /**
   * The apps that the order "in trouble first" puts first. The set stays fixed while the owner reads, so that no card
   * moves.
   * @type {Set<string> | null}
   */
  let inTrouble = null;
  let failures = 0;

  function listed() {
    return [...(loaded.installed ?? []), ...(loaded.bundled ?? [])];
  }

  /** @param {import('./api.js').Outcome<any>} installed */
  function afterLook(installed) {
    failures = installed.kind === 'lost' ? failures + 1 : 0;
    if (inTrouble === null && loaded.installed !== null) sort();
    else show();
    const { installed: apps } = appLists(loaded.installed ?? [], loaded.bundled ?? []);
    const docker = dockerTrouble(apps);
    // A single lost answer is not reported.
    notice.update(failures < 2, docker, backupTrouble(apps));
    byId('installed-list').classList.toggle('all-unknown', docker !== '');
    if (installed.kind === 'done') tellNews(apps);
  }

  /** @param {App[]} apps */
  function tellNews(apps) {
    const told = news(apps, (name) => getStatus(name)?.kind === 'running');
    // Hides the outdated status of an earlier operation; the activity panel still shows it.
    for (const { name } of told.better) if (getStatus(name)?.kind === 'partial') setStatus(name, null);
    for (const { name } of told.worse) if (getStatus(name)?.kind === 'done') setStatus(name, null);
    const text = newsText(told);
    if (text) announce(text);
  }

  /** Shows the lists, sorted again, after an action of the owner. */
  function sort() {
    const { installed } = appLists(loaded.installed ?? [], []);
    inTrouble = new Set(installed.filter(needsHelp).map(({ name }) => name));
    show();
  }

  function show() {
    onShow(showLists(loads, cards, ({ name }) => inTrouble?.has(name) ?? false, announce));
  }

  return {
    load,
    poll,
    sort,
    focusApp: cards.focusNear,
    /** @param {string} app */
    getOperation: (app) => listed().find(({ name, operation }) => name === app && operation)?.operation ?? null,
    getStatus,
    setStatus,
    tick: cards.tick,
  };
}
