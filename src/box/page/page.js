/** Brings the page to life: each press goes to its operation, each operation tells the page what happens. */
import { makeActivity } from './activity.js';
import { makeApi } from './api.js';
import { askToRemove } from './dialogs.js';
import { byId, element } from './dom.js';
import { makeLists } from './lists.js';
import { runOperation } from './operations.js';
import { makeSelfUpdate } from './self-update.js';
import { openSettingsForm } from './settings-form.js';

const api = makeApi('', location);
const activity = makeActivity();

/** @type {import('./card.js').CardPresses} */
const presses = {
  install: (app) => openForm(app, 'install', {}),
  settings: (app) => openForm(app, 'edit', {}),
  update: ({ name, title }) => run({ verb: 'update', app: name, title, request: () => api.updateApp(name) }),
  // box/page/8
  reinstall: ({ name, title }) =>
    run({ verb: 'reinstall', app: name, title, request: () => api.installApp(name) }),
  remove: async ({ name, title }) => {
    if (!(await askToRemove(title, name))) return;
    run({ verb: 'remove', app: name, title, request: () => api.removeApp(name) });
  },
};

const lists = makeLists(api, presses, announce);

/** @type {import('./operations.js').Stage} */
const stage = {
  setStatus: lists.setStatus,
  getStatus: lists.getStatus,
  refresh: lists.load,
  announce,
  report: activity.report,
};

const version = document.querySelector('meta[name="boxgate-version"]')?.getAttribute('content') ?? '';
const selfUpdate = makeSelfUpdate(api, version, stage);

/** @param {import('./operations.js').Operation} operation */
function run(operation) {
  void runOperation(operation, stage);
}

/**
 * Fetches what the form starts from and opens it.
 * box/page/6
 * @param {Pick<import('./model.js').App, 'name' | 'title'>} app
 * @param {import('./settings-values.js').Mode} mode
 * @param {import('./settings-form.js').Draft} draft
 */
async function openForm({ name, title }, mode, draft) {
  if (stage.getStatus(name)?.kind === 'running') return;
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

/**
 * Tells a screen reader, and lets old news go.
 * @param {string} text
 */
function announce(text) {
  const announcer = byId('announcer');
  announcer.append(element('p', { text }));
  while (announcer.childElementCount > 5) announcer.firstElementChild?.remove();
}

byId('search').addEventListener('input', lists.show);
byId('order').addEventListener('change', lists.show);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void lists.load();
});
setInterval(() => {
  lists.tick();
  selfUpdate.tick();
}, 1000);
void lists.load();
void selfUpdate.begin();
