/** What the page shows, worked out from what the API said: no element and no request in here. */

/**
 * An entry of either list as the page keeps it.
 * @typedef {object} App
 * @property {'installed' | 'broken' | 'available'} state
 * @property {string} name
 * @property {string} title
 * @property {string} version
 * @property {string} description
 * @property {string} about
 * @property {import('./api.js').Port[]} ports
 * @property {string | null} icon
 * @property {boolean} hasSettings
 * @property {string} error
 */

/** From how many apps on the page offers to search and sort them. */
export const manyApps = 8;

/**
 * Both lists. A broken app that is also bundled is in the first list only: its Reinstall button is there.
 * @param {(import('./api.js').InstalledApp | import('./api.js').BrokenApp)[]} installed
 * @param {import('./api.js').AppSummary[]} bundled
 * @returns {{ installed: App[], available: App[] }}
 */
export function appLists(installed, bundled) {
  const installedNames = new Set(installed.map((app) => app.name));
  return {
    installed: installed.map((app) => ('error' in app ? brokenApp(app) : shownApp(app, 'installed'))),
    available: bundled
      .filter((app) => !installedNames.has(app.name))
      .map((app) => shownApp(app, 'available')),
  };
}

/**
 * @param {import('./api.js').AppSummary} app
 * @param {'installed' | 'available'} state
 * @returns {App}
 */
function shownApp(app, state) {
  return {
    state,
    name: app.name,
    title: app.display_name || app.name,
    version: app.version,
    description: app.description,
    about: app.description_long,
    ports: app.ports ?? [],
    icon: app.icon_svg,
    hasSettings: app.has_settings,
    error: '',
  };
}

/**
 * @param {import('./api.js').BrokenApp} app
 * @returns {App}
 */
function brokenApp(app) {
  return {
    state: 'broken',
    name: app.name,
    title: app.name,
    version: '',
    description: '',
    about: '',
    ports: [],
    icon: null,
    hasSettings: false,
    error: app.error,
  };
}

/**
 * The addresses an app can be opened at: those of its ports that a browser speaks to.
 * @param {import('./api.js').Port[]} ports
 * @param {string} hostname
 * @returns {{ href: string, label: string, port: number }[]}
 */
export function openLinks(ports, hostname) {
  return ports.flatMap((entry) => {
    const { port, protocol = '', label = '' } = typeof entry === 'object' && entry ? entry : { port: entry };
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return [];
    const spoken = String(protocol).toLowerCase();
    if (!['', 'tcp', 'http', 'https'].includes(spoken)) return [];
    const isSecure = spoken === 'https' || /\bhttps\b/i.test(String(label));
    return [{ href: `${isSecure ? 'https' : 'http'}://${hostname}:${port}/`, label: String(label), port }];
  });
}

/**
 * The apps that match every word of the query, in the order asked for.
 * @param {App[]} apps
 * @param {string} query
 * @param {string} order
 */
export function chosenApps(apps, query, order) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = apps.filter((app) => {
    const text = `${app.title} ${app.name} ${app.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const byTitle = matching.sort((one, other) => compareTitles(one.title, other.title));
  if (order === 'descending') return byTitle.reverse();
  if (order === 'problems') return byTitle.sort((one, other) => Number(!one.error) - Number(!other.error));
  return byTitle;
}

const compareTitles = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' }).compare;

/**
 * The actions of a reply, put together by app: those with an error first, then in the order given.
 * @param {import('./api.js').Action[]} actions
 * @returns {{ app: string, failed: boolean, actions: import('./api.js').Action[] }[]}
 */
export function actionsByApp(actions) {
  /** @type {Map<string, import('./api.js').Action[]>} */
  const groups = new Map();
  for (const action of actions) {
    const app = action.target.split('/')[0] ?? '';
    groups.set(app, [...(groups.get(app) ?? []), action]);
  }
  return [...groups]
    .map(([app, own]) => ({ app, failed: own.some((action) => action.kind === 'error'), actions: own }))
    .sort((one, other) => Number(other.failed) - Number(one.failed));
}

/**
 * @param {number} milliseconds
 * @returns {string} `8 s`, `2 min 05 s`
 */
export function elapsedText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/**
 * What an owner types to get a removed app back; a broken app's name may be any name of a directory.
 * @param {string} name
 */
export function restoreCommand(name) {
  const word = /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return `boxgate box trash restore ${name.startsWith('-') ? '-- ' : ''}${word}`;
}

/**
 * A text without the secrets that were just typed, whoever repeated them.
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
