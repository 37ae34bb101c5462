import type { OpenAPIBackend } from 'openapi-backend';
import { type FindOperation, operationFinder, operationsOf, readDocument } from '../../spec/document.ts';
import type { Service } from '../../spec/register.ts';
import { openDocument, strictDocument } from '../../spec/strict.ts';
import type { Exchange } from './exchange.ts';
import { CheckFailed } from './expect.ts';
import { schemaProblem } from './schema-problem.ts';

/**
 * Verifies every response of every check against the OpenAPI document. A response in the wrong form is a violation of
 * one part of the contract, which has a check of its own (`CheckOptions.verifies`). Other checks do not fail for it.
 */
export type ResponseContract = {
  /** The violations of a response. Throws `CheckFailed` for a status that the document does not have. */
  violationsOf: (exchange: Exchange) => Violation[];
};

/**
 * `json`, `content-length`, `error` and `body of OPERATION` are what the requirements say. `cors` is that no other site
 * may read a response. `headers` and `document` are boxgate's own: its headers, and its schemas in their strict form.
 */
export type ContractPart = 'json' | 'content-length' | 'error' | `body of ${string}` | 'cors' | 'headers' | 'document';

export type Violation = { part: ContractPart; failure: CheckFailed; exchange: Exchange };

/** The facts about an API that the OpenAPI document does not contain. */
export type ApiContract = {
  service: Service;
  /** The regular expression of a path parameter. */
  parameterForm: string;
  /** The content type of a response that is not JSON, otherwise `null`. */
  pageType: (exchange: Exchange) => string | null;
};

export async function compileContract(contract: ApiContract): Promise<ResponseContract> {
  const document = readDocument(contract.service);
  const [complete, required] = await Promise.all([
    compileDocument(strictDocument(document)),
    compileDocument(openDocument(document)),
  ]);
  const find = operationFinder(operationsOf(document), contract.parameterForm);
  return {
    violationsOf: (exchange) => {
      const found = find(exchange.method, exchange.path)?.operation ?? null;
      const isHead = exchange.method === 'HEAD';
      if (!isHead) verifyStatus(exchange, found);
      const page = contract.pageType(exchange);
      const failures: [ContractPart, CheckFailed | null][] = [
        ['json', contentFailure(exchange, page)],
        ['content-length', isHead || page !== null ? null : lengthFailure(exchange)],
        ['cors', corsFailure(exchange)],
        ['headers', plainHeaderFailure(exchange)],
      ];
      const isError = exchange.status >= 400;
      if (!isHead && isError) failures.push(['error', errorFailure(exchange)]);
      if (!isHead && found !== null) {
        const { operationId } = found;
        const failure = isError ? errorFailure(exchange) : bodyFailure(required, exchange, operationId);
        if (!isError) failures.push([`body of ${operationId}`, failure]);
        if (failure === null) failures.push(['document', bodyFailure(complete, exchange, operationId)]);
        failures.push(['headers', headerFailure(complete, exchange, operationId)]);
      }
      return failures.flatMap(([part, failure]) => (failure === null ? [] : [{ part, failure, exchange }]));
    },
  };
}

async function compileDocument(definition: object): Promise<OpenAPIBackend> {
  const [{ OpenAPIBackend: Backend }, { default: addFormats }] = await Promise.all([
    import('openapi-backend'),
    import('ajv-formats'),
  ]);
  const backend: OpenAPIBackend = new Backend({
    definition: definition as never,
    quick: true,
    strict: false,
    customizeAjv: (ajv) => (addFormats as unknown as typeof addFormats.default)(ajv),
  });
  await backend.init();
  return backend;
}

type Found = NonNullable<ReturnType<FindOperation>>['operation'];

function verifyStatus({ status }: Exchange, found: Found | null): void {
  if (found === null) {
    if (status < 400) throw new CheckFailed('a path outside the table is refused', '4xx', status);
    return;
  }
  const { operationId, responses } = found;
  if (!responses.has(String(status)))
    throw new CheckFailed(`the status is documented for ${operationId}`, [...responses.keys()].join(', '), status);
}

function contentFailure({ headers, method, json, text }: Exchange, page: string | null): CheckFailed | null {
  const type = headers['content-type'];
  const expected = page ?? 'application/json';
  if (type !== expected) return new CheckFailed('Content-Type', expected, type);
  if (method === 'HEAD' || page !== null || json !== undefined) return null;
  return new CheckFailed('the body is JSON', 'JSON', text.slice(0, 200));
}

function lengthFailure({ headers, body }: Exchange): CheckFailed | null {
  const actual = headers['content-length'];
  if (actual === String(body.length)) return null;
  return new CheckFailed('Content-Length is the number of bytes of the body', String(body.length), actual);
}

function errorFailure({ json, text }: Exchange): CheckFailed | null {
  const body = json as { error?: unknown } | null | undefined;
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  if (keys.length === 1 && typeof body?.error === 'string') return null;
  return new CheckFailed('an error is {"error": string}', { error: 'text' }, text.slice(0, 400));
}

function bodyFailure(backend: OpenAPIBackend, { json, status }: Exchange, operationId: string): CheckFailed | null {
  if (json === undefined) return null;
  const { errors } = backend.validateResponse(json, operationId, status);
  return errors ? schemaProblem(`the body fits ${operationId} ${status}`, json, errors) : null;
}

function headerFailure(backend: OpenAPIBackend, { headers, status }: Exchange, operationId: string) {
  const options = { statusCode: status, setMatchType: 'superset' as never };
  const { errors } = backend.validateResponseHeaders(headers, operationId, options);
  return errors ? schemaProblem(`the headers fit ${operationId} ${status}`, headers, errors) : null;
}

const plainHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function plainHeaderFailure({ headers }: Exchange): CheckFailed | null {
  for (const [name, value] of Object.entries(plainHeaders))
    if (headers[name] !== value) return new CheckFailed(`header ${name}`, value, headers[name]);
  return null;
}

function corsFailure({ headers }: Exchange): CheckFailed | null {
  const cors = headers['access-control-allow-origin'];
  return cors === undefined ? null : new CheckFailed('no CORS header', undefined, cors);
}

export const withoutQuery = (path: string) => path.split('?', 1)[0] ?? '';
