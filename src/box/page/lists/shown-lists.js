/** Shows the two lists: what is searched and sorted, the first apps to install, and notes about a list. */
import { makeCard } from '../apps/card.js';
import {
  appLists,
  categoriesOf,
  firstApps,
  makeFilter,
  manyApps,
  manyOfEmptyBox,
  plainCategory,
  sortedApps,
} from '../apps/model.js';
import { underWayText } from '../apps/under-way.js';
import { announce, arrange, button, byId, element, redraw, setText } from '../dom.js';
/** @import { Card } from '../apps/card.js' */
/** @import { CardPresses } from '../apps/menu.js' */
/** @import { App } from '../apps/model.js' */
/** @import { Status } from '../apps/operations.js' */
/** @import { Loads } from './lists-loads.js' */

/**
 * Makes the function that shows the lists and returns the installed apps. The function gets the apps that come first if
 * the owner wants apps in trouble first. A key in the search field only hides and shows cards, so it is quick with
 * hundreds of apps.
 * @param {Loads} loads
 * @param {ShownCards} cards
 * @returns {(inTrouble: Set<string> | null) => App[]}
 */
export function makeShownLists({ loaded, problems, load }, cards) {
  /** What the lists were made of. @type {unknown[]} */
  let basis = [];
  /** @type {ReturnType<typeof appLists>} */
  let lists = { installed: [], available: [] };

  /** @param {Set<string> | null} inTrouble */
  function readLists(inTrouble) {
    const order = /** @type {HTMLSelectElement} */ (byId('order')).value;
    const next = [loaded.installed, loaded.bundled, order, inTrouble];
    if (next.every((one, index) => one === basis[index])) return;
    basis = next;
    const { installed, available } = appLists(loaded.installed ?? [], loaded.bundled ?? []);
    const inOrder = (/** @type {App[]} */ apps) => sortedApps(apps, order, ({ name }) => inTrouble?.has(name) ?? false);
    lists = { installed: inOrder(installed), available: inOrder(available) };
    const all = [...installed, ...available];
    offerCategories(categoriesOf(all), all.length);
  }

  return (inTrouble) => {
    readLists(inTrouble);
    const { installed, available } = lists;
    const all = [...installed, ...available];
    const query = /** @type {HTMLInputElement} */ (byId('search')).value.trim();
    const category = chosenCategory();
    const focused = focusedCard();
    const least = loaded.installed?.length === 0 ? manyOfEmptyBox : manyApps;
    byId('finder').toggleAttribute('hidden', all.length < least && query === '');
    const isFiltered = query !== '' || category !== '';
    const isEmpty = loaded.installed?.length === 0 && problems.installed === '';
    const first = isEmpty && !isFiltered ? firstApps(available) : [];
    const others = available.filter((app) => !first.includes(app));
    byId('welcome').toggleAttribute('hidden', !isEmpty);
    byId('first-title').toggleAttribute('hidden', first.length === 0);
    byId('others-title').toggleAttribute('hidden', first.length === 0 || others.length === 0);
    const isChosen = makeFilter(query, category);
    arrangeCards('first', first, cards, isChosen);
    let shown = 0;
    for (const [list, apps, count, problem] of /** @type {const} */ ([
      ['installed', installed, installed.length, problems.installed],
      ['available', others, available.length, problems.bundled],
    ])) {
      const some = arrangeCards(list, apps, cards, isChosen);
      setText(byId(`${list}-count`), String(count));
      const isMissed = isFiltered && count > 0 && some === 0;
      const empty = list === 'available' && count === 0 ? 'There is nothing more to install.' : '';
      const text = isMissed ? 'No app in this list matches.' : empty;
      const said = showNote(list, problem, text, load);
      if (said !== '') announce(said);
      shown += some;
    }
    setText(byId('found'), isFiltered ? `${shown} of ${all.length} apps match.` : '');
    const underWay = underWayText(all);
    setText(byId('under-way'), underWay);
    byId('under-way').toggleAttribute('hidden', underWay === '');
    if (focused && !focused.item.checkVisibility()) cards.focusNear(focused.app);
    return installed;
  };
}

/**
 * Shows the cards of the chosen apps and hides the others. Returns how many are shown.
 * @param {'first' | 'installed' | 'available'} list
 * @param {App[]} apps
 * @param {ShownCards} cards
 * @param {(app: App) => boolean} isChosen
 */
function arrangeCards(list, apps, cards, isChosen) {
  let shown = 0;
  const items = apps.map((app) => {
    const { item } = cards.shownCard(app);
    const isShown = isChosen(app);
    item.toggleAttribute('hidden', !isShown);
    if (isShown) shown += 1;
    return item;
  });
  arrange(byId(`${list}-list`), items);
  return shown;
}

/** The category that the owner chose; empty for all. */
function chosenCategory() {
  const chosen = document.querySelector('#kinds :checked');
  return chosen instanceof HTMLInputElement ? chosen.value : '';
}

/** @param {ReturnType<typeof categoriesOf>} categories @param {number} all the number of all apps */
function offerCategories(categories, all) {
  const kinds = byId('kinds');
  const chosen = plainCategory(chosenCategory());
  const hadFocus = kinds.contains(document.activeElement);
  const offered = categories.length === 0 ? [] : [{ category: '', count: all }, ...categories];
  const found = offered.find(({ category }) => plainCategory(category) === chosen) ?? offered[0];
  const isNew = redraw(kinds, [JSON.stringify(offered)], () => [
    element('legend', { class: 'unseen', text: 'Kind of app' }),
    ...offered.map((one) => {
      const { category, count } = one;
      const input = element('input', { type: 'radio', name: 'kind', value: category, checked: one === found });
      const shownCount = element('span', { text: String(count) });
      return element('label', { class: 'kind' }, input, `${category || 'All'} `, shownCount);
    }),
  ]);
  kinds.toggleAttribute('hidden', offered.length === 0);
  if (isNew && hadFocus) /** @type {HTMLElement | null} */ (kinds.querySelector(':checked'))?.focus();
}

/**
 * @param {'installed' | 'available'} list
 * @param {string} problem
 * @param {string} text
 * @param {() => unknown} load
 * @returns {string} a problem that was not shown before
 */
function showNote(list, problem, text, load) {
  const note = byId(`${list}-note`);
  const said = problem ? `This list could not be loaded. ${problem}` : text;
  const isNew = redraw(note, [said], () => {
    const again = button('Try again', 'quiet small', () => void load(), 'Try again to load the list');
    return [said, ...(problem ? [' ', again] : [])];
  });
  if (!isNew) return '';
  note.hidden = said === '';
  note.classList.toggle('problem', problem !== '');
  return problem ? said : '';
}

/** @typedef {ReturnType<typeof makeShownCards>} ShownCards */

const cardKinds = /** @type {const} */ (['installed', 'broken', 'available']);

/**
 * The cards of the apps, each with how its latest operation went; the focus follows an app from list to list.
 * @param {CardPresses} presses
 */
export function makeShownCards(presses) {
  /** @type {Map<string, Card>} by kind and name: an app that changes lists gets a new card */
  const cards = new Map();
  /** @type {Map<string, Status>} */
  const statuses = new Map();

  /** @param {App} app */
  function shownCard(app) {
    const key = `${app.kind} ${app.name}`;
    const card = cards.get(key) ?? makeCard(app, presses);
    cards.set(key, card);
    card.show(statuses.get(app.name), app);
    return card;
  }

  /**
   * If the focused card was removed, the focus moves to the same app in the other list, else to the start of the
   * lists.
   * @param {string} app
   */
  function focusNear(app) {
    const other = cardKinds.map((kind) => cards.get(`${kind} ${app}`)).find((card) => card?.item.checkVisibility());
    (other?.heading ?? byId('installed-title')).focus();
  }

  /** @param {string} app @param {Status | null} status */
  function setStatus(app, status) {
    if (status) statuses.set(app, status);
    else statuses.delete(app);
    for (const kind of cardKinds) cards.get(`${kind} ${app}`)?.show(status ?? undefined);
  }

  return {
    shownCard,
    focusNear,
    setStatus,
    /** @param {string} app */
    getStatus: (app) => statuses.get(app),
    isAnyRunning: () => [...statuses.values()].some(({ kind }) => kind === 'running'),
  };
}

/** The app whose card has the focus. */
function focusedCard() {
  const item = document.activeElement?.closest('[data-app]');
  return item ? { item, app: item.getAttribute('data-app') ?? '' } : null;
}
