/** The two lists: loaded from the box, shown as cards, searched and sorted; focus and scroll survive every load. */
import { makeCard } from './card.js';
import { arrange, button, byId, setText } from './dom.js';
import { appLists, chosenApps, manyApps } from './model.js';

/** @typedef {import('./model.js').App} App */

const cardStates = /** @type {const} */ (['installed', 'broken', 'available']);

/**
 * @param {import('./api.js').Api} api
 * @param {import('./card.js').CardPresses} presses
 * @param {(text: string) => void} announce
 */
export function makeLists(api, presses, announce) {
  /** @type {Map<string, import('./card.js').Card>} by state and name: an app that changes lists gets a new card */
  const cards = new Map();
  /** @type {Map<string, import('./operations.js').Status>} */
  const statuses = new Map();
  /** @type {{ installed: any[], bundled: any[] }} */
  const loaded = { installed: [], bundled: [] };
  const problems = { installed: '', bundled: '' };
  let latestLoad = 0;

  /** Loads both lists; of loads that overlap the one begun last is shown. Null when the box did not give both. */
  async function load() {
    const number = ++latestLoad;
    const [installed, bundled] = await Promise.all([api.listApps(), api.listBundledApps()]);
    if (number === latestLoad) {
      keep('installed', installed);
      keep('bundled', bundled);
      show();
    }
    return installed.kind === 'done' && bundled.kind === 'done' ? installed.body : null;
  }

  /**
   * A list that could not be loaded stays as it was, with the problem above it.
   * @param {'installed' | 'bundled'} list
   * @param {import('./api.js').Outcome<any>} outcome
   */
  function keep(list, outcome) {
    const isList = outcome.kind === 'done' && Array.isArray(outcome.body);
    if (isList) loaded[list] = outcome.body;
    problems[list] = isList
      ? ''
      : 'message' in outcome
        ? outcome.message
        : 'The box did not answer with a list.';
  }

  function show() {
    const query = /** @type {HTMLInputElement} */ (byId('search')).value.trim();
    const order = /** @type {HTMLSelectElement} */ (byId('order')).value;
    const { installed, available } = appLists(loaded.installed, loaded.bundled);
    const total = installed.length + available.length;
    const focused = focusedCard();
    byId('finder').hidden = total < manyApps && query === '';
    const shown =
      showList('installed', installed, chosenApps(installed, query, order), problems.installed) +
      showList('available', available, chosenApps(available, query, order), problems.bundled);
    setText(byId('found'), query === '' ? '' : `${shown} of ${total} apps match.`);
    forgetCards([...installed, ...available]);
    if (focused && !focused.item.isConnected) focusNear(focused.app);
  }

  /**
   * @param {'installed' | 'available'} list
   * @param {App[]} all
   * @param {App[]} chosen
   * @param {string} problem
   */
  function showList(list, all, chosen, problem) {
    arrange(
      byId(`${list}-list`),
      chosen.map((app) => shownCard(app).item),
    );
    setText(byId(`${list}-count`), String(all.length));
    showNote(list, problem, noteText(list, all.length, chosen.length));
    return chosen.length;
  }

  /** @param {App} app */
  function shownCard(app) {
    const key = `${app.state} ${app.name}`;
    const known = cards.get(key);
    const card = known ?? makeCard(app, presses, location.hostname);
    if (known) known.update(app);
    else cards.set(key, card);
    card.showStatus(statuses.get(app.name));
    return card;
  }

  /**
   * Drops the cards of apps that are in neither list any more; those that a search hides are kept.
   * @param {App[]} apps
   */
  function forgetCards(apps) {
    const known = new Set(apps.map((app) => `${app.state} ${app.name}`));
    for (const key of cards.keys()) if (!known.has(key)) cards.delete(key);
  }

  /**
   * @param {'installed' | 'available'} list
   * @param {string} problem
   * @param {string} text
   */
  function showNote(list, problem, text) {
    const note = byId(`${list}-note`);
    const said = problem ? `This list could not be loaded. ${problem}` : text;
    note.hidden = said === '';
    note.classList.toggle('problem', problem !== '');
    if (note.dataset.said === said) return;
    note.dataset.said = said;
    const again = button('Try again', 'quiet small', () => void load(), 'Try again to load the list');
    note.replaceChildren(said, ...(problem ? [' ', again] : []));
    if (problem) announce(said);
  }

  /**
   * Where a card went away under the focus, the focus goes to the same app in the other list, else to the lists'
   * start.
   * @param {string} app
   */
  function focusNear(app) {
    const other = cardStates
      .map((state) => cards.get(`${state} ${app}`))
      .find((card) => card?.item.isConnected);
    (other?.heading ?? byId('installed-title')).focus();
  }

  return {
    load,
    show,
    /** @param {string} app */
    getStatus: (app) => statuses.get(app),
    /** @param {string} app @param {import('./operations.js').Status | null} status */
    setStatus: (app, status) => {
      if (status) statuses.set(app, status);
      else statuses.delete(app);
      for (const state of cardStates) cards.get(`${state} ${app}`)?.showStatus(status ?? undefined);
    },
    tick: () => {
      for (const card of cards.values()) card.tick();
    },
  };
}

/** The app whose card has the focus. */
function focusedCard() {
  const item = document.activeElement?.closest('[data-app]');
  return item ? { item, app: item.getAttribute('data-app') ?? '' } : null;
}

/** @param {'installed' | 'available'} list @param {number} all @param {number} shown */
function noteText(list, all, shown) {
  if (all === 0)
    return list === 'installed' ? 'No app is installed yet.' : 'There is nothing more to install.';
  return shown === 0 ? 'No app in this list matches the search.' : '';
}
