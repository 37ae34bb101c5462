/**
 * The page's requests. A request ends in one of four outcomes: `done`; `partial` (207: done, but a reconcile failed);
 * `refused` (the box said no, in its own words); `lost` (the connection dropped, or a proxy answered in its place).
 */

/** @import { components } from '../api/api.gen.ts' */

/**
 * @typedef {components['schemas']} Schemas
 * @typedef {Schemas['AppState']} AppState
 * @typedef {Schemas['AppOperation']} AppOperation
 * @typedef {Schemas['InstalledApp']} InstalledApp
 * @typedef {Schemas['BrokenApp']} BrokenApp
 * @typedef {Schemas['AppSummary']} AppSummary
 * @typedef {Schemas['SettingsView']} SettingsView
 * @typedef {Schemas['SettingEntry']} SettingEntry
 * @typedef {Schemas['Action']} Action
 * @typedef {Schemas['AppUpdateResult']} AppUpdate
 * @typedef {Schemas['SelfUpdateState']} SelfUpdateState
 */

/**
 * @template Body
 * @typedef {{ kind: 'done' | 'partial', status: number, body: Body }
 *   | { kind: 'refused', status: number, body: unknown, message: string, refusal?: string }
 *   | { kind: 'lost', message: string }} Outcome
 */

/** @param {string} path @param {number} [timeoutMs] */
const get = (path, timeoutMs = 20_000) => exchange(path, { signal: AbortSignal.timeout(timeoutMs) });

/** @param {string} path @param {object} body */
const post = (path, body) =>
  exchange(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** @param {string} name */
const pathOf = (name) => `/api/apps/${encodeURIComponent(name)}`;

let hasConsoleAnswered = false;

export const api = {
  /** @param {number} [timeoutMs] */
  listApps: (timeoutMs) => get('/api/apps', timeoutMs),
  listBundledApps: () => get('/api/bundled'),
  getSelfUpdateStatus: () => get('/api/self/update/status', 5_000),
  /** The update's state as a file, which a proxy serves even while the box restarts. The box itself answers 404. */
  getPublishedUpdateState: () => get('/update-state.json', 5_000),
  async isPageServed() {
    try {
      return (await fetch(location.pathname, { cache: 'no-store', signal: AbortSignal.timeout(5_000) })).ok;
    } catch {
      return false; // The box is restarting.
    }
  },
  /**
   * Whether the console answers; asked until it does. A proxy without a console may answer with a page of its own.
   * Only a press asks: most visits end without one.
   */
  isConsoleThere: async () => {
    if (hasConsoleAnswered) return true;
    const work = await get('/settings/api/follow/box', 5_000);
    hasConsoleAnswered = work.kind === 'done' && typeof work.body === 'object' && work.body !== null;
    return hasConsoleAnswered;
  },
  /** What every app uses now. The console measures for some seconds. */
  readUse: () => get('/settings/api/rooms/use', 30_000),
  /** An action of the console. @param {string} act @param {Record<string, string>} fields */
  act: (act, fields) => post('/settings/api/acts', { act, fields }),
  /** @param {string} name */
  getAppSettings: (name) => get(`${pathOf(name)}/settings`),
  /** @param {string} name @param {Record<string, string>} settings */
  updateAppSettings: (name, settings) => post(`${pathOf(name)}/settings`, { settings }),
  /** @param {string} name @param {{ without_backup?: true }} [how] */
  updateApp: (name, how = {}) => post(`${pathOf(name)}/update`, how),
  /** @param {string} name @param {Record<string, string>} [settings] */
  installApp: (name, settings) => post('/api/apps/install', settings ? { name, settings } : { name }),
  /** @param {string} name */
  removeApp: (name) => post('/api/apps/remove', { name }),
  checkSelfUpdate: () => post('/api/self/update/check', {}),
  applySelfUpdate: () => post('/api/self/update/apply', {}),
};

/** @param {string} url @param {RequestInit} request @returns {Promise<Outcome<any>>} */
export async function exchange(url, request) {
  let response;
  let text;
  try {
    response = await fetch(url, { ...request, cache: 'no-store' });
    text = await response.text();
  } catch {
    // fetch hides the cause of a network error on purpose.
    return { kind: 'lost', message: 'The connection to the box was lost.' };
  }
  const body = readJson(text);
  if (body === undefined) return notTheBox(response.status);
  if (response.ok) return { kind: response.status === 207 ? 'partial' : 'done', status: response.status, body };
  if (typeof body?.error !== 'string') return notTheBox(response.status);
  const refusal = response.headers.get('Boxgate-Error');
  return {
    kind: 'refused',
    status: response.status,
    body,
    message: response.status === 403 ? `${body.error} ${crossSiteHint()}` : body.error,
    ...(refusal === null ? {} : { refusal }),
  };
}

/**
 * An answer that is not JSON comes from a proxy in between, most often because of its time limit.
 * @param {number} status
 * @returns {{ kind: 'lost', message: string }}
 */
function notTheBox(status) {
  return {
    kind: 'lost',
    message: `Something between here and the box answered instead of it (error ${status}).`,
  };
}

/** @param {string} text */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller treats this value as an answer that the box did not send.
  }
}

/**
 * A proxy that rewrites `Host` makes the page look like one of another site. Behind such a proxy, only a page on the
 * default port or on the box's port can be allowed.
 */
function crossSiteHint() {
  const { hostname, port } = location;
  const proxy = "If this address is your box's own, let the box's proxy pass on the Host header";
  if (port !== '') return `${proxy}.`;
  const setting = `add ${hostname} to BOX_ALLOWED_HOSTS in /etc/boxgate/box.env`;
  return `${proxy}, or ${setting} (or start it with --allowed-host ${hostname}).`;
}
