/** The two lists as the box gave them last. Loads and polls overlap; the last one counts. */

import { api } from '../api.js';

/** @import { Outcome } from '../api.js' */

/** @typedef {ReturnType<typeof makeLoads>} Loads */

/** The time limit of a poll; a reload by the owner may take longer. */
const pollTimeoutMs = 8000;

/** The list of available apps is polled less often: by itself it changes only with the catalogue. */
const bundledEveryMs = 60_000;
/** While the box changes apps, one that waits for its install shows it only there. */
const bundledUnderWayMs = 5000;

/**
 * @param {() => boolean} isUnderWay whether the box changes an app, or this page asked for a change
 * @param {(installed: Outcome<any>) => void} afterLook
 */
export function makeLoads(isUnderWay, afterLook) {
  /** @type {{ installed: any[] | null, bundled: any[] | null }} `null` until the box gave the list */
  const loaded = { installed: null, bundled: null };
  const problems = { installed: '', bundled: '' };
  let latestLook = 0;
  let loads = 0;
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

  /**
   * If a list cannot be loaded, the old list stays, with the problem above it.
   * @param {'installed' | 'bundled'} list
   * @param {Outcome<any>} outcome
   */
  function keep(list, outcome) {
    const isList = outcome.kind === 'done' && Array.isArray(outcome.body);
    // What was made of an unchanged list stays, too.
    if (isList && JSON.stringify(outcome.body) !== JSON.stringify(loaded[list])) loaded[list] = outcome.body;
    // The notice says that the box does not answer.
    const isNoticed = outcome.kind === 'lost' && loaded[list] !== null;
    problems[list] =
      isList || isNoticed ? '' : 'message' in outcome ? outcome.message : 'The box did not answer with a list.';
  }

  return { loaded, problems, load, poll };
}

/**
 * Names and validity of the installed apps. The list of available apps depends only on these.
 * @param {any[] | null} apps
 */
function names(apps) {
  return JSON.stringify(apps?.map(({ name, ok }) => [name, ok]));
}
