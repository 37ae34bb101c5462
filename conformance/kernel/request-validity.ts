import { operationFinder, operationsOf, readDocument } from '../../spec/document.ts';
import type { ApiContract } from './contract.ts';
import { type Exchange, parseJson } from './exchange.ts';
import { schemaProblem } from './schema-problem.ts';

/** Says why the document does not allow a request that was carried out. `null` if it does. */
export type RequestProblem = (exchange: Exchange) => string | null;

/**
 * A check that sends an invalid request and is satisfied with its success prescribes a leniency that no requirement asks
 * for. Only the profile of boxgate looks for such checks, so that no other implementation is judged by it.
 */
export async function compileRequestProblem(contract: ApiContract): Promise<RequestProblem> {
  const { Ajv } = await import('ajv');
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const operations = operationsOf(readDocument(contract.service));
  const find = operationFinder(operations, contract.parameterForm);
  const validators = new Map(
    operations.flatMap(({ operationId, bodySchema }) =>
      bodySchema === null ? [] : [[operationId, ajv.compile(bodySchema)] as const],
    ),
  );
  return ({ method, path, requestBody, status }) => {
    const operationId = find(method, path)?.operation.operationId ?? '';
    const validate = validators.get(operationId);
    if (validate === undefined || status >= 300) return null;
    const body = parseJson(requestBody.toString('utf8'));
    if (validate(body)) return null;
    const { message } = schemaProblem(`the request fits ${operationId}`, body, validate.errors ?? []);
    return `the check is satisfied although it sends an invalid request: ${message}`;
  };
}
