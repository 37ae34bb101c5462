/** Brings the page to life: loads both lists, keeps their cards, and hands each press to its operation. */
import { makeActivity } from './activity.js';
import { makeApi } from './api.js';
import { makeCard } from './card.js';
import { askToRemove } from './dialogs.js';
import { arrange, button, byId, setText } from './dom.js';
import { appLists, chosenApps, manyApps } from './model.js';
import { runOperation } from './operations.js';
import { makeSelfUpdate } from './self-update.js';
import { openSettingsForm } from './settings-form.js';

/** @typedef {import('./model.js').App} App */

const api = makeApi('', location.hostname);
const activity = makeActivity();

/** @type {Map<string, import('./card.js').Card>} */
const cards = new Map();
/** @type {Map<string, import('./operations.js').Status>} */
const statuses = new Map();

/** @type {{ installed: any[], bundled: any[], problems: Record<string, string>, isLoaded: boolean }} */
const lists = { installed: [], bundled: [], problems: {}, isLoaded: false };
let latestLoad = 0;

/** @type {import('./operations.js').Stage} */
const stage = {
  setStatus: (app, status) => {
    if (status) statuses.set(app, status);
    else statuses.delete(app);
    for (const state of ['installed', 'broken', 'available'])
      cards.get(`${state} ${app}`)?.showStatus(status ?? undefined);
  },
  getStatus: (app) => statuses.get(app),
  refresh: loadLists,
  announce,
  report: activity.report,
};

const selfUpdate = makeSelfUpdate(
  api,
  document.querySelector('meta[name="boxgate-version"]')?.getAttribute('content') ?? '',
  stage,
);

/** Loads both lists; of loads that overlap the one begun last is shown. Null when the box did not give both. */
async function loadLists() {
  const load = ++latestLoad;
  const [installed, bundled] = await Promise.all([api.listApps(), api.listBundledApps()]);
  if (load === latestLoad) {
    lists.isLoaded = true;
    keep('installed', installed);
    keep('bundled', bundled);
    showLists();
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
  if (isList) lists[list] = outcome.body;
  lists.problems[list] = isList
    ? ''
    : 'message' in outcome
      ? outcome.message
      : 'The box did not answer with a list.';
}

function showLists() {
  const query = /** @type {HTMLInputElement} */ (byId('search')).value.trim();
  const order = /** @type {HTMLSelectElement} */ (byId('order')).value;
  const { installed, available } = appLists(lists.installed, lists.bundled);
  const total = installed.length + available.length;
  byId('finder').hidden = total < manyApps && query === '';
  const shown = {
    installed: chosenApps(installed, query, order),
    available: chosenApps(available, query, order),
  };
  const lost = focusedCard();
  showCards('installed', shown.installed);
  showCards('available', shown.available);
  forgetCards([...installed, ...available]);
  showNote('installed', lists.problems.installed, installedNote(installed.length, shown.installed.length));
  showNote('available', lists.problems.bundled, availableNote(available.length, shown.available.length));
  setText(byId('installed-count'), String(installed.length));
  setText(byId('available-count'), String(available.length));
  setText(
    byId('found'),
    query === '' ? '' : `${shown.installed.length + shown.available.length} of ${total} apps match.`,
  );
  if (lost) keepFocus(lost);
}

/**
 * @param {'installed' | 'available'} list
 * @param {App[]} apps
 */
function showCards(list, apps) {
  const wanted = apps.map((app) => {
    const key = `${app.state} ${app.name}`;
    const card = cards.get(key) ?? makeCard(app, presses, location.hostname);
    if (cards.has(key)) card.update(app);
    cards.set(key, card);
    card.showStatus(statuses.get(app.name));
    return card.item;
  });
  arrange(byId(`${list}-list`), wanted);
}

/**
 * Drops the cards of apps that are in neither list any more; those that a search hides are kept.
 * @param {App[]} apps
 */
function forgetCards(apps) {
  const known = new Set(apps.map((app) => `${app.state} ${app.name}`));
  for (const key of cards.keys()) if (!known.has(key)) cards.delete(key);
}

/** @param {number} all @param {number} shown */
function installedNote(all, shown) {
  if (all === 0) return 'No app is installed yet.';
  return shown === 0 ? 'No installed app matches the search.' : '';
}

/** @param {number} all @param {number} shown */
function availableNote(all, shown) {
  if (all === 0) return 'There is nothing more to install.';
  return shown === 0 ? 'No available app matches the search.' : '';
}

/**
 * @param {'installed' | 'available'} list
 * @param {string | undefined} problem
 * @param {string} text
 */
function showNote(list, problem, text) {
  const note = byId(`${list}-note`);
  const said = problem ? `This list could not be loaded. ${problem}` : text;
  note.hidden = said === '';
  note.classList.toggle('problem', Boolean(problem));
  if (note.dataset.said === said) return;
  note.dataset.said = said;
  const again = problem
    ? button('Try again', 'quiet small', () => void loadLists(), 'Try again to load the list')
    : '';
  note.replaceChildren(said, ' ', again);
  if (problem) announce(said);
}

/** The app whose card has the focus. */
function focusedCard() {
  const item = document.activeElement?.closest('[data-app]');
  return item ? { item, app: item.getAttribute('data-app') ?? '' } : null;
}

/**
 * Where a card went away under the focus, the focus goes to the same app in the other list, else to the lists' start.
 * @param {{ item: Element, app: string }} lost
 */
function keepFocus({ item, app }) {
  if (item.isConnected) return;
  const other = ['installed', 'broken', 'available']
    .map((state) => cards.get(`${state} ${app}`))
    .find(Boolean);
  (other?.item.isConnected ? other.heading : byId('installed-title')).focus();
}

/** @type {import('./card.js').CardPresses} */
const presses = {
  install: (app) => openForm(app, 'install', {}),
  settings: (app) => openForm(app, 'edit', {}),
  update: ({ name, title }) => run({ verb: 'update', app: name, title, request: () => api.updateApp(name) }),
  reinstall: ({ name, title }) =>
    run({ verb: 'reinstall', app: name, title, request: () => api.installApp(name) }),
  remove: async ({ name, title }) => {
    if (!(await askToRemove(title, name))) return;
    run({ verb: 'remove', app: name, title, request: () => api.removeApp(name) });
  },
};

/** @param {import('./operations.js').Operation} operation */
function run(operation) {
  void runOperation(operation, stage);
}

/**
 * Fetches what the form starts from and opens it. box/page/6
 * @param {Pick<App, 'name' | 'title'>} app
 * @param {import('./settings-values.js').Mode} mode
 * @param {import('./settings-form.js').Draft} draft
 */
async function openForm({ name, title }, mode, draft) {
  if (statuses.get(name)?.kind === 'running') return;
  stage.setStatus(name, { kind: 'running', text: 'Loading the settings', since: performance.now() });
  const outcome = await api.getAppSettings(name);
  if (outcome.kind === 'lost' || outcome.kind === 'refused') {
    const text = `The settings could not be loaded. ${outcome.message}`;
    stage.setStatus(name, { kind: 'refused', text });
    return announce(`${title}: ${text}`);
  }
  stage.setStatus(name, null);
  openSettingsForm(outcome.body, mode, draft, (settings, typed, secrets) => {
    run({
      verb: mode === 'install' ? 'install' : 'settings',
      app: name,
      title,
      request: () =>
        mode === 'install' ? api.installApp(name, settings) : api.updateAppSettings(name, settings),
      secrets,
      again: () => void openForm({ name, title }, mode, typed),
    });
  });
}

/** @param {string} text */
function announce(text) {
  byId('announcer').append(Object.assign(document.createElement('p'), { textContent: text }));
  // What was said once is not said again, and a screen reader needs no history.
  while (byId('announcer').childElementCount > 5) byId('announcer').firstElementChild?.remove();
}

byId('search').addEventListener('input', showLists);
byId('order').addEventListener('change', showLists);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void loadLists();
});
setInterval(() => {
  for (const card of cards.values()) card.tick();
  selfUpdate.tick();
}, 1000);
void loadLists();
void selfUpdate.begin();
