import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from './exchange.ts';
import type { Journal } from './journal.ts';

/** The implementation breaks a rule. Every other error is a fault of the suite. */
export class CheckFailed extends Error {
  readonly expected: unknown;
  readonly actual: unknown;
  /** The journal of the shortest failing case, if the check tried many cases. */
  readonly shortest: Journal | null;

  constructor(message: string, expected?: unknown, actual?: unknown, shortest: Journal | null = null) {
    super(message);
    this.expected = expected;
    this.actual = actual;
    this.shortest = shortest;
  }
}

/** The implementation did not do something in time. On a busy machine, a correct one can be slow too. */
export class TooSlow extends CheckFailed {}

/** Names in a failure which of several requests was sent, for values that reports hide because they are secrets. */
export async function variant(what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof CheckFailed) error.message = `${what}: ${error.message}`;
    throw error;
  }
}

/** Compares deeply and strictly. */
export function equal(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new CheckFailed(what, expected, actual);
}

export function ensure(what: string, condition: boolean, actual?: unknown): asserts condition {
  if (!condition) throw new CheckFailed(what, true, actual ?? condition);
}

export function matches(what: string, actual: unknown, pattern: RegExp): asserts actual is string {
  if (typeof actual !== 'string' || !pattern.test(actual)) throw new CheckFailed(what, String(pattern), actual);
}

export function status(answer: Pick<Exchange, 'status' | 'text'>, expected: number): void {
  if (answer.status !== expected) {
    throw new CheckFailed(`status ${expected}`, expected, `${answer.status} ${answer.text.slice(0, 400)}`);
  }
}

/**
 * Verifies a refusal: the status and, if it is given, the text of the error. The form of errors is a part of the response
 * contract, so that only the check of that form fails for it.
 */
export function refused(answer: Pick<Exchange, 'status' | 'text' | 'json'>, expected: number, text?: string) {
  status(answer, expected);
  if (text === undefined) return;
  const { error } = isObject(answer.json) ? answer.json : {};
  equal(`the error is exactly ${JSON.stringify(text)}`, error, text);
}

export function hasKeys(value: unknown, keys: string[]): boolean {
  return isObject(value) && isDeepStrictEqual(Object.keys(value).sort(), [...keys].sort());
}

/** Compares the named fields of an object, which may have others. */
export function fields(what: string, actual: unknown, expected: Record<string, unknown>): void {
  const found = isObject(actual) ? Object.entries(actual).filter(([key]) => Object.hasOwn(expected, key)) : [];
  equal(what, isObject(actual) ? Object.fromEntries(found) : actual, expected);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the body. Fails if it is not a JSON object. */
export function record(answer: Pick<Exchange, 'json'>): Record<string, unknown> {
  if (!isObject(answer.json)) throw new CheckFailed('the body is a JSON object', 'an object', answer.json);
  return answer.json;
}

/** Returns the body. Fails if it is not an array of JSON objects. */
export function list(answer: Pick<Exchange, 'json'>): Record<string, unknown>[] {
  const { json } = answer;
  if (!Array.isArray(json) || !json.every(isObject)) {
    throw new CheckFailed('the body is an array of objects', 'an array', json);
  }
  return json;
}

/** The values of one key of all objects in a list. */
export const pluck = <T, K extends keyof T>(list: readonly T[], key: K): T[K][] => list.map((one) => one[key]);
