import { shownName } from '../../../lib/shown-text.ts';
import type { Action } from './actions.ts';

/**
 * The result of a change for one app. `ending` completes a sentence about the app; `lines` has one line for each
 * effective action.
 */
export type AppOutcome = { isUp: boolean; ending: string; lines: string[] };

/**
 * Derives the result for one app from the actions of a change. The app is up unless one of them is an `error`; an app
 * skipped because it has nothing to start is a success too.
 * choice/box/116
 */
export function appOutcome(app: string, actions: readonly Action[]): AppOutcome {
  const own = actions.filter(({ target }) => target === app || target.startsWith(`${app}/`));
  const fault = own.find(({ kind }) => kind === 'error');
  const skip = own.find(({ kind }) => kind === 'skip');
  // If Docker does not answer, every app has the same error.
  const isNews = (action: Action) =>
    action.kind !== 'noop' && action.kind !== 'skip' && action.detail !== fault?.detail;
  const lines = actions.filter(isNews).map(({ target, detail }) => `${target}: ${detail}`);
  if (fault !== undefined) return { isUp: false, ending: `, but it does not run: ${fault.detail}`, lines };
  return {
    isUp: true,
    ending: skip === undefined ? ' and runs' : `; nothing is started: ${skip.detail}`,
    lines,
  };
}

/** `done` says what was done to the app. */
export function resultFor(name: string, done: string, actions: readonly Action[]): { ok: boolean; text: string } {
  const { isUp, ending, lines } = appOutcome(name, actions);
  return { ok: isUp, text: [`${done}${ending}`, ...lines].map(shownName).join('\n') };
}
