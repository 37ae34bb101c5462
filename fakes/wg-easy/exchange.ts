import { STATUS_CODES } from 'node:http';
import type { FaultScript, Faults } from './faults.ts';
import { handle, innerFault, routeRequest } from './handler/handle.ts';
import type { Answer, Request } from './handler/request.ts';
import type { Routed } from './handler/routes.ts';
import type { State } from './model/state.ts';
import { type LogEntry, type Traffic, withoutSecrets } from './traffic.ts';

/** A response, or a connection that is dropped or hangs. */
export type Outcome = Answer | 'drop' | 'hang';

export type Exchange = {
  state: State;
  faults: Faults;
  traffic: Traffic;
  /** Waits for `ms` or until the signal. */
  pause: (ms: number, end: AbortSignal) => Promise<void>;
};

/** Handles one complete request and applies a matching fault. */
export async function exchange(
  parts: Exchange,
  request: Request,
  begun: (entry: LogEntry) => void,
): Promise<{ entry: LogEntry; outcome: Outcome }> {
  const { state, faults, traffic } = parts;
  const routed = routeRequest(state, request);
  const entry = traffic.begin(request, routed.operation);
  begun(entry);
  const fault = faults.take(routed.operation);
  entry.fault = fault?.kind ?? null;
  const outcome =
    fault === null ? await handle(state, request, routed) : await withFault(parts, request, routed, fault);
  if (typeof outcome === 'object') {
    entry.status = outcome.status;
    entry.received = withoutSecrets(outcome.body);
  }
  return { entry, outcome };
}

async function withFault(parts: Exchange, request: Request, routed: Routed, fault: FaultScript): Promise<Outcome> {
  const { state, faults } = parts;
  const cleared = faults.cleared();
  switch (fault.kind) {
    case 'fail-before':
      return innerFault(state, request);
    case 'drop-before':
      return 'drop';
    case 'hang-before':
      return 'hang';
    case 'html':
      return page(fault);
  }
  const before = state.live;
  const answer = await handle(state, request, routed);
  switch (fault.kind) {
    case 'lag':
      state.live = before;
      return innerFault(state, request);
    case 'fail-after':
      return innerFault(state, request);
    case 'drop-after':
      return 'drop';
    case 'hang-after':
      return 'hang';
    case 'logged-out-after':
      state.sessions.clear();
      return handle(state, withoutLogin(request), routed);
    case 'html-after':
      return page(fault);
    case 'slow':
      await parts.pause(fault.delayMs ?? 100, cleared);
      return answer;
    case 'broken-json':
      return unexpectedBody(answer, answer.body.slice(0, Math.ceil(answer.body.length / 2)));
    case 'wrong-shape':
      return unexpectedBody(answer, fault.edit?.(answer.body) ?? '{"ok":"yes"}');
    case 'empty-list':
      return unexpectedBody(answer, '[]');
    case 'changed':
      return fault.change?.(answer) ?? answer;
  }
}

function unexpectedBody(answer: Answer, body: string): Answer {
  return { ...answer, status: 200, statusText: 'OK', body };
}

function withoutLogin(request: Request): Request {
  const { cookie: _cookie, authorization: _authorization, ...headers } = request.headers;
  return { ...request, headers };
}

function page({ status = 200 }: FaultScript): Answer {
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<!doctype html><title>Sign in</title><p>Sign in to go on.</p>',
    chunked: false,
  };
}
