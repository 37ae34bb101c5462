import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from './exchange.ts';
import type { Journal } from './journal.ts';

/** The implementation does not hold the rule. Anything else that is thrown is a fault of the suite. */
export class CheckFailed extends Error {
  readonly expected: unknown;
  readonly actual: unknown;
  /** The shortest case that shows it, where many were tried. */
  readonly shortest: Journal | null;

  constructor(message: string, expected?: unknown, actual?: unknown, shortest: Journal | null = null) {
    super(message);
    this.expected = expected;
    this.actual = actual;
    this.shortest = shortest;
  }
}

/** `actual` is `expected`, key for key and type for type. */
export function equal(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new CheckFailed(what, expected, actual);
}

export function holds(what: string, condition: boolean, actual?: unknown): asserts condition {
  if (!condition) throw new CheckFailed(what, true, actual ?? condition);
}

export function matches(what: string, actual: unknown, pattern: RegExp): asserts actual is string {
  if (typeof actual !== 'string' || !pattern.test(actual))
    throw new CheckFailed(what, String(pattern), actual);
}

export function status(answer: Pick<Exchange, 'status' | 'text'>, expected: number): void {
  if (answer.status !== expected) {
    throw new CheckFailed(`status ${expected}`, expected, `${answer.status} ${answer.text.slice(0, 400)}`);
  }
}

/** A refusal: status, and the error body with exactly this text, or with any text where the rules fix none. */
export function refused(answer: Pick<Exchange, 'status' | 'text' | 'json'>, expected: number, text?: string) {
  status(answer, expected);
  if (text !== undefined) equal(`the error is exactly ${JSON.stringify(text)}`, answer.json, { error: text });
  else {
    const body = answer.json as { error?: unknown } | undefined;
    holds('the body is {"error": string}', typeof body?.error === 'string' && keysAre(body, ['error']), body);
  }
}

export function keysAre(value: unknown, keys: string[]): boolean {
  return isObject(value) && isDeepStrictEqual(Object.keys(value).sort(), [...keys].sort());
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body, which has to be a JSON object. */
export function record(answer: Pick<Exchange, 'json'>): Record<string, unknown> {
  if (!isObject(answer.json)) throw new CheckFailed('the body is a JSON object', 'an object', answer.json);
  return answer.json;
}

/** The body, which has to be an array of JSON objects. */
export function list(answer: Pick<Exchange, 'json'>): Record<string, unknown>[] {
  const { json } = answer;
  if (!Array.isArray(json) || !json.every(isObject)) {
    throw new CheckFailed('the body is an array of objects', 'an array', json);
  }
  return json;
}
