import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSetupRequest, setupSettings } from './gateway-setup-settings.ts';
import { read as readSetting, type Setting } from './setting.ts';
import { problemOf } from './testing/problem-of.ts';
import { UsageError } from './usage-error.ts';

const none = { flags: {}, env: {} };
const flags = { '--domain': ['My.org'], '--email': ['ada@my.org'] };
const read = (more = {}, env = {}, saved = {}) => readSetupRequest({ flags: { ...flags, ...more }, env }, saved, null);

test('asks two questions, and none whose answer is known', async () => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return question.includes('mail') ? 'ada@my.org' : 'my.org';
  };
  const { domain, email } = await readSetupRequest(none, {}, ask);
  assert.deepEqual([domain, email, asked.length], ['my.org', 'ada@my.org', 2]);
  const saved = { GATEWAY_DOMAIN: 'my.org', ACME_EMAIL: 'ada@my.org', GATEWAY_PUBLIC_HOST: '203.0.113.5' };
  assert.equal((await readSetupRequest(none, saved, ask)).publicHost, '203.0.113.5');
  assert.equal(asked.length, 2);
  await assert.rejects(readSetupRequest(none, {}, null), { message: '--domain is required (or GATEWAY_DOMAIN)' });
});

test("the trial belongs to Let's Encrypt; another authority has none unless it is named", async () => {
  const usual = await read();
  assert.match(usual.authority.real, /^https:\/\/acme-v02\.api\.letsencrypt\.org/);
  assert.match(usual.authority.trial ?? '', /staging/);
  const other = 'https://acme.test/dir';
  assert.deepEqual((await read({}, { GATEWAY_ACME_SERVER: other })).authority, { real: other, trial: null });
  assert.deepEqual(
    (await read({}, {}, { GATEWAY_ACME_SERVER: other, GATEWAY_ACME_TRIAL_SERVER: '' })).authority.real,
    other,
  );
});

test('a second run does not change the domain', async () => {
  await assert.rejects(read({}, {}, { GATEWAY_DOMAIN: 'other.org' }), UsageError);
  assert.equal((await read({}, {}, { GATEWAY_DOMAIN: 'my.org' })).domain, 'my.org');
});

test('domain and network of the tunnels may change until a box has joined', async () => {
  const saved = { GATEWAY_DOMAIN: 'typo.org', GATEWAY_PUBLIC_HOST: 'gateway.typo.org' };
  const change = (more: Record<string, string[]>, before: Record<string, string>, hasBoxes: boolean) =>
    readSetupRequest({ flags: { ...flags, ...more }, env: {} }, before, null, async () => hasBoxes);
  await assert.rejects(change({}, saved, true), /^Error: --domain: this gateway has the domain typo\.org, and boxes/);
  const { domain, publicHost, beginsAnew } = await change({}, saved, false);
  assert.deepEqual([domain, publicHost, beginsAnew], ['my.org', 'gateway.my.org', true]);
  const named = { ...saved, GATEWAY_PUBLIC_HOST: '203.0.113.5' };
  assert.equal((await change({}, named, false)).publicHost, '203.0.113.5');

  const network = { '--tunnel-network': ['10.9.0.0/24'] };
  assert.equal((await change(network, {}, true)).beginsAnew, false);
  const here = { GATEWAY_DOMAIN: 'my.org', GATEWAY_PUBLIC_HOST: 'gateway.my.org' };
  await assert.rejects(change(network, here, true), /--tunnel-network: this gateway has the network 10\.8\.0\.0\/24/);
  assert.equal((await change(network, here, false)).beginsAnew, true);
  const kept = await change({}, { ...here, GATEWAY_TUNNEL_NETWORK: '10.9.0.0/24' }, true);
  assert.deepEqual([kept.tunnelNetwork, kept.beginsAnew], ['10.9.0.0/24', false]);
});

test('refuses values that a file of Compose could misread, by the name of their flag', () => {
  const bad: [Setting<unknown>, string, RegExp][] = [
    [setupSettings.domain, 'https://my.org', /^--domain: write the domain alone/],
    [setupSettings.email, 'ada', /^--email: a mail address/],
    [setupSettings.publicHost, "x';y", /^--public-host: /],
    [setupSettings.tunnelNetwork, '10.8.0.0/16', /^--tunnel-network: a private network of 256/],
    [setupSettings.dnsProvider, 'a b', /^--dns-provider: /],
    [setupSettings.authority, 'https://x/$HOME', /^--acme-server: expected an address without quotes/],
    [setupSettings.trialAuthority, 'ftp://x', /^--acme-trial-server: /],
    [setupSettings.dnsServers, 'dns.example', /^--dns-server: expected an IP address/],
  ];
  for (const [setting, text, said] of bad) {
    assert.match(
      problemOf(() => readSetting(setting, { flags: { [setting.flag]: [text] }, env: {} })),
      said,
    );
  }
  for (const text of ['127.0.0.1', '127.0.0.1:53', '2001:db8::1']) {
    assert.deepEqual(readSetting(setupSettings.dnsServers, { flags: { '--dns-server': [text] }, env: {} }), [text]);
  }
});
