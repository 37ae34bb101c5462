import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIBackend } from 'openapi-backend';
import type { Exchange } from './exchange.ts';
import { CheckFailed } from './expect.ts';

/**
 * Every answer of every check is held against the OpenAPI document: a documented status, the body's schema,
 * the content type, and a `Content-Length` that is the number of bytes. Under the profile the document counts
 * whole; without it, what the requirements leave open is taken out of it first.
 */
export type Judge = { examine: (answer: Exchange) => void };

/** What the judge has to know of an API beside its OpenAPI document. */
export type Contract = {
  /** The document's name in `spec/`. */
  document: string;
  /** The operation that the table has for this method and path, by the API's own rules of matching. */
  operationOf: (method: string, target: string) => string | null;
  /** The type of an answer that is no JSON, or null. */
  pageType: (answer: Exchange) => string | null;
  /** The rules that hold for every answer. */
  rules: { contentType: string; contentLength: string; error: string };
  /** Takes out of the document what the requirements leave open. */
  relax: (definition: Definition) => void;
};

export type Json = Record<string, unknown>;
export type Definition = { paths: Json; components: { schemas: Record<string, Json>; responses: Json } };

/** The OpenAPI document, whole. */
export async function readDocument({ document }: Pick<Contract, 'document'>): Promise<Definition> {
  const { parse } = await import('yaml');
  const path = join(import.meta.dirname, '..', '..', 'spec', document);
  return parse(readFileSync(path, 'utf8'), { maxAliasCount: -1 });
}

export async function makeJudge(contract: Contract, profile: boolean): Promise<Judge> {
  const [{ OpenAPIBackend: Backend }, { default: addFormats }, definition] = await Promise.all([
    import('openapi-backend'),
    import('ajv-formats'),
    readDocument(contract),
  ]);
  if (!profile) contract.relax(definition);
  const backend: OpenAPIBackend = new Backend({
    definition: definition as never,
    quick: true,
    strict: false,
    customizeAjv: (ajv) => (addFormats as unknown as typeof addFormats.default)(ajv),
  });
  await backend.init();
  return { examine: (answer) => examine(answer, contract, backend, profile) };
}

function examine(answer: Exchange, contract: Contract, backend: OpenAPIBackend, profile: boolean) {
  examineFraming(answer, contract, profile);
  if (answer.method === 'HEAD') return;
  const operationId = contract.operationOf(answer.method, answer.path);
  const operation = operationId === null ? undefined : backend.router.getOperation(operationId);
  if (operation === undefined) {
    if (answer.status < 400)
      throw new CheckFailed('a path outside the table is refused', '4xx', answer.status);
    examineError(answer, contract);
    return;
  }
  const documented = operation.responses?.[String(answer.status)];
  if (documented === undefined) {
    const known = Object.keys(operation.responses ?? {}).join(', ');
    throw new CheckFailed(`the status is documented for ${operationId}`, known, answer.status);
  }
  if (answer.status >= 400) examineError(answer, contract);
  if (answer.json === undefined) return;
  const verdict = backend.validateResponse(answer.json, operation, answer.status);
  if (verdict.errors)
    throw new CheckFailed(`the body fits ${operationId} ${answer.status}`, 'its schema', verdict.errors);
  if (!profile) return;
  const headers = backend.validateResponseHeaders(answer.headers, operation, {
    statusCode: answer.status,
    setMatchType: 'superset' as never,
  });
  if (headers.errors)
    throw new CheckFailed(`the headers fit ${operationId} ${answer.status}`, 'its headers', headers.errors);
}

function examineFraming(answer: Exchange, { pageType, rules }: Contract, profile: boolean) {
  const type = answer.headers['content-type'];
  const page = pageType(answer);
  const expected = page ?? 'application/json';
  if (type !== expected) throw new CheckFailed(`Content-Type (${rules.contentType})`, expected, type);
  if (profile) {
    const plain = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    for (const [name, value] of Object.entries(plain)) {
      if (answer.headers[name] !== value)
        throw new CheckFailed(`header ${name}`, value, answer.headers[name]);
    }
    if (answer.headers['access-control-allow-origin'] !== undefined) {
      throw new CheckFailed('no CORS header', undefined, answer.headers['access-control-allow-origin']);
    }
  }
  if (answer.method === 'HEAD') {
    if (answer.body.length > 0) throw new CheckFailed('HEAD has no body', 0, answer.body.length);
    return;
  }
  if (page !== null) return;
  if (answer.headers['content-length'] !== String(answer.body.length)) {
    const actual = answer.headers['content-length'];
    throw new CheckFailed(
      `Content-Length is the bytes (${rules.contentLength})`,
      String(answer.body.length),
      actual,
    );
  }
  if (answer.json === undefined) throw new CheckFailed('the body is JSON', 'JSON', answer.text.slice(0, 200));
}

function examineError(answer: Exchange, { rules }: Contract) {
  const body = answer.json as { error?: unknown } | null | undefined;
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  if (keys.length !== 1 || typeof body?.error !== 'string') {
    throw new CheckFailed(
      `an error is {"error": string} (${rules.error})`,
      { error: 'text' },
      answer.text.slice(0, 400),
    );
  }
}

export const withoutQuery = (path: string) => path.split('?', 1)[0] ?? '';
