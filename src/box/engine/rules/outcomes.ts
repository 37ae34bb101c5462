import { shownName } from '../../../lib/shown-text.ts';
import { counted } from '../../rules/text/amounts.ts';
import type { Action } from './actions.ts';

/**
 * The result of a change for one app. The app is up unless an action of its own is an `error`; an app skipped because it
 * has nothing to start is a success too. `ending` completes a sentence about the app; `lines` has one line for each
 * effective action.
 * choice/box/116
 */
export function appOutcome(
  app: string,
  actions: readonly Action[],
): { isUp: boolean; ending: string; lines: string[] } {
  const own = actions.filter(isAbout(app));
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

/** Actions of these kinds change nothing. */
const passiveKinds: ReadonlySet<Action['kind']> = new Set(['noop', 'skip', 'keep', 'warn']);

/**
 * The outcome of a change with these actions, for its line in the journal. Only an error of the app acted on fails the
 * change; `null` means that it is about all apps.
 * choice/box/330
 */
export function outcomeOfActions(actions: readonly Action[], app: string | null) {
  const errors = actions.filter(({ kind }) => kind === 'error');
  const own = app === null ? errors : errors.filter(isAbout(app));
  if (own.length > 0) return { outcome: 'failed' as const, detail: errorText(own) };
  const count = actions.filter(({ kind }) => !passiveKinds.has(kind) && kind !== 'error').length;
  const detail = count === 0 ? 'nothing to do' : counted(count, 'action');
  if (errors.length === 0) return { outcome: 'ok' as const, detail };
  return { outcome: 'ok' as const, detail: `${detail}; other apps: ${errorText(errors)}`, isPartial: true };
}

function errorText(errors: readonly Action[]): string {
  return `${counted(errors.length, 'error')}, ${errors[0]?.target}: ${errors[0]?.detail}`;
}

/** `version`: that of the catalogue, if the update brought it. */
export function outcomeOfUpdate(services: readonly unknown[], starting: readonly string[] = [], version?: string) {
  const images = services.length === 0 ? [] : [`${counted(services.length, 'service')} updated`];
  const brought = [...(version === undefined ? [] : [`version ${version}`]), ...images];
  const detail = brought.length === 0 ? ['nothing newer'] : brought;
  return { outcome: 'ok' as const, detail: [...detail, ...starting].join('; ') };
}

function isAbout(app: string): (action: Action) => boolean {
  return ({ target }) => target === app || target.startsWith(`${app}/`);
}
