import { runExpiryJob } from '../model/clients.ts';
import type { State } from '../model/state.ts';
import { type Answer, pathOf, type Request } from './request.ts';
import { type Routed, route } from './routes.ts';
import { failure14, handle14 } from './v14.ts';
import { handle15 } from './v15.ts';
import { failure15, serverError } from './v15-answers.ts';

const expiryEveryMs = 60_000;

/** The operation of a request in this dialect. */
export function routeRequest(state: State, request: Request): Routed {
  return route(state.dialect, request.method, pathOf(request));
}

export function handle(state: State, request: Request, routed: Routed): Promise<Answer> {
  if (state.dialect !== '14' && state.now() - state.lastExpiryRun >= expiryEveryMs) runExpiryJob(state);
  return state.dialect === '14' ? handle14(state, request, routed) : handle15(state, request, routed);
}

/** The internal server error of the dialect. */
export function innerFault(state: State, request: Request): Answer {
  return state.dialect === '14' ? failure14(500) : failure15(request, serverError());
}
