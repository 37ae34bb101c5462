/** Shows the two lists: what is searched and sorted, the first apps to install, and notes about a list. */
import { appLists, categoriesOf, chosenApps, firstApps, isSameCategory, manyApps } from './apps/model.js';
import { underWayText } from './apps/under-way.js';
import { arrange, button, byId, element, setHidden, setText } from './dom.js';
import { focusedCard } from './shown-cards.js';

/** @typedef {import('./apps/model.js').App} App */
/** @typedef {import('./shown-cards.js').ShownCards} ShownCards */

/**
 * @param {import('./lists-loads.js').Loads} loads
 * @param {ShownCards} cards
 * @param {(app: App) => boolean} isInTrouble
 * @param {(text: string) => void} announce
 * @returns {App[]} the installed apps
 */
export function showLists({ loaded, problems, load }, cards, isInTrouble, announce) {
  const query = /** @type {HTMLInputElement} */ (byId('search')).value.trim();
  const order = /** @type {HTMLSelectElement} */ (byId('order')).value;
  const { installed, available } = appLists(loaded.installed ?? [], loaded.bundled ?? []);
  const all = [...installed, ...available];
  const category = offerCategories(categoriesOf(all));
  const focused = focusedCard();
  setHidden(byId('finder'), (all.length < manyApps || loaded.installed?.length === 0) && query === '');
  /** @param {App[]} apps */
  const chosen = (apps) => chosenApps(apps, query, order, isInTrouble, category);
  const isFiltered = query !== '' || category !== '';
  const isEmpty = loaded.installed?.length === 0 && problems.installed === '';
  const first = isEmpty && !isFiltered ? firstApps(available) : [];
  arrangeCards('first', first, cards);
  const others = chosen(available).filter((app) => !first.includes(app));
  setHidden(byId('welcome'), !isEmpty);
  setHidden(byId('first-title'), first.length === 0);
  setHidden(byId('others-title'), first.length === 0 || others.length === 0);
  let shown = 0;
  for (const [list, apps, some, problem] of /** @type {const} */ ([
    ['installed', installed, chosen(installed), problems.installed],
    ['available', available, others, problems.bundled],
  ])) {
    arrangeCards(list, some, cards);
    setText(byId(`${list}-count`), String(apps.length));
    const isMissed = isFiltered && apps.length > 0 && some.length === 0;
    const text = isMissed ? 'No app in this list matches.' : emptyText(list, apps.length);
    const said = showNote(list, problem, text, load);
    if (said !== '') announce(said);
    shown += some.length;
  }
  setText(byId('found'), isFiltered ? `${shown} of ${all.length} apps match.` : '');
  const underWay = underWayText(all);
  setText(byId('under-way'), underWay);
  setHidden(byId('under-way'), underWay === '');
  cards.forgetCards(all);
  if (focused && !focused.item.isConnected) cards.focusNear(focused.app);
  return installed;
}

/** @param {'first' | 'installed' | 'available'} list @param {App[]} apps @param {ShownCards} cards */
function arrangeCards(list, apps, cards) {
  arrange(
    byId(`${list}-list`),
    apps.map((app) => cards.shownCard(app).item),
  );
}

/**
 * Shows the categories to choose from; returns the chosen one, empty for all.
 * @param {string[]} categories
 */
function offerCategories(categories) {
  const select = /** @type {HTMLSelectElement} */ (byId('category'));
  setHidden(select, categories.length === 0);
  const shown = ['', ...categories];
  if (JSON.stringify(shown) !== JSON.stringify([...select.options].map(({ value }) => value))) {
    const chosen = select.value;
    const options = shown.map((value) => element('option', { text: value || 'All kinds', attributes: { value } }));
    select.replaceChildren(...options);
    select.value = shown.find((value) => isSameCategory(value, chosen)) ?? '';
  }
  return select.value;
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
  if (note.dataset.said === said) return '';
  note.dataset.said = said;
  note.hidden = said === '';
  note.classList.toggle('problem', problem !== '');
  const again = button('Try again', 'quiet small', () => void load(), 'Try again to load the list');
  note.replaceChildren(said, ...(problem ? [' ', again] : []));
  return problem ? said : '';
}

/** @param {'installed' | 'available'} list @param {number} all */
function emptyText(list, all) {
  return list === 'available' && all === 0 ? 'There is nothing more to install.' : '';
}
