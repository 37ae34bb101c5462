import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { isJsonObject, parseJsonBody } from './body.ts';
import type { Service } from './exchange.ts';
import { type Listening, type ListenOptions, listen } from './listen.ts';
import { makeMatcher } from './match.ts';
import { type RawClient, rawClient } from './raw-client.ts';

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const match = makeMatcher([
  { operationId: 'show', method: 'GET', path: '/thing' },
  { operationId: 'page', method: 'GET', path: '/' },
  { operationId: 'echo', method: 'POST', path: '/echo' },
  { operationId: 'wait', method: 'POST', path: '/wait' },
  { operationId: 'fail', method: 'POST', path: '/fail' },
]);

type Log = string[];

/** A service with one of everything. `log` gets a line for each step that it is asked for. */
function makeService(log: Log = [], gate: Promise<void> = Promise.resolve()): Service {
  const reply = (status: number, error: string) => ({ status, body: { error } });
  return {
    server: 'test/1',
    maxBodyBytes: 1000,
    admit({ headers }) {
      log.push('admit');
      if (headers['x-bad']) throw new Refused(403, 'not you');
    },
    readBody(head, bytes) {
      log.push(`body ${bytes.length}`);
      if (head.method !== 'POST' || bytes.length === 0) return {};
      const value = parseJsonBody(bytes);
      if (!isJsonObject(value)) throw new Refused(400, 'no object');
      return value;
    },
    match({ method, path }) {
      log.push(`match ${path}`);
      return match(method, path);
    },
    refuseUnknown() {
      throw new Refused(404, 'not found');
    },
    async handle({ operationId }, body) {
      log.push(`handle ${operationId}`);
      if (operationId === 'wait') await gate;
      if (operationId === 'fail') throw new Error('the secret cause');
      if (operationId === 'page') return { status: 200, type: 'text/html; charset=utf-8', body: '<p>ü</p>' };
      log.push('done');
      return { status: 200, body: operationId === 'echo' ? body : { thing: 'ü' } };
    },
    refusalReply: (error) => (error instanceof Refused ? reply(error.status, error.message) : null),
    malformed: (reason) => reply(400, `malformed: ${reason}`),
    unknownMethod: () => reply(405, 'method not allowed'),
    bodyTooLarge: () => reply(413, 'too large'),
    internalError: (id) => reply(500, `internal error (${id})`),
  };
}

const open: Listening[] = [];
after(async () => {
  for (const listening of open) await listening.close();
});

async function start(service: Service = makeService(), options: Partial<ListenOptions> = {}) {
  const listening = await listen({ host: '127.0.0.1', port: 0, service, ...options });
  open.push(listening);
  return listening;
}

async function clientOf(service?: Service, options?: Partial<ListenOptions>): Promise<RawClient> {
  return rawClient((await start(service, options)).port);
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (path: string, body: string, headers = `Content-Length: ${Buffer.byteLength(body)}\r\n`) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;

test('answers with exactly the headers of the contract', async () => {
  const client = await clientOf();
  client.send(get('/thing'));
  const { status, headers, body } = await client.answer();
  assert.equal(status, 200);
  assert.equal(body, '{"thing":"ü"}');
  assert.equal(headers.get('content-type'), 'application/json');
  assert.equal(headers.get('content-length'), '14');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('server'), 'test/1');
  assert.equal(
    [...headers.keys()].some((name) => name.startsWith('access-control')),
    false,
  );
});

test('answers a page with its own type', async () => {
  const client = await clientOf();
  client.send(get('/'));
  const { headers, body } = await client.answer();
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(headers.get('content-length'), '9');
  assert.equal(body, '<p>ü</p>');
});

test('answers HEAD as GET without the body', async () => {
  const client = await clientOf();
  client.send('HEAD /thing HTTP/1.1\r\nHost: x\r\n\r\n');
  const { status, headers } = await client.answer({ head: true });
  assert.equal(status, 200);
  assert.equal(headers.get('content-length'), '14');
  client.send(get('/thing'));
  assert.equal((await client.answer()).status, 200);
});

test('matches the path byte for byte, without its query', async () => {
  const client = await clientOf();
  const rows: [string, number][] = [
    ['/thing', 200],
    ['/thing?x=1', 200],
    ['/thing?', 200],
    ['/thing?/../echo', 200],
    ['/thing/', 404],
    ['//thing', 404],
    ['/Thing', 404],
    ['/%74hing', 404],
    ['/x/../thing', 404],
    ['http://x/thing', 200],
    ['http://x', 200],
    ['http://x/nothing', 404],
  ];
  for (const [path, status] of rows) {
    client.send(get(path));
    assert.equal((await client.answer()).status, status, path);
  }
});

test('goes through the steps in their order and stops at the first that refuses', async () => {
  const log: Log = [];
  const client = await clientOf(makeService(log));
  const stepsOf = async (request: string) => {
    log.length = 0;
    client.send(request);
    const { status } = await client.answer();
    return `${status}: ${log.join(', ')}`;
  };
  assert.equal(await stepsOf(post('/echo', '{}')), '200: admit, body 2, match /echo, handle echo, done');
  assert.equal(await stepsOf(post('/echo', 'x', 'X-Bad: 1\r\nContent-Length: 1\r\n')), '403: admit');
  assert.equal(await stepsOf(post('/nothing', '[]')), '400: admit, body 2');
  assert.equal(await stepsOf(post('/nothing', '{}')), '404: admit, body 2, match /nothing');
});

test('reads a body in chunks, split anywhere, and one that waits for a go-ahead', async () => {
  const client = await clientOf();
  client.send(
    post('/echo', '5\r\n{"a":\r\n3;x=y\r\n12}\r\n0\r\nTrailer: x\r\n\r\n', 'Transfer-Encoding: chunked\r\n'),
  );
  assert.equal((await client.answer()).body, '{"a":12}');
  for (const byte of Buffer.from(post('/echo', '{"b":"ü"}'))) {
    client.send(Buffer.of(byte));
    await new Promise(setImmediate);
  }
  assert.equal((await client.answer()).body, '{"b":"ü"}');
  client.send('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\nExpect: 100-continue\r\n\r\n');
  assert.equal((await client.answer()).status, 100);
  client.send('{"c":1}');
  assert.equal((await client.answer()).body, '{"c":1}');
  client.send('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: something\r\n\r\n{}');
  assert.equal((await client.answer()).status, 200);
});

test('refuses before the go-ahead what it would refuse after it', async () => {
  const client = await clientOf();
  client.send(
    'POST /echo HTTP/1.1\r\nHost: x\r\nX-Bad: 1\r\nContent-Length: 7\r\nExpect: 100-continue\r\n\r\n',
  );
  assert.equal((await client.answer()).status, 403);
});

test('answers pipelined requests in their order', async () => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const client = await clientOf(makeService([], gate));
  client.send(post('/wait', '') + get('/nothing') + post('/echo', '{"n":3}'));
  release();
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).status, 404);
  assert.equal((await client.answer()).body, '{"n":3}');
});

test('answers a client that closed its own half', async () => {
  const client = await rawClient((await start()).port, true);
  client.socket.end(post('/echo', '{"a":1}'));
  assert.equal((await client.answer()).body, '{"a":1}');
  await client.closed();
});

test('413 and the connection closes, whatever was sent: by length, by counting, to a GET, on any path', async () => {
  const { port } = await start();
  const large = 'x'.repeat(1001);
  const requests = [
    post('/echo', large),
    post('/echo', '', 'Content-Length: 5000000000\r\n'),
    post('/nothing', large),
    post('/echo', `3e9\r\n${large}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked\r\n'),
    get('/thing', 'Content-Length: 1001\r\n') + large,
    get('/thing', 'Content-Length: 1001\r\nExpect: 100-continue\r\n'),
    `PUT /thing HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n${large}`,
  ];
  for (const request of requests) {
    const client = await rawClient(port);
    client.send(request);
    const { status, headers, body } = await client.answer();
    assert.equal(status, 413, request.slice(0, 100));
    assert.equal(headers.get('connection'), 'close');
    assert.equal(body, '{"error":"too large"}');
    assert.equal(await client.closed(), '');
  }
});

test('reads a body of just the limit', async () => {
  const client = await clientOf();
  const body = `{"a":"${'x'.repeat(992)}"}`;
  assert.equal(body.length, 1000);
  client.send(post('/echo', body));
  assert.equal((await client.answer()).body, body);
});

test('a client that sends far too much still reads its 413', async () => {
  const client = await clientOf();
  client.send(post('/echo', '', 'Transfer-Encoding: chunked\r\n'));
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  for (let i = 0; i < 100; i++) client.send(chunk);
  assert.equal((await client.answer()).status, 413);
});

test('what is no HTTP gets 400 with an error body, and the connection closes', async () => {
  const { port } = await start();
  const requests = [
    'nonsense\r\n\r\n',
    'GET\r\n\r\n',
    'GET /thing HTTP/1.1\r\nno colon here\r\n\r\n',
    'GET /thing HTTP/9.9\r\nHost: x\r\n\r\n',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    'POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    `GET /thing HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    '\0\x01\x02\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc',
  ];
  for (const request of requests) {
    const client = await rawClient(port);
    client.send(Buffer.from(request, 'latin1'));
    const { status, headers, body } = await client.answer();
    assert.equal(status, 400, JSON.stringify(request.slice(0, 80)));
    assert.equal(headers.get('content-type'), 'application/json');
    assert.match(JSON.parse(body).error, /^malformed: ./);
    await client.closed();
  }
});

test('a request without a host is malformed HTTP/1.1 and fine HTTP/1.0', async () => {
  const { port } = await start();
  const old = await rawClient(port);
  old.send('GET /thing HTTP/1.0\r\n\r\n');
  assert.equal((await old.answer()).status, 200);
  const client = await rawClient(port);
  client.send('GET /thing HTTP/1.1\r\n\r\n');
  assert.equal((await client.answer()).body, '{"error":"malformed: no Host header"}');
});

test('an answer under way is sent before a connection is closed for what came after it', async () => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const client = await clientOf(makeService([], gate));
  client.send(`${post('/wait', '')}nonsense\r\n\r\n`);
  release();
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).status, 400);
  await client.closed();
});

test('a method that nobody knows, and CONNECT, are 405', async () => {
  const { port } = await start();
  for (const line of ['BREW /thing HTTP/1.1', 'CONNECT x:80 HTTP/1.1']) {
    const client = await rawClient(port);
    client.send(`${line}\r\nHost: x\r\n\r\n`);
    assert.equal((await client.answer()).status, 405, line);
    await client.closed();
  }
});

test('an upgrade that nobody offers is ignored', async () => {
  const client = await clientOf();
  client.send(get('/thing', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'));
  assert.equal((await client.answer()).status, 200);
});

/** choice/box/15 */
test('cuts off a client that is silent, or slow with its headers or its body', async () => {
  const { port } = await start(makeService(), { headersTimeoutMs: 200, requestTimeoutMs: 400 });
  for (const beginning of ['', 'GET /thing HT', post('/echo', '{', 'Content-Length: 10\r\n')]) {
    const client = await rawClient(port);
    if (beginning !== '') client.send(beginning);
    await client.closed();
  }
});

test('carries an operation out to its end when its client goes away', async () => {
  const log: Log = [];
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const listening = await listen({ host: '127.0.0.1', port: 0, service: makeService(log, gate) });
  const client = await rawClient(listening.port);
  client.send(post('/wait', ''));
  while (!log.includes('handle wait')) await new Promise(setImmediate);
  client.socket.resetAndDestroy();
  const closed = listening.close();
  release();
  await closed;
  assert.equal(log.at(-1), 'done');
});

/** What a stop says on standard error while one operation is under way that ends at `release`. */
async function stopSaying(
  options: Partial<ListenOptions>,
  release: (end: () => void) => void,
): Promise<string> {
  const log: Log = [];
  const { promise: gate, resolve: end } = Promise.withResolvers<void>();
  const listening = await listen({ host: '127.0.0.1', port: 0, service: makeService(log, gate), ...options });
  const client = await rawClient(listening.port);
  client.send(post('/wait', ''));
  while (!log.includes('handle wait')) await new Promise(setImmediate);
  const write = process.stderr.write;
  let said = '';
  process.stderr.write = ((text: string) => {
    said += text;
    return true;
  }) as typeof write;
  const closed = listening.close();
  release(end);
  await closed.finally(() => {
    process.stderr.write = write;
  });
  await client.closed();
  return said;
}

test('choice/box/130: a stop waits up to 80 s for what is in flight and says so', async () => {
  const said = await stopSaying({}, (end) => end());
  assert.equal(said, 'stopping: waiting up to 80 s for 1 request(s) in flight\n');
});

test('choice/box/130: a stop gives up on what does not end, and says so', async () => {
  const said = await stopSaying({ drainMs: 50 }, () => {});
  assert.equal(
    said,
    'stopping: waiting up to 0.05 s for 1 request(s) in flight\nstopping: 1 request(s) did not end in time\n',
  );
});

test('begins nothing for a client that goes away before its body is whole', async () => {
  const log: Log = [];
  const listening = await listen({ host: '127.0.0.1', port: 0, service: makeService(log) });
  const client = await rawClient(listening.port);
  client.send(post('/echo', '{"a":', 'Content-Length: 100\r\n'));
  while (!log.includes('admit')) await new Promise(setImmediate);
  client.socket.destroy();
  await listening.close();
  assert.deepEqual(log, ['admit']);
});

/** choice/box/16 */
test('an unknown fault is 500 with an id, written whole to standard error only', async () => {
  const client = await clientOf();
  const write = process.stderr.write;
  let written = '';
  process.stderr.write = ((text: string) => {
    written += text;
    return true;
  }) as typeof write;
  client.send(post('/fail', '{"password":"hunter2"}'));
  const { status, body } = await client.answer().finally(() => {
    process.stderr.write = write;
  });
  assert.equal(status, 500);
  const [, id] = /^\{"error":"internal error \(([0-9a-f]{12})\)"\}$/.exec(body) ?? [];
  assert.ok(id);
  assert.match(written, new RegExp(`internal error \\(${id}\\): Error: the secret cause\\n +at `));
  assert.doesNotMatch(written, /hunter2/);
});

test('a JSON body nested as deep as it can be is only refused or answered', async () => {
  const service = { ...makeService(), maxBodyBytes: 2_000_000 };
  const client = await clientOf(service);
  client.send(post('/echo', '['.repeat(1_000_000)));
  assert.equal((await client.answer()).status, 400);
  client.send(post('/thing', `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`));
  assert.equal((await client.answer()).status, 404);
});

test('whatever bytes come, the server goes on answering', async () => {
  const { port } = await start();
  const piece = fc.constantFrom(
    'GET ',
    'POST ',
    '/thing',
    '/echo',
    ' HTTP/1.1\r\n',
    'Host: x\r\n',
    'Content-Length: 2\r\n',
  );
  const rest = fc.constantFrom(
    '\r\n',
    '\r\n\r\n',
    '{}',
    'Transfer-Encoding: chunked\r\n',
    '0\r\n\r\n',
    '\0',
    'ÿ',
    'Expect: 100-continue\r\n',
  );
  const bytes = fc.oneof(
    fc.array(fc.oneof(piece, rest), { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''), 'latin1')),
    fc.uint8Array({ maxLength: 100 }).map((raw) => Buffer.from(raw)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (sent) => {
      const client = await rawClient(port);
      client.socket.end(sent);
      const answers = await client.closed();
      assert.ok(
        answers === '' || /^HTTP\/1\.1 (100|200|400|403|404|405|413) /.test(answers),
        answers.slice(0, 200),
      );
      const after = await rawClient(port);
      after.send(get('/thing'));
      assert.equal((await after.answer()).status, 200);
      after.socket.destroy();
    }),
    { numRuns: 150 },
  );
});
