import type { Exchange } from '../../kernel/exchange.ts';
import { list, record } from '../../kernel/expect.ts';

export type Action = { kind: string; target: string; detail: string };

/** What an answer says was done, in its order. */
export const actionsOf = (answer: Pick<Exchange, 'json'>) =>
  list({ json: record(answer).actions }) as Action[];

/** The app that an action is about: its target is the app or `app/service`. */
export const appOf = (action: Action) => action.target.split('/', 1)[0] ?? '';
