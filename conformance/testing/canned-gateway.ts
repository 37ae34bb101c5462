import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { OpenAPIBackend } from 'openapi-backend';
import { parse } from 'yaml';

/**
 * A gateway that knows its OpenAPI document and nothing else: every operation is answered with a success that fits the
 * schema, an unknown path with 404, a missing token with 401. It stands for what a check of schemas alone lets through.
 */
const text = readFileSync(join(import.meta.dirname, '..', '..', 'spec', 'gateway.openapi.yaml'), 'utf8');
const definition = parse(text, { maxAliasCount: -1 });
const backend = new OpenAPIBackend({ definition, quick: true, strict: false });
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
  const body = JSON.stringify(answer.mock);
  response.writeHead(answer.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Server: 'boxgate/1.2.3',
  });
  request.resume();
  response.end(body);
});

server.listen(Number(process.env.GATEWAY_PORT), '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${process.env.GATEWAY_PORT}\n`);
});
process.on('SIGTERM', () => process.exit(0));
