/** The texts about an app's state, and the actions that help. */

import { localText } from '../local-text.js';

/**
 * Each state as a word, with a sign for those who see no colours.
 * @type {Record<import('../api.js').AppState, { word: string, sign: string }>}
 */
export const stateWords = {
  running: { word: 'Running', sign: '●' },
  starting: { word: 'Starting', sign: '…' },
  unhealthy: { word: 'Unhealthy', sign: '!' },
  restarting: { word: 'Keeps restarting', sign: '↻' },
  stopped: { word: 'Stopped', sign: '■' },
  not_started: { word: 'Not started', sign: '○' },
  unknown: { word: 'State not known', sign: '?' },
};

/**
 * The button that helps; `null` if none does.
 * @param {import('./model.js').App} app
 * @returns {'start' | 'settings' | null}
 */
export function helpfulButton({ kind, state, stateDetail, hasSettings, operation }) {
  if (kind !== 'installed' || operation !== null) return null;
  if (state === 'stopped') return 'start';
  if (state !== 'not_started' || /^Not(?:hing to start|.*because it is broken)/.test(stateDetail)) return null;
  if (!/placeholder/.test(stateDetail)) return 'start';
  return hasSettings ? 'settings' : null;
}

export const dockerHelp = 'Run `systemctl status docker` on the box to see what Docker is doing.';

/**
 * Advice for a state that no button of the page can repair; empty without advice.
 * @param {import('../api.js').AppState} state
 */
export function stateHelp(state) {
  if (state === 'unknown') return dockerHelp;
  if (state !== 'restarting' && state !== 'unhealthy') return '';
  return 'Its log says why: run `docker compose logs` in its folder on the box. Other settings, an update or a reinstall may help.';
}

/**
 * Joins the word of a state and the box's sentence without repetition. Times are in the reader's time zone.
 * @param {import('../api.js').AppState} state
 * @param {string} sentence
 * @returns {[word: string, rest: string]}
 */
export function stateText(state, sentence) {
  return splitOff(stateWords[state].word, localText(sentence));
}

/**
 * Splits a text in two: the given words, and the sentence without these words if it begins with them.
 * @param {string} words
 * @param {string} sentence
 * @returns {[words: string, rest: string]}
 */
export function splitOff(words, sentence) {
  return sentence.startsWith(words) ? [words, sentence.slice(words.length)] : [`${words}.`, ` ${sentence}`];
}

/**
 * Finds the apps whose state got worse or better. Each change is reported once.
 */
export function makeNews() {
  /** @type {Map<string, boolean>} whether an app ran at the latest call */
  const told = new Map();
  /**
   * @param {import('./model.js').App[]} apps
   * @param {(name: string) => boolean} isBusy whether this page asked for a change that is under way, which is left out
   * @returns {{ worse: import('./model.js').App[], better: import('./model.js').App[] }}
   */
  return (apps, isBusy) => {
    // If the engine does not answer, one message covers all apps.
    const settled = apps
      .filter(({ state }) => state !== 'starting' && state !== 'unknown')
      .filter(({ stoppedAt }) => !stoppedAt)
      // A change of another page is announced at its end.
      .filter(({ name, operation }) => operation === null || isBusy(name));
    const changed = settled.filter(
      ({ name, state }) => !isBusy(name) && told.has(name) && told.get(name) !== (state === 'running'),
    );
    for (const { name, state } of settled) told.set(name, state === 'running');
    return {
      worse: changed.filter(({ state }) => state !== 'running'),
      better: changed.filter(({ state }) => state === 'running'),
    };
  };
}

/**
 * The text for screen readers; empty if no app got better or worse.
 * @param {{ worse: import('./model.js').App[], better: import('./model.js').App[] }} news
 */
export function newsText({ worse, better }) {
  const [first] = worse;
  const texts = [];
  if (worse.length === 1 && first?.state)
    texts.push(`${first.title}: ${stateText(first.state, first.stateDetail).join('')}`);
  else if (worse.length > 0) texts.push(`Not running as they should: ${titles(worse)}.`);
  if (better.length > 0) texts.push(`Running again: ${titles(better)}.`);
  return texts.join(' ');
}

/** @param {import('./model.js').App[]} apps */
function titles(apps) {
  return firstFew(apps.map(({ title }) => title));
}

/**
 * The first few of some names, and how many more there are.
 * @param {string[]} names
 */
export function firstFew(names) {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

/**
 * Why Docker does not answer, when no installed app's state is known; else empty.
 * @param {import('./model.js').App[]} apps the installed ones
 */
export function dockerTrouble(apps) {
  const [first] = apps;
  return first && apps.every(({ state }) => state === 'unknown') ? first.stateDetail : '';
}
