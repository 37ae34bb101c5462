import { type Json, operationsOf, readDocument } from '../../spec/document.ts';
import type { Service } from '../../spec/register.ts';
import type { Exchange } from '../kernel/exchange.ts';
import { CheckFailed, hasKeys, isObject } from '../kernel/expect.ts';

/** The examples of the OpenAPI document, for the checks that send its requests. */
export type Examples = {
  /** The first example of the operation's request. */
  request: (operationId: string) => Record<string, unknown>;
  /** The first example of the operation's result. */
  result: (operationId: string) => Json;
  /** Verifies that a response has the fields and types of one of the examples of the operation's result. */
  resembles: (operationId: string, answer: Pick<Exchange, 'json'>) => void;
};

export function examplesOf(service: Service): Examples {
  const byId = new Map(operationsOf(readDocument(service)).map(({ operationId, examples }) => [operationId, examples]));
  const of = (operationId: string, place: 'request' | 'success'): readonly Json[] => {
    const found = byId.get(operationId)?.[place] ?? [];
    if (found.length === 0) throw new Error(`${operationId}: no example of its ${place}`);
    return found;
  };
  return {
    request: (operationId) => of(operationId, 'request')[0] as Record<string, unknown>,
    result: (operationId) => of(operationId, 'success')[0] as Json,
    resembles: (operationId, { json }) => {
      const examples = of(operationId, 'success');
      if (examples.some((example) => hasForm(example, json))) return;
      throw new CheckFailed(`the result of ${operationId} has the form of an example`, examples, json);
    },
  };
}

/** Whether a value has the fields and types of the example. Each element of an array has to resemble one of its elements. */
function hasForm(example: unknown, actual: unknown): boolean {
  if (Array.isArray(example)) {
    return Array.isArray(actual) && actual.every((one) => example.some((element) => hasForm(element, one)));
  }
  if (!isObject(example)) return typeof example === typeof actual && (example === null) === (actual === null);
  if (!isObject(actual)) return false;
  return (
    hasKeys(actual, Object.keys(example)) && Object.keys(example).every((key) => hasForm(example[key], actual[key]))
  );
}
