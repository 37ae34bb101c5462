import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noAddresses } from '../testing/no-addresses.ts';
import { makeTestBox } from '../testing/test-box.ts';
import { TunnelProblem } from './ports.ts';
import { addressesRoom, addressSection } from './room.ts';
import { appContainer, joinedTunnel, type TunnelInFolder, tunnelInFolder } from './testing/tunnel-in-folder.ts';

/** The room of a box with two apps. */
function roomIn(t: TestContext, { tunnel }: TunnelInFolder) {
  const { box, installed, dispose } = makeTestBox();
  t.after(dispose);
  box.addresses = { ...noAddresses, tunnel };
  const room = addressesRoom(box);
  const act = async (name: string, fields: Record<string, string>) => room.actions?.[name]?.run(fields);
  const textsOf = async (app: string) =>
    (await addressSection(box, app)).rows.flatMap(({ text, facts = [] }) => [text, ...facts]);
  return { read: () => room.read(''), act, textsOf, notes: installed('notes'), feeds: installed('feeds') };
}

test('a box joins a gateway, publishes and withdraws, and a failure is a refusal without the token', async (t) => {
  const box = await tunnelInFolder(t);
  const { gateway, tunnel } = box;
  let starts = 0;
  tunnel.wireGuard.bringUp = async () => {
    starts += 1;
  };
  const { read, act, textsOf, notes } = roomIn(t, box);
  assert.deepEqual(await textsOf('notes'), ['To open the app from outside, first']);
  assert.equal((await read()).sections[0]?.actions?.[0]?.act, 'addresses/join');
  const request = { gateway: gateway.url, name: 'attic', token: 'not-this-one' };
  await assert.rejects(act('join', request), (error: Error) => !error.message.includes(request.token));
  await assert.rejects(
    act('join', { ...request, gateway: 'http://example.org' }),
    /expected an address that is https:/,
  );
  assert.equal(starts, 0);
  const joined = await act('join', { ...request, token: gateway.registrationToken });
  assert.ok(joined?.ok, joined?.text);
  assert.match(joined.text, /^this box has joined http:\/\/127\.0\.0\.1:\d+ as /);
  assert.equal(starts, 1);

  assert.deepEqual(await textsOf('notes'), []);
  box.apps.containers = [appContainer(notes, 5230)];
  const published = await act('publish', { app: 'notes', subdomain: 'notes', port: '5230' });
  assert.match(
    `${published?.text}`,
    /^notes is published at https:\/\/notes\.example\.test and answers\nnothing listens/,
  );
  assert.equal(published?.shown, undefined);
  const [tunnelSection, routes] = (await read()).sections;
  assert.match(`${tunnelSection?.rows[0]?.text}`, /^This box has joined http.* as attic\. The tunnel does not work\.$/);
  assert.deepEqual(
    routes?.rows.map(({ text, facts }) => [text, facts]),
    [['notes.example.test', ['notes, port 5230. Everybody can open it.']]],
  );
  const rules = {
    app: 'feeds',
    subdomain: 'feeds',
    port: '5231',
    login: 'ada',
    allow: '203.0.113.0/24',
    paths: '/a/*,/b',
  };
  for (const wrong of [{ login: 'a:b' }, { allow: 'attic' }, { paths: 'no' }]) {
    await assert.rejects(act('publish', { ...rules, ...wrong }), /expected /);
  }
  const guarded = await act('publish', rules);
  const [login] = guarded?.shown?.rows ?? [];
  const password = /^Name `ada`, password `([0-9a-f]{32})`$/.exec(`${login?.text}`)?.[1];
  assert.ok(password !== undefined && !guarded?.text.includes(password));
  assert.deepEqual(await textsOf('feeds'), [
    'feeds.example.test',
    'feeds, port 5231. For visitors: login ada, only from 203.0.113.0/24, without login /a/* /b.',
  ]);
  assert.match(`${(await act('withdraw', { host: 'notes.example.test' }))?.text}`, /is not published any more/);
  await assert.rejects(act('withdraw', { host: 'notes.example.test' }), /this box has no route/);
});

test('without a port, the one that the app publishes is taken, and the port of the box is refused', async (t) => {
  const box = await joinedTunnel(t);
  box.tunnel.boxPort = async () => 7000;
  const { act } = roomIn(t, box);
  const publication = { app: 'notes', subdomain: 'notes' };
  await assert.rejects(act('publish', publication), /notes publishes no port now: it does not run/);
  await assert.rejects(act('publish', { ...publication, app: 'nots' }), /nots is no installed app with a manifest/);
  await assert.rejects(act('publish', { ...publication, port: '99999' }), { refusal: 'invalidAddressRequest' });
  await assert.rejects(act('publish', { ...publication, port: '7000' }), /port 7000 is the box's management page/);
});

test('a tunnel that does not start is told with the command that starts it', async (t) => {
  const box = await tunnelInFolder(t);
  box.tunnel.wireGuard.bringUp = () => Promise.reject(new TunnelProblem('no systemctl'));
  const request = { gateway: box.gateway.url, name: 'attic', token: box.gateway.registrationToken };
  const joined = await roomIn(t, box).act('join', request);
  assert.equal(joined?.ok, false);
  assert.match(
    `${joined?.text}`,
    /but the tunnel does not start; run: sudo systemctl enable --now boxgate-tunnel\.service/,
  );
});
