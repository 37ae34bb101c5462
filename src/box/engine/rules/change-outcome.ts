import type { Action } from './actions.ts';

/** Actions of these kinds change nothing. */
const passiveKinds: ReadonlySet<Action['kind']> = new Set(['noop', 'skip', 'keep', 'warn']);

/**
 * The outcome of a change with these actions, for its line in the journal. Only an error of the app acted on fails the
 * change; `null` means that it is about all apps.
 * choice/box/330
 */
export function outcomeOfActions(actions: readonly Action[], app: string | null) {
  const errors = actions.filter(({ kind }) => kind === 'error');
  const own = errors.filter(({ target }) => app === null || target === app || target.startsWith(`${app}/`));
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

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
