/** The data that the page shows, computed from the API's answers, without elements and requests. */

/** @import { Action, AppOperation, AppState, AppSummary, BrokenApp, InstalledApp } from '../api.js' */

/** What an entry of a list may lack, such as the state of an app that is not installed. */
const blank = {
  version: '',
  display_name: '',
  description: '',
  description_long: '',
  category: '',
  store: '',
  ports: /** @type {AppSummary['ports']} */ ([]),
  icon_svg: /** @type {string | null} */ (null),
  icon_url: '',
  has_settings: false,
  error: '',
  state: /** @type {AppState | null} */ (null),
  state_detail: '',
  stopped_at: '',
  available_version: /** @type {string | null} */ (null),
  open_ports: /** @type {{ port: number, label: string, loopback?: boolean }[]} */ ([]),
  open_urls: /** @type {string[]} */ ([]),
  public_urls: /** @type {string[]} */ ([]),
  operation: /** @type {AppOperation | null} */ (null),
  backup_problem: '',
};

/**
 * An entry of one of the two lists, with every field.
 * @typedef {typeof blank & { kind: 'installed' | 'broken' | 'available', name: string, title: string }} App
 */

/** The number of apps from which the page offers search and sorting. */
export const manyApps = 8;

/** The same while none is installed: the welcome has what the first apps need, but a store has hundreds. */
export const manyOfEmptyBox = 20;

/** The number of apps from which the page offers their categories. */
const manyCategorised = 12;

/**
 * The categories to choose from, sorted, each in the spelling of the first app that has it and with the number of its
 * apps; none among few apps, and none if all are of the same.
 * @param {App[]} apps
 */
export function categoriesOf(apps) {
  const groups = Map.groupBy(apps, ({ category }) => plainCategory(category));
  groups.delete('');
  if (apps.length < manyCategorised || groups.size < 2) return [];
  return [...groups.values()]
    .map((own) => ({ category: own[0]?.category.trim() ?? '', count: own.length }))
    .sort((one, other) => compareTitles(one.category, other.category));
}

/** @param {string} category */
export function plainCategory(category) {
  return category.trim().toLowerCase();
}

/** Apps that are quickly installed and useful to most people. */
const goodFirstApps = ['memos', 'uptime-kuma', 'jellyfin', 'vaultwarden'];

/** @param {App[]} available */
export function firstApps(available) {
  const rank = (/** @type {App} */ { name }) =>
    (goodFirstApps.indexOf(name) + goodFirstApps.length + 1) % (goodFirstApps.length + 1);
  return available
    .toSorted((one, other) => rank(one) - rank(other) || compareTitles(one.title, other.title))
    .slice(0, 3);
}

/**
 * Both lists. A broken app that is also bundled is in the first list only: its Repair is there. A title that
 * two apps share has their names.
 * @param {(InstalledApp | BrokenApp)[]} installed
 * @param {AppSummary[]} bundled
 * @returns {{ installed: App[], available: App[] }}
 */
export function appLists(installed, bundled) {
  const installedNames = new Set(installed.map((app) => app.name));
  const lists = {
    installed: installed.map((app) => shownApp(app, 'error' in app ? 'broken' : 'installed')),
    available: bundled.filter((app) => !installedNames.has(app.name)).map((app) => shownApp(app, 'available')),
  };
  const sameTitle = Map.groupBy([...lists.installed, ...lists.available], ({ title }) => title.toLowerCase());
  for (const app of [...sameTitle.values()].filter(({ length }) => length > 1).flat())
    if (app.title !== app.name) app.title = `${app.title} (${app.name})`;
  return lists;
}

/**
 * @param {Partial<InstalledApp | BrokenApp | AppSummary> & { name: string }} entry
 * @param {App['kind']} kind
 * @returns {App}
 */
function shownApp(entry, kind) {
  const app = { ...blank, ...entry };
  return { ...app, kind, title: app.display_name || app.name };
}

/**
 * One sentence for each problem of the backups, with the apps that have it; empty without one.
 * @param {App[]} apps the installed ones
 */
export function backupTrouble(apps) {
  const failing = apps.filter((app) => app.backup_problem);
  return [...Map.groupBy(failing, (app) => app.backup_problem)]
    .map(([problem, of]) => `${of.map(({ title }) => title).join(', ')}: ${problem}.`)
    .join(' ');
}

/**
 * The addresses that an app can be opened at now. The box puts `https` into the label of a port that speaks it.
 * @param {Pick<App, 'open_ports'>} app
 * @param {string} hostname that of the page
 */
export function openLinks({ open_ports: ports }, hostname) {
  return ports
    .filter((port) => !isOutOfReach(port, hostname))
    .map(({ port, label }) => {
      const scheme = /\bhttps\b/i.test(label) ? 'https' : 'http';
      return { href: `${scheme}://${hostname}:${port}/`, label, port };
    });
}

/**
 * The one address that "Open" leads to; `null` without any. A name with HTTPS comes first. A port of the box comes
 * before a public address, because the box's own address works here, also while the internet does not.
 * @param {App} app
 * @param {string} hostname that of the page
 * @returns {{ href: string } | null}
 */
export function bestAddress(app, hostname) {
  const [name] = app.open_urls;
  if (name !== undefined) return { href: name };
  const [port] = openLinks(app, hostname);
  const [href] = app.public_urls;
  return port ?? (href === undefined ? null : { href });
}

/** The ports of an app's manifest: `8096 (Player)`, `7359/udp (Discovery)` @param {Pick<App, 'ports'>} app */
export function portTexts({ ports }) {
  return ports.map((one) => {
    const { port, protocol = '', label = '' } = typeof one === 'number' ? { port: one } : one;
    return `${port}${protocol === 'udp' ? '/udp' : ''}${label ? ` (${label})` : ''}`;
  });
}

/**
 * Says which ports only the box itself reaches; empty without one, or if the page was opened on the box.
 * @param {Pick<App, 'open_ports'>} app
 * @param {string} hostname that of the page
 */
export function onlyOnBoxText({ open_ports: open }, hostname) {
  const ports = open.filter((port) => isOutOfReach(port, hostname)).map(({ port }) => port);
  if (ports.length === 0) return '';
  return `Port ${ports.join(', ')}: only on the box itself.`;
}

/** @param {App['open_ports'][number]} port @param {string} hostname */
function isOutOfReach({ loopback }, hostname) {
  return loopback === true && !/^(?:127\.[\d.]+|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);
}

/**
 * Makes the filter for the apps of a category that have every word of the query.
 * @param {string} query
 * @param {string} category empty for all
 * @returns {(app: App) => boolean}
 */
export function makeFilter(query, category) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = plainCategory(category);
  return (app) => {
    const text = `${app.title} ${app.name} ${app.description} ${app.category}`.toLowerCase();
    return (wanted === '' || plainCategory(app.category) === wanted) && words.every((word) => text.includes(word));
  };
}

/** @param {App[]} apps @param {string} order @param {(app: App) => boolean} [isInTrouble] */
export function sortedApps(apps, order, isInTrouble = needsHelp) {
  const byTitle = apps.toSorted((one, other) => compareTitles(one.title, other.title));
  if (order === 'descending') return byTitle.reverse();
  if (order === 'problems') return byTitle.sort((one, other) => Number(isInTrouble(other)) - Number(isInTrouble(one)));
  return byTitle;
}

/**
 * Whether an installed app failed, so that the page shows its reason. An app that was stopped on purpose, or that the
 * box is still to bring up, did not.
 * @param {App} app
 */
export function isFailing({ kind, state, state_detail: detail, stopped_at: stoppedAt, operation }) {
  if (operation !== null || stoppedAt) return false;
  if (kind === 'broken' || state === 'unhealthy' || state === 'restarting') return true;
  if (state === 'stopped') return !/exit code 0\b/.test(detail);
  return state === 'not_started' && !/^Not started yet/.test(detail);
}

/** Whether an installed app does not run as it should, and nothing is done about it. @param {App} app */
export function needsHelp({ kind, state, stopped_at: stoppedAt, operation }) {
  if (operation !== null || stoppedAt) return false;
  return kind === 'broken' || (state !== null && state !== 'running' && state !== 'starting');
}

const compareTitles = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare;

/**
 * Groups the actions of a reply by app: apps with an error first, the others in the order of the reply.
 * @param {Action[]} actions
 */
export function actionsByApp(actions) {
  return [...Map.groupBy(actions, ({ target }) => target.split('/')[0] ?? '')]
    .map(([app, own]) => {
      const errors = own.filter(({ kind }) => kind === 'error');
      return { app, failed: errors.length > 0, error: errors.map(({ detail }) => detail).join('\n'), actions: own };
    })
    .sort((one, other) => Number(other.failed) - Number(one.failed));
}

/**
 * The other apps with errors. Leaves out errors that the requested app has too, such as a Docker that does not
 * answer.
 * @param {string} app the one acted on
 * @param {Action[]} actions
 */
export function othersInTrouble(app, actions) {
  const groups = actionsByApp(actions);
  const own = groups.find((group) => group.app === app)?.error;
  return groups.filter((other) => other.app !== app && other.failed && other.error !== own);
}

/** @param {number} milliseconds @returns {string} `8 s`, `2 min 05 s` */
export function elapsedText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/**
 * A command of boxgate about an app, whose name may be any name of a directory.
 * @param {string} words
 * @param {string} name
 */
export function boxCommand(words, name) {
  const word = /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return `boxgate box ${words} ${name.startsWith('-') ? '-- ' : ''}${word}`;
}

/**
 * A text without the secrets that were just typed, because the box or an app may repeat them.
 * @param {string} text
 * @param {string[]} secrets
 */
export function withoutSecrets(text, secrets) {
  return secrets
    .filter((secret) => secret.length > 3)
    .reduce((clean, secret) => {
      const escaped = JSON.stringify(secret).slice(1, -1);
      return clean.replaceAll(escaped, '••••').replaceAll(secret, '••••');
    }, text);
}
