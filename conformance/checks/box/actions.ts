import type { Exchange } from '../../kernel/exchange.ts';
import { isObject, list, record } from '../../kernel/expect.ts';

export type Action = { kind: string; target: string; detail: string };

/** Whether a value has the three texts of an action. It may have further fields. */
export const isAction = (value: unknown): boolean =>
  isObject(value) && ['kind', 'target', 'detail'].every((key) => typeof value[key] === 'string');

/** The actions that a response reports, in order. */
export const actionsOf = (answer: Pick<Exchange, 'json'>) => list({ json: record(answer).actions }) as Action[];

/** The app of an action. The target is the app or `app/service`. */
export const appOf = (action: Action) => action.target.split('/', 1)[0] ?? '';
