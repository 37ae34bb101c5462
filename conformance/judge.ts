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

type Json = Record<string, unknown>;

const document = join(import.meta.dirname, '..', 'spec', 'box.openapi.yaml');

export async function makeJudge(profile: boolean): Promise<Judge> {
  const [{ OpenAPIBackend: Backend }, { parse }, { default: addFormats }] = await Promise.all([
    import('openapi-backend'),
    import('yaml'),
    import('ajv-formats'),
  ]);
  const definition = parse(readFileSync(document, 'utf8'), { maxAliasCount: -1 });
  if (!profile) relax(definition);
  const backend: OpenAPIBackend = new Backend({
    definition,
    quick: true,
    strict: false,
    customizeAjv: (ajv) => (addFormats as unknown as typeof addFormats.default)(ajv),
  });
  await backend.init();
  return { examine: (answer) => examine(answer, backend, profile) };
}

function examine(answer: Exchange, backend: OpenAPIBackend, profile: boolean) {
  examineFraming(answer, profile);
  if (answer.method === 'HEAD') return;
  const operationId = operationOf(answer.method, answer.path);
  const operation = operationId === null ? undefined : backend.router.getOperation(operationId);
  if (operation === undefined) {
    if (answer.status < 400)
      throw new CheckFailed('a path outside the table is refused', '4xx', answer.status);
    examineError(answer);
    return;
  }
  const documented = operation.responses?.[String(answer.status)];
  if (documented === undefined) {
    const known = Object.keys(operation.responses ?? {}).join(', ');
    throw new CheckFailed(`the status is documented for ${operationId}`, known, answer.status);
  }
  if (answer.status >= 400) examineError(answer);
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

function examineFraming(answer: Exchange, profile: boolean) {
  const type = answer.headers['content-type'];
  const isPage = answer.status < 400 && ['/', '/apps', '/apps/'].includes(withoutQuery(answer.path));
  const expected = isPage ? 'text/html; charset=utf-8' : 'application/json';
  if (type !== expected)
    throw new CheckFailed('Content-Type (box/endpoints/3, box/endpoints/5)', expected, type);
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
  if (isPage) return;
  if (answer.headers['content-length'] !== String(answer.body.length)) {
    const actual = answer.headers['content-length'];
    throw new CheckFailed(
      'Content-Length is the bytes (box/endpoints/4)',
      String(answer.body.length),
      actual,
    );
  }
  if (answer.json === undefined) throw new CheckFailed('the body is JSON', 'JSON', answer.text.slice(0, 200));
}

function examineError(answer: Exchange) {
  const body = answer.json as { error?: unknown } | null | undefined;
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  if (keys.length !== 1 || typeof body?.error !== 'string') {
    throw new CheckFailed(
      'an error is {"error": string} (box/errors/1)',
      { error: 'text' },
      answer.text.slice(0, 400),
    );
  }
}

const withoutQuery = (path: string) => path.split('?', 1)[0] ?? '';

/** The operation that the table has for this method and path, by its own rules of matching. */
function operationOf(method: string, target: string): string | null {
  const path = withoutQuery(target);
  const fixed = table[method]?.[path];
  for (const [suffix, operationId] of Object.entries(named[method] ?? {})) {
    const isLong = path.length >= '/api/apps/'.length + suffix.length;
    if (isLong && path.startsWith('/api/apps/') && path.endsWith(suffix)) return operationId;
  }
  return fixed ?? null;
}

const table: Record<string, Record<string, string>> = {
  GET: {
    '/': 'showPage',
    '/apps': 'showAppsPage',
    '/apps/': 'showAppsFolderPage',
    '/api/apps': 'listApps',
    '/api/bundled': 'listBundledApps',
    '/api/self/update/status': 'getSelfUpdateStatus',
  },
  POST: {
    '/api/self/update/check': 'checkSelfUpdate',
    '/api/self/update/apply': 'applySelfUpdate',
    '/api/apps/install': 'installApp',
    '/api/apps/remove': 'removeApp',
  },
};

const named: Record<string, Record<string, string>> = {
  GET: { '/settings': 'getAppSettings' },
  POST: { '/settings': 'updateAppSettings', '/update': 'updateApp' },
};

/** Takes out of the document what the requirements leave open: headers, action kinds, ports, state fields. */
function relax(definition: { paths: Json; components: { schemas: Record<string, Json>; responses: Json } }) {
  const { schemas } = definition.components;
  schemas.Port = {};
  schemas.SelfUpdateState = {
    type: 'object',
    additionalProperties: true,
    properties: { stage: { type: 'string' }, reason: { type: 'string' } },
  };
  const action = schemas.Action?.properties as Record<string, Json> | undefined;
  if (action?.kind !== undefined) delete action.kind.enum;
}
