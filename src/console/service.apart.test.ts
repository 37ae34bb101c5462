import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Head } from '../http/exchange.ts';
import { listen } from '../http/listen.ts';
import type { Match } from '../http/match.ts';
import { rawClient } from '../http/testing/raw-client.ts';
import { changeVerbs } from './journal.ts';
import { type ConsoleHandlers, consoleService } from './service.ts';
import { operations } from './validators.gen.ts';

/** Handlers that return their input. */
const handlers = Object.fromEntries(
  operations.map(({ operationId }) => [
    operationId,
    async (input: unknown) => ({ status: 200, body: { operationId, input } }),
  ]),
) as unknown as ConsoleHandlers;

const own = {
  machineName: 'pi',
  allowedHosts: [],
  addresses: ['127.0.0.1'],
  tunnelAddresses: ['10.8.0.2'],
  port: 7001,
};
const lines: string[] = [];
const service = consoleService(handlers, own, '1.2.3', ({ operation, by }) => lines.push(`${operation} (${by})`));
const listening = await listen({ host: '127.0.0.1', port: 0, service });
after(() => listening.close());
const client = await rawClient(listening.port);
after(() => client.socket.destroy());

async function ask(method: string, path: string, headers: Record<string, string> = {}, body = '') {
  const all = { Host: 'box', ...headers, ...(body === '' ? {} : { 'Content-Length': String(body.length) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  client.send(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  const answer = await client.answer({ head: method === 'HEAD' });
  return { ...answer, refusal: answer.headers.get('boxgate-error') };
}

const cases = operations.map(({ method, path, operationId }) => ({
  method,
  path: path.replace(/\{\w+\}/, 'a%20b'),
  operationId,
}));

test('every path is below /settings/, so that one rule of a proxy leads there', () => {
  assert.deepEqual(
    operations.filter(({ path }) => !path.startsWith('/settings/')),
    [],
  );
});

test('every operation is refused under a foreign host, through the tunnel and from another site', async () => {
  for (const { method, path, operationId } of cases) {
    const refusalOf = async (headers: Record<string, string>) => (await ask(method, path, headers)).refusal;
    assert.equal(await refusalOf({ Host: 'evil.example.org' }), 'foreignHost', path);
    assert.equal(await refusalOf({ Host: '10.8.0.2' }), 'tunnelHost', path);
    // Others may link to the page.
    if (operationId === 'showConsole') continue;
    assert.equal(await refusalOf({ 'Sec-Fetch-Site': 'cross-site' }), 'crossSite', path);
    assert.equal(await refusalOf({ 'Sec-Fetch-Site': 'same-site' }), 'crossSite', path);
    assert.equal(await refusalOf({ Origin: 'http://evil.example.org' }), 'crossSite', path);
  }
  assert.deepEqual(lines, [], 'no handler was reached');
});

/** They are POSTs, because they take long or reach out. */
const changesNothing: readonly string[] = ['testNotification', 'checkBackups', 'lookForNewVersions'];

test('every operation that changes something has a verb in the journal', () => {
  const posts = operations.filter(({ method }) => method === 'POST').map(({ operationId }) => operationId);
  assert.deepEqual(
    posts.filter((id) => changeVerbs[id] === undefined),
    changesNothing,
  );
});

test('a change is written down with the address of the client', async () => {
  const forwarded = { 'X-Forwarded-For': '192.0.2.7' };
  assert.equal((await ask('POST', '/settings/api/trash/restore', forwarded, '{"id":"x"}')).status, 200);
  assert.deepEqual(lines.splice(0), ['restore from the trash (from 192.0.2.7)']);
});

test('other paths and methods are refused by name', async () => {
  for (const [method, path, refusal] of [
    ['GET', '/', 'notFound'],
    ['GET', '/settings', 'notFound'],
    ['GET', '/settings/x', 'notFound'],
    ['GET', '/api/apps', 'notFound'],
    ['POST', '/settings/', 'notFound'],
    ['PUT', '/settings/api/trash', 'methodNotAllowed'],
    ['POST', '/settings/api/trash/restore', 'invalidRemovedApp'],
  ] as const) {
    assert.equal((await ask(method, path)).refusal, refusal, `${method} ${path}`);
  }
});

test('reads of one thing share their work, until a change ends', async () => {
  const begun: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const slow = {
    ...handlers,
    async measureApp({ name }: { name: string }) {
      begun.push(name);
      await waiting.promise;
      return { status: 200, body: {} };
    },
  } as unknown as ConsoleHandlers;
  const { handle, match } = consoleService(slow, own, '1.2.3', () => undefined);
  const head = (method: string, path: string) => ({ method, path, headers: {} }) as Head;
  const call = (method: string, path: string, body = {}) =>
    handle(match(head(method, path)) as Match, body, head(method, path));
  const measure = (name: string) => call('GET', `/settings/api/apps/${name}/measures`);
  const answers = Array.from({ length: 60 }, (_, index) => measure(index % 2 === 0 ? 'a' : 'b'));
  await call('POST', '/settings/api/apps/a/restart');
  answers.push(measure('a'));
  waiting.resolve();
  assert.ok((await Promise.all(answers)).every(({ status }) => status === 200));
  assert.deepEqual(begun, ['a', 'b', 'a']);
});
