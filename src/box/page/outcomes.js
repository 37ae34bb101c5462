/** What the page says about an operation: one sentence that tells done, half done, refused and unknown apart. */
import { actionsByApp, elapsedText, restoreCommand } from './model.js';

/**
 * @typedef {'install' | 'reinstall' | 'settings' | 'update' | 'remove'} Verb
 * @typedef {'running' | 'done' | 'partial' | 'refused' | 'unknown'} StatusKind
 * @typedef {{ kind: StatusKind, text: string }} Result
 */

/** @type {Record<Verb, { doing: string, done: string, noun: string }>} */
export const verbs = {
  install: { doing: 'Installing', done: 'Installed', noun: 'Install' },
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
 * @returns {Result}
 */
export function answeredResult(verb, app, outcome, tookMs) {
  const { done, noun } = verbs[verb];
  if (outcome.kind === 'refused') {
    return {
      kind: 'refused',
      text: `${noun} ${outcome.status < 500 ? 'refused' : 'failed'}: ${outcome.message}`,
    };
  }
  const took = tookMs < 1000 ? 'in under a second' : `in ${elapsedText(tookMs)}`;
  if (outcome.kind === 'partial') return partialResult(done, took, app, outcome.body.actions ?? []);
  if (verb === 'remove') return removedResult(took, app, outcome.body.compose_warning);
  if (verb === 'update') return updatedResult(took, outcome.body.services ?? []);
  return { kind: 'done', text: `${done} ${took}.` };
}

/**
 * @param {string} done
 * @param {string} took
 * @param {string} app
 * @param {import('./api.js').Action[]} actions
 * @returns {Result}
 */
function partialResult(done, took, app, actions) {
  const failed = actionsByApp(actions).filter((group) => group.failed);
  const own = failed.find((group) => group.app === app);
  const others = failed.filter((group) => group !== own).map((group) => group.app);
  const parts = [`${done} ${took}, but not all is well.`];
  if (own) parts.push(`This app did not come up: ${errorsOf(own.actions)}`);
  if (others.length > 0)
    parts.push(`Trouble with ${others.length === 1 ? 'another app' : 'other apps'}: ${others.join(', ')}.`);
  return { kind: 'partial', text: parts.join(' ') };
}

/**
 * The causes of the errors among some actions.
 * @param {import('./api.js').Action[]} actions
 */
export function errorsOf(actions) {
  return actions.flatMap((action) => (action.kind === 'error' ? [action.detail] : [])).join(' ');
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
 * @returns {Result}
 */
function updatedResult(took, services) {
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
      'The connection was lost, but the app is installed now. Open it to see whether it runs, or reinstall it.',
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
