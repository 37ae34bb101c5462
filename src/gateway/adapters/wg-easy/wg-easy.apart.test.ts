import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import nock from 'nock';
import { parseTunnelConfig } from '../../rules/tunnel-config.ts';
import {
  budget,
  cookieOf,
  dialects,
  found,
  idIn,
  recorded,
  recordings,
  replay,
  root,
  sessionOf,
  useNock,
  wgEasy,
} from '../../testing/wg-easy-recordings.ts';
import type { WgEasyError } from './wg-easy-error.ts';
import { parseClients } from './wg-easy-responses.ts';

useNock();

function addressIn(text: string): string | null {
  const parsed = parseTunnelConfig(text);
  return parsed !== null && 'address' in parsed ? parsed.address : null;
}

for (const dialect of dialects) {
  const is14 = dialect === '14';

  describe(`wg-easy ${dialect}, as recorded`, () => {
    test('is distinguished from the others', async () => {
      replay(dialect, 'session-probe-no-cookie', ...(is14 ? [] : ['wrong-method-get-login']));
      assert.deepEqual(await wgEasy.detect(budget), found[dialect]);
    });

    test('logs in and takes the cookie unchanged', async () => {
      replay(dialect, 'login-ok');
      assert.deepEqual(await wgEasy.login(found[dialect], budget), sessionOf(dialect));
    });

    test('sends the cookie with every call', async () => {
      const { request, response } = recorded(dialect, 'list-two');
      nock(root, { reqheaders: { cookie: cookieOf(dialect, 'login-ok') } })
        .get(request.path)
        .reply(response.status, response.body);
      assert.equal((await wgEasy.list(sessionOf(dialect), budget)).length, 2);
    });

    test('makes a peer, and returns its id if the dialect has one', async () => {
      replay(dialect, 'create-ok');
      const id = await wgEasy.create(sessionOf(dialect), 'box-one', budget);
      assert.equal(id, is14 ? null : '1');
    });

    test('lists peers', async () => {
      replay(dialect, 'list-one');
      const [client] = await wgEasy.list(sessionOf(dialect), budget);
      assert.deepEqual(
        { ...client, id: null, publicKey: client?.publicKey?.length },
        {
          id: null,
          name: 'box-one',
          publicKey: 44,
          address: '10.8.0.2',
          enabled: true,
          expiresAt: null,
          lastHandshakeAt: null,
        },
      );
    });

    test('returns a configuration', async () => {
      replay(dialect, 'configuration-ok');
      const text = await wgEasy.configuration(sessionOf(dialect), idIn(dialect, 'configuration-ok'), budget);
      assert.equal(text, recorded(dialect, 'configuration-ok').response.body);
      assert.equal(addressIn(text), '10.8.0.2');
    });

    test('deletes a peer, also an unknown one', async () => {
      replay(dialect, 'delete-ok', 'delete-unknown-id');
      await wgEasy.remove(sessionOf(dialect), idIn(dialect, 'delete-ok'), budget);
      await wgEasy.remove(sessionOf(dialect), idIn(dialect, 'delete-unknown-id'), budget);
    });

    test('parses every recorded list, except names that are not strings', () => {
      const lists = recordings[dialect].filter(
        ({ request, response }) =>
          response.status === 200 && /^GET \/api\/(wireguard\/)?client(\?|$)/.test(`${request.method} ${request.path}`),
      );
      assert.ok(lists.length > 5);
      for (const { name, response } of lists) {
        const all = JSON.parse(response.body) as { name: unknown }[];
        const named = all.filter((client) => typeof client.name === 'string');
        assert.deepEqual(
          parseClients(response.body)?.map((client) => client.name),
          named.map((client) => client.name),
          name,
        );
      }
    });

    test('parses every recorded configuration', () => {
      const texts = recordings[dialect].filter(
        ({ request, response }) => response.status === 200 && request.path.endsWith('/configuration'),
      );
      assert.ok(texts.length > 5);
      for (const { name, response } of texts) {
        assert.match(addressIn(response.body) ?? name, /^10\.8\.0\.\d+$/);
      }
    });
  });
}

for (const [release, answers] of Object.entries({
  '15.1': [['/api/session', 204, '']],
  '15.3': [
    ['/api/session', 401, '{"statusCode":401,"statusMessage":"Not authenticated"}'],
    ['/api/auth/password', 404, '{"statusCode":404,"statusMessage":"Page not found: /api/auth/password"}'],
  ],
} as const)) {
  test(`a wg-easy ${release} gets no password, and its operator is told to update it`, async () => {
    for (const [path, status, body] of answers) nock(root).get(path).reply(status, body);
    await assert.rejects(wgEasy.detect(budget), (error: WgEasyError) => {
      assert.match(error.phrase, /^wg-easy is older than 15\.4 \(.*\): update wg-easy to 15\.4 or newer$/);
      return true;
    });
  });
}

test('version 14 without a password needs no login', async () => {
  replay('14', 'nopassword-session-probe');
  const door = await wgEasy.detect(budget);
  assert.deepEqual(await wgEasy.login(door, budget), { dialect: '14', cookie: null });
});
