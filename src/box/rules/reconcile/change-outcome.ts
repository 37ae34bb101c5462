import type { Action } from './actions.ts';

/** Actions of these kinds change nothing. */
const passiveKinds: ReadonlySet<Action['kind']> = new Set(['noop', 'skip', 'keep', 'warn']);

/** The outcome of a change with these actions, for its line in the journal. choice/box/330 */
export function outcomeOfActions(actions: readonly Action[]) {
  const errors = actions.filter(({ kind }) => kind === 'error');
  const [first] = errors;
  if (first !== undefined) {
    return {
      outcome: 'failed' as const,
      detail: `${counted(errors.length, 'error')}, ${first.target}: ${first.detail}`,
    };
  }
  const count = actions.filter(({ kind }) => !passiveKinds.has(kind)).length;
  return { outcome: 'ok' as const, detail: count === 0 ? 'nothing to do' : counted(count, 'action') };
}

export function outcomeOfUpdate(services: readonly unknown[]) {
  const detail = services.length === 0 ? 'nothing newer' : `${counted(services.length, 'service')} updated`;
  return { outcome: 'ok' as const, detail };
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
