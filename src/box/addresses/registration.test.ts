import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { joinGateway, tunnelInFolder } from './testing/tunnel-in-folder.ts';

test('gateway/tunnel/2: keeps gateway, id and token in tunnel.json and the narrowed configuration in tunnel.conf, both 0600', async (t) => {
  const box = await tunnelInFolder(t);
  const joined = await joinGateway(box);
  assert.deepEqual(readdirSync(box.folder), ['tunnel.conf', 'tunnel.json']);
  for (const name of ['tunnel.conf', 'tunnel.json']) {
    assert.equal(statSync(join(box.folder, name)).mode & 0o777, 0o600, name);
  }
  const text = JSON.parse(readFileSync(join(box.folder, 'tunnel.json'), 'utf8'));
  assert.deepEqual([text.gateway, text.box_id, text.box_token], [box.gateway.url, 'box_1', 'token-of-box_1']);
  assert.deepEqual(box.tunnel.files.read(), joined);
  const config = readFileSync(join(box.folder, 'tunnel.conf'), 'utf8');
  assert.match(config, /^AllowedIPs = 10\.8\.0\.1\/32$/m);
  assert.doesNotMatch(config, /DNS|0\.0\.0\.0/);
});

test('gateway/tunnel/1: a box that is joined does not register again', async (t) => {
  const box = await tunnelInFolder(t);
  await joinGateway(box);
  await assert.rejects(joinGateway(box), /is joined to http.* as box_1; boxgate tunnel leave ends that first/);
  assert.equal(box.gateway.boxes.size, 1);
});

test('two joins at the same time make one box', async (t) => {
  const box = await tunnelInFolder(t);
  const ends = await Promise.allSettled([joinGateway(box), joinGateway(box)]);
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal(box.gateway.boxes.size, 1);
});

test("a refusal leaves no file and is reported in the gateway's words", async (t) => {
  const box = await tunnelInFolder(t);
  await assert.rejects(joinGateway(box, 'wrong'), { message: 'invalid registration token' });
  assert.deepEqual(readdirSync(box.folder), []);
});

test('an unreachable gateway leaves no file', async (t) => {
  const box = await tunnelInFolder(t);
  await box.gateway.close();
  await assert.rejects(joinGateway(box), { message: `no answer from ${box.gateway.url}: ECONNREFUSED` });
  assert.deepEqual(readdirSync(box.folder), []);
});

test('an address that is no gateway leaves no file', async (t) => {
  const box = await tunnelInFolder(t);
  box.gateway.answerAll = { status: 404, body: { error: 'not found' } };
  await assert.rejects(joinGateway(box), { message: `no gateway answers at ${box.gateway.url}: it answered 404` });
  assert.deepEqual(readdirSync(box.folder), []);
});

test('warns, now and at the next join, that a lost response may have left a box', async (t) => {
  const box = await tunnelInFolder(t);
  box.gateway.loseAnswerOf = '/register';
  await assert.rejects(joinGateway(box), /was lost; if that gateway's operator finds a box "attic"/);
  assert.deepEqual(readdirSync(box.folder), ['tunnel.json']);
  assert.deepEqual(box.tunnel.files.read(), {
    state: 'joining',
    gateway: box.gateway.url,
    boxName: 'attic',
    startedAt: '2026-01-02T03:04:05.000Z',
  });

  box.gateway.loseAnswerOf = null;
  assert.equal((await joinGateway(box)).boxId, 'box_2');
  assert.match(box.warnings.join(), /2026-01-02T03:04:05\.000Z was lost/);
});

test('after an internal error of the gateway, a box may exist', async (t) => {
  const box = await tunnelInFolder(t);
  box.gateway.answerAll = { status: 500, body: { error: 'internal error (1)' } };
  await assert.rejects(joinGateway(box), /internal error \(1\); the answer to the registration .* was lost/);
});

test('writes a note to disk before it asks the gateway', async (t) => {
  const box = await tunnelInFolder(t);
  let state: string | undefined;
  box.gateway.before = () => {
    state = box.tunnel.files.read()?.state;
  };
  await joinGateway(box);
  assert.equal(state, 'joining');
});

test('detects a full disk before it asks the gateway', async (t) => {
  const box = await tunnelInFolder(t);
  mkdirSync(join(box.folder, 'tunnel.json.reserved')); // Failures to reserve space.
  await assert.rejects(joinGateway(box), /EISDIR/);
  assert.equal(box.gateway.boxes.size, 0);
  assert.deepEqual(readdirSync(box.folder), ['tunnel.json.reserved']);
});

test('a box whose files cannot be kept is deregistered again', async (t) => {
  const box = await tunnelInFolder(t);
  box.gateway.before = (asked) => {
    if (asked.endsWith('/register')) mkdirSync(join(box.folder, 'tunnel.conf'));
  };
  await assert.rejects(joinGateway(box), /EISDIR.*; the registration was taken back$/);
  assert.equal(box.gateway.boxes.size, 0);
});

test('names the box whose token is lost when it cannot be deregistered', async (t) => {
  const box = await tunnelInFolder(t);
  box.gateway.config = 'nonsense';
  box.gateway.loseAnswerOf = '/deregister';
  await assert.rejects(
    joinGateway(box),
    /no PrivateKey in its section \[interface\]; nobody can speak for the box box_1 any more: .* boxes remove box_1`$/,
  );
  assert.equal(existsSync(join(box.folder, 'tunnel.json.reserved')), false);
});

test('choice/gateway/212: rejects a tunnel that overlaps the home router, and deregisters the box', async (t) => {
  const box = await tunnelInFolder(t);
  const routes = '\neth0 00000000 0100080A 0003 0 0 0 00000000 0 0 0';
  box.tunnel.networkFacts = () => ({ interfaces: [], routes, resolvers: [] });
  await assert.rejects(
    joinGateway(box),
    /Address 10\.8\.0\.2\/24, which overlaps 10\.8\.0\.1\/32 of the router behind eth0: .*; the registration was taken back$/,
  );
  assert.equal(box.gateway.boxes.size, 0);
  assert.deepEqual(readdirSync(box.folder), []);
});

test('rejects a tunnel whose packets another routing table takes, and deregisters the box', async (t) => {
  const box = await tunnelInFolder(t);
  box.tunnel.wireGuard.routeTo = async () => ({ dev: 'mesh0', firstTable: '52' });
  await assert.rejects(
    joinGateway(box),
    /end of the tunnel is 10\.8\.0\.1, and routing table 52 of this box leads it to mesh0, .*; the registration was taken back$/,
  );
  assert.equal(box.gateway.boxes.size, 0);
  assert.deepEqual(readdirSync(box.folder), []);
});

test('names the missing packages before it asks the gateway', async (t) => {
  const box = await tunnelInFolder(t);
  box.tunnel.wireGuard.missingPackages = () => ['wireguard-tools', 'nftables'];
  box.gateway.before = () => assert.fail('the gateway was asked');
  await assert.rejects(
    joinGateway(box),
    /needs wireguard-tools and nftables, .* `sudo apt install wireguard-tools nftables`/,
  );
  assert.deepEqual(readdirSync(box.folder), []);
});

for (const told of ['10.8.0.3', '10.8.0.1', '169.254.169.254']) {
  test(`rejects the address "${told}" beside the Address 10.8.0.2, and deregisters the box`, async (t) => {
    const box = await tunnelInFolder(t);
    box.gateway.address = told;
    await assert.rejects(joinGateway(box), {
      message: `the gateway says "${told}" for the Address 10.8.0.2 in its WireGuard text; the registration was taken back`,
    });
    assert.equal(box.gateway.boxes.size, 0);
    assert.deepEqual(readdirSync(box.folder), []);
  });
}

test('deregisters the box if the configuration is unusable', async (t) => {
  const box = await tunnelInFolder(t);
  box.gateway.config = '[Interface]\nPostUp = reboot';
  await assert.rejects(joinGateway(box), /no PrivateKey .*; the registration was taken back$/);
  assert.equal(box.gateway.boxes.size, 0);
  assert.deepEqual(readdirSync(box.folder), []);
});
