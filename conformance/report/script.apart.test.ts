import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type OutgoingRequest, sendRequest } from '../kernel/exchange.ts';
import type { Journal } from '../kernel/journal.ts';
import { sendBytes } from '../kernel/raw-exchange.ts';
import { scriptOf } from './script.ts';

/** A server that issues a new token at every registration, and records the requests. */
const heard: { line: string; type: string | undefined; authorization: string | undefined; body: string }[] = [];
let tokens = 0;
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  heard.push(heardOf(request, Buffer.concat(chunks)));
  tokens += 1;
  const body = JSON.stringify({ box: { box_token: `issued-token-${tokens}` }, name: 'a "quoted" name' });
  response.writeHead(200, { 'Content-Length': Buffer.byteLength(body) }).end(body);
});

const heardOf = ({ method, url, headers }: IncomingMessage, body: Buffer) => ({
  line: `${method} ${url}`,
  type: headers['content-type'],
  authorization: headers.authorization,
  body: body.toString('hex'),
});

let port = 0;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
after(() => server.close());

const entryOf = async (request: OutgoingRequest): Promise<Journal[number]> => ({
  by: 'request',
  request,
  response: await sendRequest(port, request),
});

/** Runs a script and returns the requests that the server received. */
async function run(script: string, variables: Record<string, string> = {}) {
  const from = heard.length;
  const env = { PATH: process.env.PATH ?? '', PORT: String(port), ...variables };
  const child = spawn('bash', ['-euo', 'pipefail'], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(script);
  const [status] = await once(child, 'close');
  assert.deepEqual([status, stderr], [0, ''], script);
  return heard.slice(from);
}

const post = (body: unknown, headers = {}): OutgoingRequest => ({ method: 'POST', path: '/api/x', body, headers });

test('sends the same bytes again, whatever they are', async () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
  const texts = fc.string({
    unit: fc.constantFrom("'", '"', '\\', '%s', '$x', '`', '\n', 'é', '🗻', '-', '0', ' ', '!'),
  });
  const bodies = fc.sample(fc.oneof(bytes, texts), { seed: 7, numRuns: 24 });
  const asked = [...bodies, '', '-n', Buffer.from([0, 255, 10]), undefined, { name: "it's 100 %" }].map((body) =>
    post(body),
  );
  const from = heard.length;
  const journal: Journal = [];
  for (const one of asked) journal.push(await entryOf(one));
  const first = heard.slice(from);
  assert.deepEqual(await run(scriptOf(journal, [])), first);
});

test('sends methods, paths and headers as they were', async () => {
  const paths = ['/api/apps?x=1&y=2', '/api/../apps/./..', '/api//apps/%2e%2e/settings', '/a[1-3]{b,c}', "/it's/$HOME"];
  const asked: OutgoingRequest[] = [
    ...paths.map((path) => ({ method: 'GET', path })),
    { method: 'DELETE', path: '/v1/routes/x', headers: { Authorization: 'Bearer "$a`b' } },
    { method: 'POST', path: '/x', body: '{}', headers: { 'Content-Type': 'text/plain' } },
  ];
  const from = heard.length;
  const journal: Journal = [];
  for (const one of asked) journal.push(await entryOf(one));
  const first = heard.slice(from);
  assert.deepEqual(await run(scriptOf(journal, [])), first);
});

test('reads issued ids and tokens from the new response', async () => {
  const registered = await entryOf(post({ registration_token: 'the-secret-of-all', box_name: 'weir' }));
  const old = registered.by === 'request' ? (registered.response?.json as { box: { box_token: string } }) : null;
  const token = old?.box.box_token ?? '';
  const journal = [
    registered,
    await entryOf({ method: 'GET', path: `/v1/${token}/x`, headers: { Authorization: `Bearer ${token}` } }),
  ];
  const script = scriptOf(journal, ['the-secret-of-all', token]);
  for (const secret of ['the-secret-of-all', token]) assert.ok(!script.includes(secret), script);
  const [first, second] = await run(script, { REGISTRATION_TOKEN: 'another-secret' });
  assert.equal(
    Buffer.from(first?.body ?? '', 'hex').toString(),
    '{"registration_token":"another-secret","box_name":"weir"}',
  );
  const issued = `issued-token-${tokens - 1}`;
  assert.deepEqual([second?.line, second?.authorization], [`GET /v1/${issued}/x`, `Bearer ${issued}`]);
});

test('sends raw bytes in the same parts', async () => {
  const parts = [
    'POST /raw HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\n\r\n{"',
    20,
    '%\\',
  ];
  const from = heard.length;
  const exchange = await sendBytes(port, { parts });
  const first = heard.slice(from);
  assert.equal(first.length, 1);
  assert.deepEqual(await run(scriptOf([{ by: 'bytes', request: { parts }, exchange }], [])), first);
});

test('repeats manual steps', async () => {
  const files = { '$BUNDLED_APPS/pearl/i.svg': "<svg 'x' 100%>\n" };
  const commands = ['grep -q 100% "$BUNDLED_APPS/pearl/i.svg"', 'rm -r "$BUNDLED_APPS"'];
  const script = scriptOf([{ by: 'hand', description: 'an icon of\nmine', files, commands }], []);
  assert.match(script, /^# an icon of mine$/m);
  await run(script, { BUNDLED_APPS: `/tmp/boxgate-script-test-${process.pid}` });
});

test('is empty if nothing was sent', () => {
  assert.equal(scriptOf([], []), '');
});
