import { createServer } from 'node:http';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { readDocument } from '../../spec/document.ts';

/**
 * A server that knows only the OpenAPI document of `box` or `gateway` (its argument). Every operation succeeds with a
 * body that fits the schema, an unknown path gets 404, a missing token 401. It shows which defects a check of schemas
 * alone would miss.
 */
const api = process.argv[2] ?? '';
const definition = readDocument(api === 'box' ? 'box' : 'gateway');
const backend = new OpenAPIBackend({ definition: definition as unknown as Document, quick: true, strict: false });
await backend.init();

const server = createServer((request, response) => {
  const { method = '', url = '', headers } = request;
  const operation = backend.router.matchOperation({ method, path: url, headers: {} });
  const asksForToken = (operation?.security?.length ?? 0) > 0;
  const isMissing = asksForToken && !headers.authorization?.startsWith('Bearer ');
  const answer =
    operation === undefined
      ? { status: 404, mock: { error: 'not found' } }
      : isMissing
        ? { status: 401, mock: { error: 'missing bearer token' } }
        : backend.mockResponseForOperation(operation.operationId ?? '');
  const isPage = ['/', '/apps', '/apps/'].includes(url);
  const body = isPage ? '<!doctype html><title>Apps</title>' : JSON.stringify(answer.mock);
  response.writeHead(answer.status, {
    'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Server: 'boxgate/1.2.3',
  });
  request.resume();
  response.end(body);
});

const port = process.env[api === 'box' ? 'BOX_PORT' : 'GATEWAY_PORT'];
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
