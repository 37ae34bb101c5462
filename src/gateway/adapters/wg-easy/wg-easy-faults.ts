/** Turns unsuccessful responses of wg-easy into errors. */

import { WgEasyError } from './wg-easy-error.ts';
import type { Answer, Call } from './wg-easy-request.ts';
import { wordsOf } from './wg-easy-responses.ts';

type Request = Pick<Call, 'method' | 'path'>;

/** The error of any response but 200 within a session. */
export function refusal(request: Request, answer: Answer): WgEasyError {
  const { status } = answer;
  const words = wordsOf(answer);
  const found = `${status}${words === '' ? '' : ` ${words}`} to ${request.method} ${request.path}`;
  if (status >= 300 && status < 400) return redirect(answer);
  if (status === 401) return new WgEasyError('sessionLost', found);
  const isUnknownPeer = isJson(answer) && !isUnknownPath(answer);
  if (status === 404) return new WgEasyError(isUnknownPeer ? 'unknownClient' : 'wrongPath', found);
  if (status === 500) return new WgEasyError('serverError', found);
  if (status > 500) return new WgEasyError('unavailable', found);
  return status >= 400 ? new WgEasyError('refused', found) : unexpectedResponse(request, answer);
}

/** Whether wg-easy does not have the path. Its 404 names the path then. */
export function isUnknownPath(answer: Answer): boolean {
  return answer.status === 404 && /^(Page not found|Cannot find static asset)/.test(wordsOf(answer));
}

/** The error of any response but 200 to a login on version 15. */
export function loginRefusal(path: string, answer: Answer): WgEasyError {
  const words = wordsOf(answer);
  if (answer.status === 401) return new WgEasyError('wrongPassword', words);
  if (answer.status === 400 && words.startsWith('Password must be at least')) {
    return new WgEasyError('shortPassword', words);
  }
  if (answer.status === 403) return new WgEasyError('loginOff', words);
  if (answer.status === 500) return new WgEasyError('locked', `500 to POST ${path}`);
  return refusal({ method: 'POST', path }, answer);
}

/** The error of a response to the probe that no wg-easy sends. */
export function notWgEasy(request: Request, answer: Answer): WgEasyError {
  if (answer.status >= 500) return refusal(request, answer);
  if (answer.status >= 300 && answer.status < 400) return redirect(answer);
  return new WgEasyError('notWgEasy', describe(request, answer));
}

function redirect(answer: Answer): WgEasyError {
  return new WgEasyError('redirect', `it answers ${answer.status} and leads to another address`);
}

export function unexpectedResponse(request: Request, answer: Answer): WgEasyError {
  return new WgEasyError('unexpected', describe(request, answer));
}

/** Status and type of a response, without its content: lists and logins contain secrets. */
function describe({ method, path }: Request, answer: Answer): string {
  const [type = ''] = /^[A-Za-z0-9/+.-]*/.exec(String(answer.headers['content-type'] ?? '')) ?? [];
  return `${answer.status}${type === '' ? '' : ` ${type.slice(0, 60)}`} to ${method} ${path}`;
}

function isJson(answer: Answer): boolean {
  return String(answer.headers['content-type']).startsWith('application/json');
}
