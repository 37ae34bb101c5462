import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listen } from '../../http/listen.ts';
import { rawClient } from '../../http/testing/raw-client.ts';
import { StorageFailed, TooManyChanges } from '../core.ts';
import { refusals } from './refusals.ts';
import { type BoxHandlers, boxService } from './service.ts';
import { operations } from './validators.gen.ts';

/** Handlers that return their input. */
const handlers = Object.fromEntries(
  operations.map(({ operationId }) => [
    operationId,
    async (input: unknown) => ({ status: 200, body: { operationId, input } }),
  ]),
) as unknown as BoxHandlers;

const own = {
  machineName: 'pi',
  allowedHosts: ['apps.example.com'],
  addresses: ['127.0.0.1'],
  tunnelAddresses: ['10.8.0.2'],
  port: 7000,
};
const changes: string[] = [];
const service = boxService(handlers, own, '1.2.3', ({ operation, subject, by, outcome, detail }) =>
  changes.push([operation, subject, by, outcome, detail].join('|')),
);
const listening = await listen({ host: '127.0.0.1', port: 0, service });
after(() => listening.close());
const client = await rawClient(listening.port);
after(() => client.socket.destroy());

type Request = { method?: string; path: string; body?: string; headers?: Record<string, string> };

async function ask({ method = 'GET', path, body, headers = {} }: Request) {
  const all = { Host: 'box', ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  client.send(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
  const answer = await client.answer({ head: method === 'HEAD' });
  const value = answer.body === '' ? {} : JSON.parse(answer.body);
  const named = refusals[answer.headers.get('boxgate-error') as keyof typeof refusals];
  assert.equal(named?.status, answer.status < 400 ? undefined : answer.status, 'every error names its refusal');
  if (named !== undefined && method !== 'HEAD') assert.deepEqual(Object.keys(value), ['error']);
  return { ...answer, text: `${answer.status} ${value.error ?? value.operationId ?? ''}` };
}

const post = (path: string, body?: string, headers = {}) =>
  ask({ method: 'POST', path, headers, ...(body === undefined ? {} : { body }) });

test('choice/box/18: every response names the running version', async () => {
  for (const path of ['/api/apps', '/nothing']) {
    assert.equal((await ask({ path })).headers.get('server'), 'boxgate/1.2.3');
  }
});

test('an error names its refusal in a header', async () => {
  assert.equal((await post('/x', '[]')).headers.get('boxgate-error'), 'bodyNotObject');
  assert.equal((await post('/api/apps/install')).headers.get('boxgate-error'), 'nameMissing');
  assert.equal((await ask({ method: 'PUT', path: '/api/apps' })).headers.get('boxgate-error'), 'methodNotAllowed');
  assert.equal((await ask({ path: '/api/apps' })).headers.get('boxgate-error'), undefined);
});

test('routes every operation of the document to its handler', async () => {
  for (const { operationId, method, path } of operations) {
    const body = method === 'POST' ? { body: '{"name":"a","settings":{}}' } : {};
    const { text } = await ask({ method, path: path.replace('{name}', 'a'), ...body });
    assert.equal(text, `200 ${operationId}`);
  }
});

test('a disk that cannot be written and a full queue are refusals with their reason', async (t) => {
  const { removeApp } = handlers;
  t.after(() => Object.assign(handlers, { removeApp }));
  for (const [error, answer] of [
    [
      new StorageFailed('cannot remove notes: the disk is read-only'),
      /^500 cannot remove notes: the disk is read-only$/,
    ],
    [new TooManyChanges(), /^503 /],
  ] as const) {
    Object.assign(handlers, { removeApp: async () => Promise.reject(error) });
    assert.match((await post('/api/apps/remove', '{"name":"notes"}')).text, answer);
  }
});

test('choice/box/1: other methods are 405 on any path, with the allowed ones', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
    for (const [path, allowed] of [
      ['/api/apps', 'GET, HEAD'],
      ['/api/apps/install', 'POST'],
      ['/api/apps//settings', 'GET, HEAD, POST'],
      ['/x', ''],
    ] as const) {
      const { text, headers } = await ask({ method, path, body: '{' });
      assert.equal(text, '405 method not allowed', `${method} ${path}`);
      assert.equal(headers.get('allow'), allowed, path);
    }
  }
});

test('choice/box/24: a foreign host is refused for POSTs and settings only', async () => {
  const headers = { Host: 'evil.test:80' };
  const refused =
    '421 the host evil.test is not this box; if it is, add evil.test to BOX_ALLOWED_HOSTS in ' +
    '/etc/boxgate/box.env (or --allowed-host evil.test)';
  assert.equal((await ask({ path: '/api/apps/a/settings', headers })).text, refused);
  assert.equal((await ask({ path: '/api/apps//settings', headers })).text, refused);
  assert.equal((await ask({ path: '/api/apps', headers })).text, '200 listApps');
  assert.equal((await ask({ path: '/', headers })).text, '200 showPage');
  assert.equal((await ask({ path: '/x', headers })).text, '404 not found');
  assert.equal((await post('/x', '[', headers)).text, refused);
  assert.equal(
    (await ask({ path: '/api/apps/a/settings', headers: { Host: 'apps.example.com' } })).text,
    '200 getAppSettings',
  );
});

test('choice/box/200: the tunnel’s address is refused for POSTs and settings only', async () => {
  const headers = { Host: '10.8.0.2' };
  const refused = "421 10.8.0.2 is this box's address in the gateway's tunnel; use an address of the box's own network";
  assert.equal((await post('/x', '[', headers)).text, refused);
  assert.equal((await ask({ path: '/api/apps/a/settings', headers })).text, refused);
  assert.equal((await ask({ path: '/api/apps', headers })).text, '200 listApps');
});

test('choice/box/20: host before cross-site before body', async () => {
  const crossSite = { 'Sec-Fetch-Site': 'cross-site' };
  assert.match((await post('/x', '[', { ...crossSite, Host: 'evil.test' })).text, /^421/);
  assert.match((await post('/x', '[', crossSite)).text, /^403/);
  assert.match((await post('/x', '[')).text, /^400/);
  assert.match((await ask({ path: '/api/apps/a/settings', headers: crossSite })).text, /^200/);
});

test('choice/box/330: the journal has each change that reaches its handler, and nothing else', async () => {
  changes.length = 0;
  for (const { method, path } of operations) {
    if (method === 'GET') await ask({ path: path.replace('{name}', 'a') });
  }
  await post('/api/self/update/check');
  await post('/api/apps/install', '{');
  await post('/api/apps/install', '{"name":""}');
  await post('/api/apps/install', '{"name":"a"}', { 'Sec-Fetch-Site': 'cross-site' });
  assert.deepEqual(changes, []);
  await post('/api/apps/install', '{"name":"a"}', { 'X-Forwarded-For': '192.0.2.7' });
  await post('/api/apps/a%20b/settings', '{"settings":{"SECRET":"hidden"}}');
  await post('/api/apps/a/update');
  await post('/api/apps/remove', '{"name":"a"}');
  await post('/api/self/update/apply');
  assert.deepEqual(changes, [
    'install|a|from 192.0.2.7|ok|',
    'configure|a b|from 127.0.0.1|ok|',
    'update|a|from 127.0.0.1|ok|',
    'remove|a|from 127.0.0.1|ok|',
    'self-update||from 127.0.0.1|ok|',
  ]);
});
