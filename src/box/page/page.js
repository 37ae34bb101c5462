/** Connects the parts of the page: a press starts an operation, and an operation reports its progress to the page. */

import { api } from './api.js';
import { openAbout } from './apps/about.js';
import { makeActivity } from './apps/activity.js';
import { trouble } from './apps/app-state.js';
import { boxCommand } from './apps/model.js';
import { runOperation } from './apps/operations.js';
import { openSettingsForm } from './apps/settings-form.js';
import { makeUpdateAll } from './apps/update-all.js';
import { askToRemove, askToUpdateWithoutBackup, tellCommand } from './dialogs.js';
import { announce, byId } from './dom.js';
import { offerHomeScreen } from './home-screen/home-screen.js';
import { makeLists } from './lists/lists.js';
import { startPolling } from './poll.js';
import { offerSchemes } from './scheme/scheme.js';
import { makeSelfUpdate } from './self-update/self-update.js';

/** @import { CardPresses } from './apps/menu.js' */
/** @import { App } from './apps/model.js' */
/** @import { Operation, Remedy, Stage } from './apps/operations.js' */
/** @import { FormStart } from './apps/settings-form.js' */
/** @import { Mode } from './apps/settings-values.js' */

offerSchemes();
offerHomeScreen();

const activity = makeActivity();

/** @type {CardPresses} */
const presses = {
  about: (app) => openAbout(app, stage.getStatus(app.name), presses.install),
  install: (app) => openForm(app, 'install'),
  // An update without settings only makes the box reconcile the app.
  start: ({ name, title }) => run({ verb: 'start', app: name, title, request: () => api.updateAppSettings(name, {}) }),
  stop: (app) => act('stop', app),
  restart: (app) => act('restart', app),
  log: ({ name }) => openRoom(`apps/${encodeURIComponent(name)}`, boxCommand('logs', name)),
  space: () => openRoom('space', 'boxgate box space'),
  settings: (app) => openForm(app, 'edit', { unset: trouble(app).help === 'settings' ? app.state_detail : '' }),
  update: (app) => run(updateOf(app)),
  // box/page/8
  reinstall: ({ name, title }) => run({ verb: 'reinstall', app: name, title, request: () => api.installApp(name) }),
  remove: async ({ name, title }) => {
    if (!(await askToRemove(title, name))) return;
    const undo = { text: 'Removed apps', press: () => void openRoom('trash', boxCommand('trash restore', name)) };
    run({ verb: 'remove', app: name, title, request: () => api.removeApp(name), undo });
  },
};

// The proxy says it in a header of this page, which nobody else can add. Over plain HTTP a browser hides it.
const [navigation] = /** @type {Partial<PerformanceNavigationTiming>[]} */ (performance.getEntriesByType('navigation'));
byId('login-note').hidden = !navigation?.serverTiming?.some(({ name }) => name === 'boxgate-login');

const lists = makeLists(
  presses,
  (installed) => showUpdates(installed),
  () => selfUpdate.isUpdating(),
);

/** @type {Stage} */
const stage = {
  setStatus: lists.setStatus,
  getStatus: lists.getStatus,
  refresh: lists.load,
  announce,
  report: activity.report,
};

const showUpdates = makeUpdateAll(stage, updateOf);
const version = document.querySelector('meta[name="boxgate-version"]')?.getAttribute('content') ?? '';
const selfUpdate = makeSelfUpdate(version, activity.report);

/** @param {App} app @returns {Operation} */
function updateOf({ name, title, available_version: version }) {
  /** @type {Operation} */
  const update = {
    verb: 'update',
    app: name,
    title,
    request: () => api.updateApp(name),
    toVersion: version ?? '',
    remedy: (refusal) => (refusal === 'backupFailed' ? withoutBackup(update) : undefined),
  };
  return update;
}

/**
 * The button beside an update that was refused because there is no backup.
 * @param {Operation} update
 * @returns {Remedy}
 */
function withoutBackup(update) {
  const { app, title } = update;
  const text = 'Update without a backup';
  const request = () => api.updateApp(app, { without_backup: true });
  const press = async () => {
    if (await askToUpdateWithoutBackup(title)) run({ ...update, request });
  };
  return { text, name: `${text} ${title}`, press };
}

/**
 * Does what needs the console; without it, tells the command that does the same.
 * @param {() => unknown} work
 * @param {string} command
 */
async function withConsole(work, command) {
  if (await api.isConsoleThere()) await work();
  else await tellCommand(command);
}

/** @param {string} room @param {string} command */
function openRoom(room, command) {
  return withConsole(() => location.assign(`/settings/#/${room}`), command);
}

/**
 * An action of the console.
 * @param {'stop' | 'restart' | 'undo'} verb
 * @param {Pick<App, 'name' | 'title'>} app
 */
function act(verb, { name, title }) {
  return run({ verb, app: name, title, request: () => api.act(`apps/${verb}`, { app: name }) });
}

/** @param {Operation} operation */
function run(operation) {
  return runOperation(operation, stage);
}

/**
 * Fetches the current settings and opens the form.
 * box/page/6
 * @param {Pick<App, 'name' | 'title'>} app
 * @param {Mode} mode
 * @param {FormStart} [start]
 */
async function openForm({ name, title }, mode, start = {}) {
  if (stage.getStatus(name)?.kind === 'running') return;
  stage.setStatus(name, { kind: 'running', text: 'Loading the settings', since: performance.now() });
  const outcome = await api.getAppSettings(name);
  if (outcome.kind === 'lost' || outcome.kind === 'refused') {
    const text = `The settings could not be loaded. ${outcome.message}`;
    stage.setStatus(name, { kind: 'refused', text });
    return announce(`${title}: ${text}`);
  }
  stage.setStatus(name, null);
  openSettingsForm(title, outcome.body, mode, start, {
    submit: (settings, draft, secrets) =>
      new Promise((resolve) => {
        const ended = run({
          verb: mode === 'install' ? 'install' : 'settings',
          app: name,
          title,
          request: () => (mode === 'install' ? api.installApp(name, settings) : api.updateAppSettings(name, settings)),
          secrets,
          answered: resolve,
          undo: {
            text: 'Take the settings back',
            press: () => void withConsole(() => act('undo', { name, title }), boxCommand('settings undo', name)),
          },
          remedy: (_, problem) => ({
            text: 'Change and try again',
            press: () => void openForm({ name, title }, mode, { draft, problem }),
          }),
        });
        void ended.then(() => resolve(''));
      }),
    look: () => [stage.getStatus(name), lists.getOperation(name)],
    // The button that opened the form may be gone by now.
    closed: () => document.activeElement === document.body && lists.focusApp(name),
  });
}

byId('search').addEventListener('input', lists.search);
byId('kinds').addEventListener('change', lists.search);
byId('order').addEventListener('change', lists.sort);
const isVisible = () => document.visibilityState === 'visible';
void lists.load().then(() => {
  const lookNow = startPolling(lists.poll, isVisible);
  document.addEventListener('visibilitychange', lookNow);
});
void selfUpdate.begin();
