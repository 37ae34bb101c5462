import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addBox, makeTestGateway, refusalOf } from '../testing/test-gateway.ts';
import { hashOf, newBoxToken } from '../tokens.ts';
import { makeAuthenticate } from './authenticate.ts';

test('gateway/auth/1, choice/gateway/54: finds the box of a bearer token, however the scheme is written', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box, token } = await addBox(gateway, 'a');
  for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`]) {
    const caller = await makeAuthenticate(gateway)(header);
    assert.deepEqual(caller.box, box);
    assert.deepEqual(caller.tokenHash, hashOf(token));
  }
});

test('gateway/auth/6, gateway/auth/7, choice/gateway/54: without a bearer token', async (t) => {
  const gateway = await makeTestGateway(t);
  const { token } = await addBox(gateway, 'a');
  for (const header of [undefined, '', 'Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer${token}`]) {
    assert.equal(await refusalOf(makeAuthenticate(gateway)(header)), 'missingBearerToken', header);
  }
});

test('does not look up a text that cannot be a token', async (t) => {
  const gateway = await makeTestGateway(t);
  const { token } = await addBox(gateway, 'a');
  const asked: Uint8Array[] = [];
  const boxOfToken = async (hash: Uint8Array) => {
    asked.push(hash);
    return null;
  };
  const store = { ...gateway.store, boxOfToken };
  const wrong = token.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  for (const one of ['x', wrong]) {
    const refusal = await refusalOf(makeAuthenticate({ ...gateway, store })(`Bearer ${one}`));
    assert.equal(refusal, 'invalidBoxToken');
  }
  assert.deepEqual(asked, []);
});

test('should/gateway/62: looks up a known token again at each request', async (t) => {
  const gateway = await makeTestGateway(t);
  const { box, token } = await addBox(gateway, 'a');
  const authenticate = makeAuthenticate(gateway);
  const header = `Bearer ${token}`;
  for (let i = 0; i < 3; i += 1) assert.deepEqual((await authenticate(header)).box, box);
  const next = newBoxToken();
  await gateway.store.replaceToken(box.id, hashOf(token), hashOf(next));
  assert.equal(await refusalOf(authenticate(header)), 'invalidBoxToken');
  assert.equal(await refusalOf(authenticate(header)), 'invalidBoxToken');
  assert.deepEqual((await authenticate(`Bearer ${next}`)).box, box);
});
