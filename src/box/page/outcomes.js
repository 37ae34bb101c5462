/** What the page says about an operation: one sentence that tells done, half done, refused and unknown apart. */
import { firstFew } from './app-state.js';
import {
  actionsByApp,
  elapsedText,
  errorsOf,
  othersInTrouble,
  restoreCommand,
  undoCommand,
} from './model.js';

/**
 * @typedef {'install' | 'start' | 'reinstall' | 'settings' | 'update' | 'remove'} Verb
 * @typedef {'running' | 'done' | 'note' | 'partial' | 'refused' | 'unknown'} StatusKind
 * @typedef {object} Result
 * @property {StatusKind} kind
 * @property {string} text
 * @property {string} [detail] further lines, such as the end of an app's log
 * @property {string} [more] a further sentence; what is between backquotes in it is code
 * @typedef {{ from: string, to: string }} Versions those of an update to a newer version of the catalogue
 */

/** @type {Record<Verb, { doing: string, done: string, noun: string }>} */
export const verbs = {
  install: { doing: 'Installing', done: 'Installed', noun: 'Install' },
  start: { doing: 'Starting', done: 'Started', noun: 'Start' },
  reinstall: { doing: 'Reinstalling', done: 'Reinstalled', noun: 'Reinstall' },
  settings: { doing: 'Saving settings', done: 'Settings saved', noun: 'Saving the settings' },
  update: { doing: 'Updating', done: 'Updated', noun: 'Update' },
  remove: { doing: 'Removing', done: 'Removed', noun: 'Remove' },
};

/**
 * The result of an answered operation.
 * @param {Verb} verb
 * @param {string} app
 * @param {Exclude<import('./api.js').Outcome<any>, { kind: 'lost' }>} outcome
 * @param {number} tookMs
 * @param {Versions} [versions]
 * @returns {Result}
 */
export function answeredResult(verb, app, outcome, tookMs, versions) {
  const { done, noun } = verbs[verb];
  if (outcome.kind === 'refused') {
    const to = versions ? ` to ${versions.to}` : '';
    return withLines(
      'refused',
      `${noun}${to} ${outcome.status < 500 ? 'refused' : 'failed'}:`,
      outcome.message,
    );
  }
  const took = tookMs < 1000 ? 'in under a second' : `in ${elapsedText(tookMs)}`;
  if (verb === 'remove') return removedResult(took, app, outcome.body.compose_warning);
  if (verb === 'update') return updatedResult(took, outcome.body.services ?? [], versions);
  return reconciledResult(verb, `${done} ${took}`, app, outcome.body.actions ?? []);
}

/**
 * The trouble of another app does not make this one's result a failure.
 * choice/box/298
 * @param {Verb} verb
 * @param {string} done
 * @param {string} app
 * @param {import('./api.js').Action[]} actions
 * @returns {Result}
 */
function reconciledResult(verb, done, app, actions) {
  const own = actionsByApp(actions).find((group) => group.app === app);
  const others = othersInTrouble(app, actions).map((other) => other.app);
  const more = [];
  if (own?.failed && verb === 'settings')
    more.push(`To restore the settings of before, run \`${undoCommand(app)}\` on the box.`);
  if (others.length > 0)
    more.push(`Trouble with ${others.length === 1 ? 'another app' : 'other apps'}: ${firstFew(others)}.`);
  const isIdle = verb === 'start' && own?.actions.every(({ kind }) => kind === 'noop');
  /** @type {Result} */
  const result = own?.failed
    ? withLines('partial', `${done}, but this app did not come up:`, errorsOf(own.actions))
    : { kind: 'done', text: `${isIdle ? 'Nothing had to be started' : done}.` };
  return more.length === 0 ? result : { ...result, more: more.join(' ') };
}

/**
 * A result whose first line is a sentence; the lines after it are shown as they are.
 * @param {StatusKind} kind
 * @param {string} before
 * @param {string} message
 * @returns {Result}
 */
export function withLines(kind, before, message) {
  const [first = '', ...lines] = message.trim().split('\n');
  const text = `${before} ${first}`;
  return lines.length === 0 ? { kind, text } : { kind, text, detail: lines.join('\n') };
}

/**
 * @param {string} took
 * @param {string} app
 * @param {string | null} warning
 * @returns {Result}
 */
function removedResult(took, app, warning) {
  const kept = `Its folder is in the trash for a while; ${restoreCommand(app)} brings it back.`;
  if (!warning) return { kind: 'done', text: `Removed ${took}. ${kept}` };
  return {
    kind: 'partial',
    text: `Removed ${took}, but its containers may still be there: ${warning} ${kept}`,
  };
}

/**
 * @param {string} took
 * @param {{ service: string }[]} services
 * @param {Versions} [versions]
 * @returns {Result}
 */
function updatedResult(took, services, versions) {
  if (versions) return { kind: 'done', text: `Updated from ${versions.from} to ${versions.to} ${took}.` };
  if (services.length === 0) return { kind: 'done', text: `Nothing newer found; looked ${took}.` };
  return { kind: 'done', text: `Updated ${took}: ${services.map(({ service }) => service).join(', ')}.` };
}

/**
 * What the lists tell about an operation whose answer never came; null while they do not tell enough.
 * @param {Verb} verb
 * @param {boolean} isInstalled
 * @returns {Result | null}
 */
export function knownAfterLoss(verb, isInstalled) {
  if (verb === 'install') {
    if (!isInstalled) return null;
    return unknown(
      'The connection was lost, but the app is installed now. If its state does not become “Running”, reinstall it.',
    );
  }
  if (verb === 'remove') {
    if (isInstalled) return null;
    return unknown('The connection was lost, but the app is gone from the list: it was removed.');
  }
  return unknown(
    `The connection was lost and the box answers again. Whether this came to its end is not known; doing it again does no harm.`,
  );
}

/**
 * What to say when the lists never told more.
 * @param {Verb} verb
 * @param {boolean} wasReached
 * @returns {Result}
 */
export function stillUnknown(verb, wasReached) {
  if (!wasReached)
    return unknown('The connection was lost and the box does not answer. Reload this page when it is back.');
  const state = verb === 'remove' ? 'still lists the app' : 'does not list the app as installed';
  return unknown(`The connection was lost. The box answers again and ${state}; doing it again does no harm.`);
}

/** @param {string} text @returns {Result} */
function unknown(text) {
  return { kind: 'unknown', text };
}
