import type { OpenAPIBackend } from 'openapi-backend';
import { type FindOperation, operationFinder, operationsOf, readDocument } from '../../spec/document.ts';
import type { Service } from '../../spec/register.ts';
import type { Exchange } from './exchange.ts';
import { CheckFailed } from './expect.ts';

/**
 * Verifies every response of every check against the OpenAPI document: status, body schema, content type and
 * `Content-Length`. Without the profile, `ApiContract.relax` first removes everything that the requirements leave open.
 * Throws `CheckFailed`.
 */
export type ResponseContract = { verify: (exchange: Exchange) => void };

/** The facts about an API that the OpenAPI document does not contain. */
export type ApiContract = {
  service: Service;
  /** The regular expression of a path parameter. */
  parameterForm: string;
  /** The content type of a response that is not JSON, otherwise `null`. */
  pageType: (exchange: Exchange) => string | null;
  /** Rules that apply to every response, for messages. */
  rules: { contentType: string; contentLength: string; error: string };
  /** Removes from the document everything that the requirements leave open. */
  relax: (definition: Definition) => void;
};

export type Json = Record<string, unknown>;
export type Definition = { components: { schemas: Record<string, Json> } };

export async function compileContract(contract: ApiContract, profile: boolean): Promise<ResponseContract> {
  const [{ OpenAPIBackend: Backend }, { default: addFormats }] = await Promise.all([
    import('openapi-backend'),
    import('ajv-formats'),
  ]);
  const document = readDocument(contract.service);
  if (!profile) contract.relax(document as unknown as Definition);
  const backend: OpenAPIBackend = new Backend({
    definition: document as never,
    quick: true,
    strict: false,
    customizeAjv: (ajv) => (addFormats as unknown as typeof addFormats.default)(ajv),
  });
  await backend.init();
  const find = operationFinder(operationsOf(document), contract.parameterForm);
  return { verify: (exchange) => verify(exchange, contract, find, backend, profile) };
}

function verify(
  exchange: Exchange,
  contract: ApiContract,
  find: FindOperation,
  backend: OpenAPIBackend,
  profile: boolean,
) {
  verifyFraming(exchange, contract, profile);
  if (exchange.method === 'HEAD') return;
  const found = find(exchange.method, exchange.path);
  if (found === null) {
    if (exchange.status < 400) throw new CheckFailed('a path outside the table is refused', '4xx', exchange.status);
    verifyError(exchange, contract);
    return;
  }
  const { operationId, responses } = found.operation;
  if (!responses.has(String(exchange.status))) {
    const known = [...responses.keys()].join(', ');
    throw new CheckFailed(`the status is documented for ${operationId}`, known, exchange.status);
  }
  if (exchange.status >= 400) verifyError(exchange, contract);
  if (exchange.json === undefined) return;
  const verdict = backend.validateResponse(exchange.json, operationId, exchange.status);
  if (verdict.errors)
    throw new CheckFailed(`the body fits ${operationId} ${exchange.status}`, 'its schema', verdict.errors);
  if (!profile) return;
  const headers = backend.validateResponseHeaders(exchange.headers, operationId, {
    statusCode: exchange.status,
    setMatchType: 'superset' as never,
  });
  if (headers.errors)
    throw new CheckFailed(`the headers fit ${operationId} ${exchange.status}`, 'its headers', headers.errors);
}

function verifyFraming(exchange: Exchange, { pageType, rules }: ApiContract, profile: boolean) {
  const type = exchange.headers['content-type'];
  const page = pageType(exchange);
  const expected = page ?? 'application/json';
  if (type !== expected) throw new CheckFailed(`Content-Type (${rules.contentType})`, expected, type);
  if (profile) {
    const plain = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    for (const [name, value] of Object.entries(plain)) {
      if (exchange.headers[name] !== value) throw new CheckFailed(`header ${name}`, value, exchange.headers[name]);
    }
    if (exchange.headers['access-control-allow-origin'] !== undefined) {
      throw new CheckFailed('no CORS header', undefined, exchange.headers['access-control-allow-origin']);
    }
  }
  if (exchange.method === 'HEAD') {
    if (exchange.body.length > 0) throw new CheckFailed('HEAD has no body', 0, exchange.body.length);
    return;
  }
  if (page !== null) return;
  if (exchange.headers['content-length'] !== String(exchange.body.length)) {
    const actual = exchange.headers['content-length'];
    throw new CheckFailed(`Content-Length is the bytes (${rules.contentLength})`, String(exchange.body.length), actual);
  }
  if (exchange.json === undefined) throw new CheckFailed('the body is JSON', 'JSON', exchange.text.slice(0, 200));
}

function verifyError(exchange: Exchange, { rules }: ApiContract) {
  const body = exchange.json as { error?: unknown } | null | undefined;
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  if (keys.length !== 1 || typeof body?.error !== 'string') {
    throw new CheckFailed(
      `an error is {"error": string} (${rules.error})`,
      { error: 'text' },
      exchange.text.slice(0, 400),
    );
  }
}

export const withoutQuery = (path: string) => path.split('?', 1)[0] ?? '';
