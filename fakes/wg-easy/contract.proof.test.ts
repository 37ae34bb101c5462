import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  clientsPath,
  configurationOf,
  cookieOf,
  create,
  listClients,
  logIn,
  loginPath,
  remove,
  type Subject,
  settingOf,
  subjects,
} from './contract-subject.ts';

/**
 * The contract of the fake and a real wg-easy (see `contract-subject.ts`). It tests how responses relate;
 * `recordings.proof.test.ts` tests each response. It leaves no client and never locks a real one.
 */
const prefix = `contract-${process.pid}`;
let number = 0;
const newName = () => {
  number += 1;
  return `${prefix}-${number}`;
};

/** The public half of a WireGuard private key. */
function publicHalf(privateKey: string): string {
  const d = Buffer.from(privateKey, 'base64');
  const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), d]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
}

const hostOf = (address: string) => Number(address.split('.')[3]);

for (const { dialect, open } of subjects()) {
  describe(`contract of wg-easy ${dialect}`, () => {
    let subject: Subject;
    let cookie = '';
    before(async () => {
      subject = await open();
      cookie = await logIn(subject);
    });
    after(async () => {
      for (const client of await listClients(subject, cookie)) {
        if (String(client.name).startsWith(prefix)) await remove(subject, cookie, client.id);
      }
      await subject.close();
    });

    test('shows its dialect to clients without login', async () => {
      const session = await subject.ask('GET', '/api/session');
      assert.equal(session.status, dialect === '14' ? 200 : 401);
      if (dialect === '14') return;
      const login = await subject.ask('POST', '/api/auth/password', { body: {} });
      assert.equal(login.status, 400);
    });

    test('gives each client its own key pair, with the same server key', async () => {
      const [one, other] = [await create(subject, cookie, newName()), await create(subject, cookie, newName())];
      const [first, second] = [
        await configurationOf(subject, cookie, one.id),
        await configurationOf(subject, cookie, other.id),
      ];
      assert.equal(publicHalf(settingOf(first, 'PrivateKey')), one.publicKey);
      assert.equal(publicHalf(settingOf(second, 'PrivateKey')), other.publicKey);
      assert.notEqual(one.publicKey, other.publicKey);
      assert.notEqual(settingOf(first, 'PresharedKey'), settingOf(second, 'PresharedKey'));
      assert.equal(settingOf(first, 'PublicKey'), settingOf(second, 'PublicKey'));
      assert.equal(settingOf(first, 'Address').split('/')[0], one.address);
    });

    test('assigns the first free address, and reuses a freed one at once', async () => {
      const clients = [];
      for (let round = 0; round < 3; round += 1) clients.push(await create(subject, cookie, newName()));
      const taken = (await listClients(subject, cookie)).map((client) => hostOf(client.address));
      const freed = clients[1];
      assert.ok(freed);
      await remove(subject, cookie, freed.id);
      const firstFree = [...Array(253).keys()]
        .map((host) => host + 2)
        .find((host) => {
          return host === hostOf(freed.address) || !taken.includes(host);
        });
      const next = await create(subject, cookie, newName());
      assert.equal(hostOf(next.address), firstFree);
      assert.notEqual(next.id, freed.id);
    });

    test('keeps two clients of one name apart', async () => {
      const name = newName();
      await create(subject, cookie, name);
      await create(subject, cookie, name);
      const found = (await listClients(subject, cookie)).filter((client) => client.name === name);
      assert.equal(new Set(found.map((client) => client.id)).size, 2);
      assert.equal(new Set(found.map((client) => client.address)).size, 2);
    });

    test('returns the id of a created client only in version 15', async () => {
      const name = newName();
      const reply = await subject.ask('POST', clientsPath(subject), { cookie, body: { name, expiresAt: null } });
      const found = (await listClients(subject, cookie)).find((client) => client.name === name);
      const clientId = dialect === '15.4' ? { clientId: found?.id } : {};
      assert.deepEqual(reply.json(), { success: true, ...clientId });
    });

    test('removes a disabled client from the interface and restores it when enabled', async () => {
      const { id, name } = await create(subject, cookie, newName());
      const seen = async () => (await listClients(subject, cookie)).find((client) => client.name === name);
      const path = `${clientsPath(subject)}/${id}`;
      assert.equal((await seen())?.transferRx, 0);
      assert.equal((await subject.ask('POST', `${path}/disable`, { cookie })).status, 200);
      assert.deepEqual([(await seen())?.enabled, (await seen())?.transferRx], [false, null]);
      assert.match(await configurationOf(subject, cookie, id), /PrivateKey/);
      assert.equal((await subject.ask('POST', `${path}/enable`, { cookie })).status, 200);
      assert.deepEqual([(await seen())?.enabled, (await seen())?.transferRx], [true, 0]);
    });

    test('answers a second delete like the first', async () => {
      const { id } = await create(subject, cookie, newName());
      const replies = [await remove(subject, cookie, id), await remove(subject, cookie, id)];
      assert.deepEqual(
        replies.map(({ status, text }) => [status, text]),
        [
          [200, '{"success":true}'],
          [200, '{"success":true}'],
        ],
      );
    });

    test('creates clients concurrently, each with its own address', async () => {
      const names = Array.from({ length: 10 }, newName);
      const replies = await Promise.all(
        names.map((name) => subject.ask('POST', clientsPath(subject), { cookie, body: { name, expiresAt: null } })),
      );
      assert.deepEqual(new Set(replies.map((reply) => reply.status)), new Set([200]));
      const made = (await listClients(subject, cookie)).filter((client) => names.includes(client.name));
      assert.equal(new Set(made.map((client) => client.address)).size, 10);
    });

    test('accepts the password in a header', async () => {
      const { username, password } = subject;
      const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
      const [good, bad] = dialect === '14' ? [password, basic] : [basic, `Bearer ${password}`];
      const path = clientsPath(subject);
      assert.equal((await subject.ask('GET', path, { authorization: good })).status, 200);
      assert.equal((await subject.ask('GET', path, { authorization: bad })).status, dialect === '14' ? 500 : 400);
    });

    test('a wrong password gives no valid cookie', async () => {
      const body = { username: subject.username, password: 'not-the-password', remember: false };
      const reply = await subject.ask('POST', loginPath(subject), { body });
      assert.equal(reply.status, 401);
      const list = await subject.ask('GET', clientsPath(subject), { cookie: cookieOf(reply) });
      assert.equal(list.status, dialect === '14' ? 500 : 401);
    });

    test('ends a session at a logout only where sessions are kept', async () => {
      const other = await logIn(subject);
      assert.equal((await subject.ask('DELETE', '/api/session', { cookie: other })).status, 200);
      const list = await subject.ask('GET', clientsPath(subject), { cookie: other });
      assert.equal(list.status, dialect === '14' ? 500 : 200);
    });

    if (dialect === '14') {
      test('rejects ids that are JavaScript names, except for a delete', async () => {
        const path = `${clientsPath(subject)}/__proto__`;
        assert.equal((await subject.ask('POST', `${path}/disable`, { cookie })).status, 403);
        assert.equal((await subject.ask('PUT', `${path}/name`, { cookie, body: { name: 'x' } })).status, 403);
        assert.equal((await remove(subject, cookie, '__proto__')).status, 200);
      });
      return;
    }

    test('never reuses an id', async () => {
      const one = await create(subject, cookie, newName());
      await remove(subject, cookie, one.id);
      const other = await create(subject, cookie, newName());
      assert.ok(Number(other.id) > Number(one.id));
    });

    test('updates a whole client', async () => {
      const { id } = await create(subject, cookie, newName());
      const path = `${clientsPath(subject)}/${id}`;
      const whole = (await subject.ask('GET', path, { cookie })).json() as object;
      const changed = { ...whole, allowedIps: ['10.8.0.1/32'], persistentKeepalive: 25 };
      assert.equal((await subject.ask('POST', path, { cookie, body: changed })).status, 200);
      const text = await configurationOf(subject, cookie, id);
      assert.deepEqual([settingOf(text, 'AllowedIPs'), settingOf(text, 'PersistentKeepalive')], ['10.8.0.1/32', '25']);
    });

    test('shows no keys in a list', async () => {
      await create(subject, cookie, newName());
      const { text } = await subject.ask('GET', clientsPath(subject), { cookie });
      assert.doesNotMatch(text, /"(privateKey|preSharedKey)"/);
    });

    test('filters by part of a name or an address, wildcards included', async () => {
      const name = newName();
      const { address } = await create(subject, cookie, name);
      const found = async (filter: string) =>
        (await listClients(subject, cookie, `?filter=${encodeURIComponent(filter)}`)).map((client) => client.name);
      assert.ok((await found(name.toUpperCase())).includes(name));
      assert.ok((await found(name.replace('-', '_'))).includes(name));
      assert.ok((await found(address)).includes(name));
      assert.deepEqual(await found('no such client'), []);
    });
  });
}
