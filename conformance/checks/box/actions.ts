import type { Exchange } from '../../kernel/exchange.ts';
import { list, record } from '../../kernel/expect.ts';

export type Action = { kind: string; target: string; detail: string };

/** The actions that a response reports, in order. */
export const actionsOf = (answer: Pick<Exchange, 'json'>) => list({ json: record(answer).actions }) as Action[];

/** The app of an action. The target is the app or `app/service`. */
export const appOf = (action: Action) => action.target.split('/', 1)[0] ?? '';
