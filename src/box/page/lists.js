/** The two lists: loaded from the box, shown as cards, searched and sorted; focus and scroll survive every load. */
import { dockerTrouble, makeNews, newsText } from './apps/app-state.js';
import { makeCard } from './apps/card.js';
import {
  appLists,
  backupTrouble,
  categoriesOf,
  chosenApps,
  firstApps,
  isSameCategory,
  manyApps,
  needsHelp,
} from './apps/model.js';
import { underWayText } from './apps/under-way.js';
import { arrange, button, byId, element, setHidden, setText } from './dom.js';
import { makeNotice } from './notice.js';

/** @typedef {import('./apps/model.js').App} App */

/** The time limit of a poll; a reload by the owner may take longer. */
const pollTimeoutMs = 8000;

/** The list of available apps is polled less often: by itself it changes only with the catalogue. */
const bundledEveryMs = 60_000;
/** While the box changes apps, one that waits for its install shows it only there. */
const bundledUnderWayMs = 5000;

const cardKinds = /** @type {const} */ (['installed', 'broken', 'available']);

/**
 * @param {import('./api.js').Api} api
 * @param {import('./apps/card.js').CardPresses} presses
 * @param {(text: string) => void} announce
 * @param {(installed: App[]) => void} onShow
 * @param {() => boolean} isUpdating whether the box software is being updated
 */
export function makeLists(api, presses, announce, onShow, isUpdating) {
  /** @type {Map<string, import('./apps/card.js').Card>} by kind and name: an app that changes lists gets a new card */
  const cards = new Map();
  /** @type {Map<string, import('./apps/operations.js').Status>} */
  const statuses = new Map();
  /** @type {{ installed: any[] | null, bundled: any[] | null }} `null` until the box gave the list */
  const loaded = { installed: null, bundled: null };
  const problems = { installed: '', bundled: '' };
  const notice = makeNotice(announce, isUpdating);
  const news = makeNews();
  /**
   * The apps that the order "in trouble first" puts first. The set stays fixed while the owner reads, so that no card
   * moves.
   * @type {Set<string> | null}
   */
  let inTrouble = null;
  let latestLook = 0;
  let loads = 0;
  let failures = 0;
  let bundledAt = 0;

  /** Loads both lists. If loads overlap, shows the last one. Returns null if a list failed to load. */
  async function load() {
    const look = ++latestLook;
    loads += 1;
    const [installed, bundled] = await Promise.all([api.listApps(), api.listBundledApps()]);
    loads -= 1;
    if (look === latestLook) {
      bundledAt = performance.now();
      keep('installed', installed);
      keep('bundled', bundled);
      afterLook(installed);
    }
    return installed.kind === 'done' && bundled.kind === 'done' ? installed.body : null;
  }

  /**
   * Polls the installed apps, and also the available apps if those may have changed. Resolves to whether the box
   * answered.
   */
  async function poll() {
    if (loads > 0) return true;
    const look = ++latestLook;
    const installed = await api.listApps(pollTimeoutMs);
    if (look !== latestLook) return true;
    const isOther = installed.kind === 'done' && names(installed.body) !== names(loaded.installed);
    const everyMs = isUnderWay() ? bundledUnderWayMs : bundledEveryMs;
    if (isOther || (installed.kind === 'done' && performance.now() - bundledAt > everyMs)) {
      return (await load()) !== null;
    }
    // The text of a problem may differ between polls; a shown problem stays as it is.
    if (installed.kind === 'done' || problems.installed === '') keep('installed', installed);
    afterLook(installed);
    return installed.kind !== 'lost';
  }

  /** Whether the box changes an app, or this page asked for a change. */
  function isUnderWay() {
    const apps = [...(loaded.installed ?? []), ...(loaded.bundled ?? [])];
    return apps.some(({ operation }) => operation) || [...statuses.values()].some(({ kind }) => kind === 'running');
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
    const told = news(apps, (name) => statuses.get(name)?.kind === 'running');
    // Hides the outdated status of an earlier operation; the activity panel still shows it.
    for (const { name } of told.better) if (statuses.get(name)?.kind === 'partial') setStatus(name, null);
    for (const { name } of told.worse) if (statuses.get(name)?.kind === 'done') setStatus(name, null);
    const text = newsText(told);
    if (text) announce(text);
  }

  /**
   * If a list cannot be loaded, the old list stays, with the problem above it.
   * @param {'installed' | 'bundled'} list
   * @param {import('./api.js').Outcome<any>} outcome
   */
  function keep(list, outcome) {
    const isList = outcome.kind === 'done' && Array.isArray(outcome.body);
    if (isList) loaded[list] = outcome.body;
    // The notice says that the box does not answer.
    const isNoticed = outcome.kind === 'lost' && loaded[list] !== null;
    problems[list] =
      isList || isNoticed ? '' : 'message' in outcome ? outcome.message : 'The box did not answer with a list.';
  }

  /** Shows the lists, sorted again, after an action of the owner. */
  function sort() {
    const { installed } = appLists(loaded.installed ?? [], []);
    inTrouble = new Set(installed.filter(needsHelp).map(({ name }) => name));
    show();
  }

  function show() {
    const query = /** @type {HTMLInputElement} */ (byId('search')).value.trim();
    const order = /** @type {HTMLSelectElement} */ (byId('order')).value;
    const { installed, available } = appLists(loaded.installed ?? [], loaded.bundled ?? []);
    const total = installed.length + available.length;
    const category = offerCategories(categoriesOf([...installed, ...available]));
    const focused = focusedCard();
    setHidden(byId('finder'), (total < manyApps || loaded.installed?.length === 0) && query === '');
    /** @param {App[]} apps */
    const chosen = (apps) => chosenApps(apps, query, order, ({ name }) => inTrouble?.has(name) ?? false, category);
    const isFiltered = query !== '' || category !== '';
    const isEmpty = loaded.installed?.length === 0 && problems.installed === '';
    const first = isEmpty && !isFiltered ? firstApps(available) : [];
    arrange(
      byId('first-list'),
      first.map((app) => shownCard(app).item),
    );
    const others = chosen(available).filter((app) => !first.includes(app));
    setHidden(byId('welcome'), !isEmpty);
    setHidden(byId('first-title'), first.length === 0);
    setHidden(byId('others-title'), first.length === 0 || others.length === 0);
    const shown =
      showList('installed', installed, chosen(installed), problems.installed, isFiltered) +
      showList('available', available, others, problems.bundled, isFiltered);
    setText(byId('found'), isFiltered ? `${shown} of ${total} apps match.` : '');
    const underWay = underWayText([...installed, ...available]);
    setText(byId('under-way'), underWay);
    setHidden(byId('under-way'), underWay === '');
    forgetCards([...installed, ...available]);
    onShow(installed);
    if (focused && !focused.item.isConnected) focusNear(focused.app);
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
   * @param {App[]} all
   * @param {App[]} chosen
   * @param {string} problem
   * @param {boolean} isFiltered
   */
  function showList(list, all, chosen, problem, isFiltered) {
    arrange(
      byId(`${list}-list`),
      chosen.map((app) => shownCard(app).item),
    );
    setText(byId(`${list}-count`), String(all.length));
    const isMissed = isFiltered && all.length > 0 && chosen.length === 0;
    showNote(list, problem, isMissed ? 'No app in this list matches.' : emptyText(list, all.length));
    return chosen.length;
  }

  /** @param {App} app */
  function shownCard(app) {
    const key = `${app.kind} ${app.name}`;
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
    const known = new Set(apps.map((app) => `${app.kind} ${app.name}`));
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
    if (note.dataset.said === said) return;
    note.dataset.said = said;
    note.hidden = said === '';
    note.classList.toggle('problem', problem !== '');
    const again = button('Try again', 'quiet small', () => void load(), 'Try again to load the list');
    note.replaceChildren(said, ...(problem ? [' ', again] : []));
    if (problem) announce(said);
  }

  /**
   * If the focused card was removed, the focus moves to the same app in the other list, else to the start of the
   * lists.
   * @param {string} app
   */
  function focusNear(app) {
    const other = cardKinds.map((kind) => cards.get(`${kind} ${app}`)).find((card) => card?.item.isConnected);
    (other?.heading ?? byId('installed-title')).focus();
  }

  /** @param {string} app @param {import('./apps/operations.js').Status | null} status */
  function setStatus(app, status) {
    if (status) statuses.set(app, status);
    else statuses.delete(app);
    for (const kind of cardKinds) cards.get(`${kind} ${app}`)?.showStatus(status ?? undefined);
  }

  return {
    load,
    poll,
    sort,
    focusApp: focusNear,
    /** @param {string} app */
    getOperation: (app) =>
      [...(loaded.installed ?? []), ...(loaded.bundled ?? [])].find(({ name, operation }) => name === app && operation)
        ?.operation ?? null,
    /** @param {string} app */
    getStatus: (app) => statuses.get(app),
    setStatus,
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

/** @param {'installed' | 'available'} list @param {number} all */
function emptyText(list, all) {
  return list === 'available' && all === 0 ? 'There is nothing more to install.' : '';
}

/**
 * Names and validity of the installed apps. The list of available apps depends only on these.
 * @param {any[] | null} apps
 */
function names(apps) {
  return JSON.stringify(apps?.map(({ name, ok }) => [name, ok]));
}
