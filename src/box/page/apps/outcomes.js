/** The page's sentence about an operation: done, partly done, refused or unknown. */
import { localText } from '../local-text.js';
import { firstFew, plainCause } from './app-state.js';
import { actionsByApp, elapsedText, othersInTrouble } from './model.js';
/** @import { Action, AppUpdate, Outcome } from '../api.js' */

/**
 * @typedef {'install' | 'start' | 'stop' | 'restart' | 'reinstall' | 'settings' | 'undo' | 'update' | 'remove'} Verb
 * @typedef {'running' | 'done' | 'note' | 'partial' | 'refused' | 'unknown'} StatusKind
 * @typedef {object} Result
 * @property {StatusKind} kind
 * @property {string} text
 * @property {string} [detail] further lines, such as the end of an app's log
 * @property {string} [more] a further sentence; what is between backquotes in it is code
 * @property {true} [isUndoable] whether the owner may want what was before
 */

/** @type {Record<Verb, { doing: string, done: string, noun: string }>} */
export const verbs = {
  install: { doing: 'Installing', done: 'Installed', noun: 'Install' },
  start: { doing: 'Starting', done: 'Started', noun: 'Start' },
  stop: { doing: 'Stopping', done: 'Stopped', noun: 'Stop' },
  restart: { doing: 'Restarting', done: 'Restarted', noun: 'Restart' },
  reinstall: { doing: 'Repairing', done: 'Repaired', noun: 'Repair' },
  settings: { doing: 'Saving settings', done: 'Settings saved', noun: 'Saving the settings' },
  undo: { doing: 'Taking the settings back', done: 'Settings taken back', noun: 'Taking the settings back' },
  update: { doing: 'Updating', done: 'Updated', noun: 'Update' },
  remove: { doing: 'Removing', done: 'Removed', noun: 'Remove' },
};

/**
 * @param {Verb} verb
 * @param {string} app
 * @param {Exclude<Outcome<any>, { kind: 'lost' }>} outcome
 * @param {number} tookMs
 * @param {string} [toVersion] of an update
 * @returns {Result}
 */
export function answeredResult(verb, app, outcome, tookMs, toVersion) {
  const { done, noun } = verbs[verb];
  if (outcome.kind === 'refused') {
    const to = toVersion ? ` to ${toVersion}` : '';
    return withLines('refused', `${noun}${to} ${endText(outcome)}:`, outcome.message);
  }
  const took = tookMs < 1000 ? 'in under a second' : `in ${elapsedText(tookMs)}`;
  if (verb === 'remove') return removedResult(took, outcome.body.compose_warning);
  if (verb === 'update') return updatedResult(took, outcome.body);
  if (outcome.body.ok === true) return { kind: 'done', text: `${done} ${took}.` };
  if (outcome.body.ok === false) return withLines('partial', `${done} ${took}, but:`, outcome.body.text);
  return reconciledResult(verb, `${done} ${took}`, app, outcome.body.actions ?? []);
}

/** How a request ended, in a word or two. @param {Outcome<any>} outcome */
export function endText(outcome) {
  if (outcome.kind === 'refused') return outcome.status < 500 ? 'refused' : 'failed';
  return { done: 'done', partial: 'partly done', lost: 'no answer' }[outcome.kind];
}

/**
 * An error of another app does not make this app's result a failure.
 * @param {Verb} verb
 * @param {string} done
 * @param {string} app
 * @param {Action[]} actions
 * @returns {Result}
 */
function reconciledResult(verb, done, app, actions) {
  const own = actionsByApp(actions).find((group) => group.app === app);
  const others = othersInTrouble(app, actions).map((other) => other.app);
  const more = [];
  for (const { kind, detail } of own?.actions ?? []) if (kind === 'warn') more.push(`Note: ${detail}.`);
  for (const { kind, detail } of own?.actions ?? [])
    if (kind === 'skip' && verb === 'settings') more.push(`It was not started: ${localText(detail)}.`);
  if (others.length > 0)
    more.push(`Trouble with ${others.length === 1 ? 'another app' : 'other apps'}: ${firstFew(others)}.`);
  const result = own?.failed ? failedResult(verb, done, own) : doneResult(verb, done, own?.actions ?? []);
  return { ...result, more: more.join(' ') };
}

/** @param {Verb} verb @param {string} done @param {{ error: string, actions: Action[] }} own @returns {Result} */
function failedResult(verb, done, { error, actions }) {
  const text = `${done}, but this app did not come up. ${plainCause(error)}`.trimEnd();
  // If nothing was written, there are no settings of before.
  const isUndoable = verb === 'settings' && actions.some(({ kind }) => kind === 'write_env');
  return { kind: 'partial', text, detail: linesOf(error).join('\n'), ...(isUndoable ? { isUndoable } : {}) };
}

/** @param {Verb} verb @param {string} done @param {Action[]} actions those of the app @returns {Result} */
function doneResult(verb, done, actions) {
  const isStarting = actions.some(({ detail }) => detail.includes('still starting'));
  if (isStarting) return { kind: 'done', text: `${done}; the app is still starting.` };
  const isIdle =
    verb === 'start' && actions.length > 0 && actions.every(({ kind }) => kind === 'noop' || kind === 'warn');
  return { kind: 'done', text: isIdle ? 'Nothing had to be started.' : `${done}.` };
}

/**
 * A message in lines. The box joins the last lines of a log, which are split here again to be readable.
 * @param {string} message
 */
function linesOf(message) {
  return message
    .trim()
    .replaceAll(
      /; its log ends with: (.*?)(; the app runs [^;]*)?$/gm,
      (_, log, after = '') => `${after}; its log ends with:\n${log.replaceAll(' / ', '\n')}`,
    )
    .split('\n');
}

/**
 * A result whose first line is a sentence and whose other lines are shown unchanged.
 * @param {StatusKind} kind
 * @param {string} before
 * @param {string} message
 * @returns {Result}
 */
export function withLines(kind, before, message) {
  const [first = '', ...lines] = linesOf(message);
  const text = `${before} ${first}`;
  return lines.length === 0 ? { kind, text } : { kind, text, detail: lines.join('\n') };
}

/** @param {string} took @param {string | null} warning @returns {Result} */
function removedResult(took, warning) {
  const kept = 'Its data is kept for a while.';
  if (!warning) return { kind: 'done', text: `Removed ${took}. ${kept}`, isUndoable: true };
  return {
    kind: 'partial',
    text: `Removed ${took}, but some of it may still run. ${kept}`,
    detail: warning,
    isUndoable: true,
  };
}

/** @param {string} took @param {AppUpdate} update @returns {Result} */
function updatedResult(
  took,
  { services, from_version: from, to_version: to, kept = [], starting = [], away_seconds: away, stopped_at: stopped },
) {
  const notes = [
    ...(stopped ? ['The app is stopped, so it was not started.'] : []),
    ...starting.map((text) => `${text}.`),
    ...(away === undefined ? [] : [`A backup was made before; the app was away for ${away} s.`]),
    ...(kept.length === 0 ? [] : [`Files that you had edited are kept as ${kept.join(', ')}.`]),
  ];
  const more = notes.join(' ');
  if (to !== undefined) return { kind: 'done', text: `Updated from ${from} to ${to} ${took}.`, more };
  if (services.length === 0) {
    // Nothing runs that could tell whether an image was newer.
    const found = stopped ? 'The newest images are here for its next start' : 'Nothing newer found';
    return { kind: 'done', text: `${found}; looked ${took}.`, more };
  }
  return { kind: 'done', text: `Updated ${took}: ${services.map(({ service }) => service).join(', ')}.`, more };
}

/**
 * The result of an operation whose answer was lost, read from the list of installed apps; null while the list does
 * not show the effect.
 * @param {Verb} verb
 * @param {{ version?: string } | undefined} app its entry
 * @param {string} [toVersion] of an update
 * @returns {Result | null}
 */
export function knownAfterLoss(verb, app, toVersion) {
  if (verb === 'install') {
    if (!app) return null;
    return unknown(
      'The connection was lost, but the app is installed now. If its state does not become “Running”, repair it.',
    );
  }
  if (verb === 'remove') {
    if (app) return null;
    return unknown('The connection was lost, but the app is gone from the list: it was removed.');
  }
  if (verb === 'update' && toVersion) {
    if (app?.version !== toVersion) return null;
    return unknown(
      `The connection was lost, but version ${toVersion} is installed now. Its state says whether it runs.`,
    );
  }
  return unknown(
    `The connection was lost and the box answers again. Whether this came to its end is not known; doing it again does no harm.`,
  );
}

/**
 * The result of an operation whose effect the list of apps never showed.
 * @param {Verb} verb
 * @param {boolean} wasReached
 * @returns {Result}
 */
export function stillUnknown(verb, wasReached) {
  if (!wasReached)
    return unknown('The connection was lost and the box does not answer. Reload this page when it is back.');
  const states = { remove: 'still lists the app', update: 'still lists the version of before' };
  const state = verb === 'remove' || verb === 'update' ? states[verb] : 'does not list the app as installed';
  return unknown(`The connection was lost. The box answers again and ${state}; doing it again does no harm.`);
}

/** @param {string} text @returns {Result} */
function unknown(text) {
  return { kind: 'unknown', text };
}
