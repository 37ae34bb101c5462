/** The texts about an app's state, and the actions that help. */

import { localText } from '../local-text.js';
/** @import { AppState } from '../api.js' */
/** @import { App } from './model.js' */

/**
 * Each state as a word, with a sign for those who see no colours.
 * @type {Record<AppState, { word: string, sign: string }>}
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

export const dockerHelp = 'Run `systemctl status docker` on the box to see what Docker is doing.';

/** @typedef {'start' | 'settings' | 'port' | 'log' | 'space' | 'reinstall'} Help */

/**
 * Words of Docker and the box, what they mean for an owner, and the button that helps.
 * @type {[RegExp, string, Help | null][]}
 */
const causes = [
  [/no space left on device/i, 'The disk of this box is full.', 'space'],
  [/port is already allocated|address already in use/i, 'Another program on this box uses its port.', 'port'],
  [/mounted at/, 'The disk with its data is missing. Once it is back, the app starts by itself.', null],
  [
    /no such host|network is unreachable|i\/o timeout|TLS handshake timeout/i,
    'It could not be downloaded. Does this box reach the internet?',
    'start',
  ],
  [/placeholder/, 'It waits for a value that only you know.', 'settings'],
  [/because it is broken/, 'Its files on this box are damaged.', 'reinstall'],
  [/^Nothing to start/, 'There is nothing to start in it.', null],
  [/^Not started yet/, 'The box has not started it so far.', 'start'],
  [/exit code 0\b/, 'It has stopped by itself.', 'start'],
];

/** @type {Partial<Record<AppState, [string, Help | null]>>} */
const usualCauses = {
  restarting: ['It stops after every start. See its log.', 'log'],
  unhealthy: ['It runs, but not as it should. See its log.', 'log'],
  stopped: ['It stopped because something went wrong.', 'start'],
  not_started: ['It could not be started.', 'start'],
  unknown: [dockerHelp, null],
};

/** What a message of Docker or the box means for an owner; empty if that is not known. @param {string} message */
export function plainCause(message) {
  return causes.find(([words]) => words.test(message))?.[1] ?? '';
}

/**
 * What an owner reads about an app that does not run, and the button that helps. The text is empty for an app that runs
 * or starts; `help` is `null` if no button helps.
 * @param {App} app
 * @returns {{ text: string, help: Help | null }}
 */
export function trouble(app) {
  const { kind, state, operation } = app;
  const usual = state === null ? undefined : usualCauses[state];
  if (usual === undefined || operation !== null) return { text: '', help: null };
  if (app.stopped_at) return { text: '', help: 'start' };
  const isStopped = state === 'stopped' || state === 'not_started';
  const [, ...known] = (isStopped && causes.find(([words]) => words.test(app.state_detail))) || [null, ...usual];
  const [text, help] = known;
  const isOffered = help === 'reinstall' ? kind === 'broken' : kind === 'installed';
  const needsSettings = help === 'settings' || help === 'port';
  return { text, help: isOffered && (app.has_settings || !needsSettings) ? help : null };
}

/**
 * Joins the word of a state and the box's sentence without repetition. Times are in the reader's time zone.
 * @param {AppState} state
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

/** Finds the apps whose state got worse or better. Each change is reported once. */
export function makeNews() {
  /** @type {Map<string, boolean>} whether an app ran at the latest call */
  const told = new Map();
  /**
   * @param {App[]} apps
   * @param {(name: string) => boolean} isBusy whether this page asked for a change that is under way, which is left out
   * @returns {{ worse: App[], better: App[] }}
   */
  return (apps, isBusy) => {
    // If the engine does not answer, one message covers all apps.
    const settled = apps
      .filter(({ state }) => state !== 'starting' && state !== 'unknown')
      .filter((app) => !app.stopped_at)
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

/** The text for screen readers; empty if no app got better or worse. @param {{ worse: App[], better: App[] }} news */
export function newsText({ worse, better }) {
  const [first] = worse;
  const texts = [];
  if (worse.length === 1 && first?.state)
    texts.push(`${first.title}: ${stateWords[first.state].word}. ${trouble(first).text}`.trimEnd());
  else if (worse.length > 0) texts.push(`Not running as they should: ${titles(worse)}.`);
  if (better.length > 0) texts.push(`Running again: ${titles(better)}.`);
  return texts.join(' ');
}

/** @param {App[]} apps */
function titles(apps) {
  return firstFew(apps.map(({ title }) => title));
}

/** The first few of some names, and how many more there are. @param {string[]} names */
export function firstFew(names) {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

/**
 * Why Docker does not answer, when no installed app's state is known; else empty.
 * @param {App[]} apps the installed ones
 */
export function dockerTrouble(apps) {
  const [first] = apps;
  return first && apps.every(({ state }) => state === 'unknown') ? first.state_detail : '';
}
