import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownAddressFindings, type ProxyRouter, proxyFindings } from './proxy-diagnosis.ts';

const router = (changes: Partial<ProxyRouter> = {}): ProxyRouter => ({
  name: 'boxgate-rt_a@file',
  status: 'enabled',
  error: '',
  rule: 'Host(`notes.example.org`)',
  priority: 1000,
  using: ['websecure'],
  ...changes,
});
const foreign = (rule: string, changes: Partial<ProxyRouter> = {}) =>
  router({ name: 'mine@file', rule, priority: 1001, ...changes });
const published = [{ host: 'notes.example.org', route: { id: 'rt_a' } }];

const textsOf = (
  others: ProxyRouter[],
  seen: { readTimeout?: string; own?: ProxyRouter[]; suspects?: string[] } = {},
) =>
  proxyFindings(
    { readTimeout: seen.readTimeout ?? null, routers: [...(seen.own ?? [router()]), ...others] },
    { entrypoint: 'websecure', published, suspects: seen.suspects ?? [] },
  ).map(({ about, text }) => `${about}: ${text}`);

test('finds nothing at a proxy that has all routes and takes long uploads', () => {
  assert.deepEqual(textsOf([]), []);
});

for (const [name, rule, changes] of [
  ['of a lower priority', 'HostRegexp(`.+`)', { priority: 999 }],
  ['of the same priority', 'HostRegexp(`.+`)', { priority: 1000 }],
  ['of the proxy itself', 'PathPrefix(`/`)', { name: 'ping@internal' }],
  ['at another entry point', 'HostRegexp(`.+`)', { using: ['web'] }],
  ['that names its hosts', 'Host(`gateway.example.org`)', { priority: 1_000_000 }],
] as const) {
  test(`takes a foreign router ${name} for harmless`, () => {
    assert.deepEqual(textsOf([foreign(rule, changes)]), []);
  });
}

for (const rule of [
  'HostRegexp(`^[a-z0-9-]+\\.example\\.test$`)',
  'PathPrefix(`/`)',
  'Host(`www.example.org`) || HostRegexp(`{any:.+}`)',
  'ClientIP(`0.0.0.0/0`)',
]) {
  test(`names a router with a higher priority and the rule ${rule}`, () => {
    assert.deepEqual(textsOf([foreign(rule)]), [
      'the proxy: its router mine@file may take the visitors of published hosts: its priority 1001 is above 1000',
    ]);
  });
}

test('names open paths that the proxy does not serve by themselves', () => {
  const open = router({ name: 'boxgate-rt_a-open@file', priority: 1001, status: 'disabled', error: 'no PathRegexp' });
  assert.deepEqual(textsOf([], { own: [router(), open] }), [
    'the proxy: it asks for a login on all paths of notes.example.org: no PathRegexp',
  ]);
});

test('names the limit of uploads, and the argument that lifts it', () => {
  assert.deepEqual(textsOf([], { readTimeout: '1m0s' }), [
    'the proxy: it cuts uploads that take longer than 1m0s: start Traefik with --entrypoints.websecure.transport.respondingTimeouts.readTimeout=0',
  ]);
});

test('names a disabled route with the reason of the proxy', () => {
  assert.deepEqual(textsOf([], { own: [router({ status: 'disabled', error: 'no valid entryPoint' })] }), [
    'the proxy: it does not serve notes.example.org: no valid entryPoint',
  ]);
});

test('names the files that may keep the proxy from reading', () => {
  assert.deepEqual(textsOf([], { own: [], suspects: ['mine.toml', 'a\u202e.yml'] }), [
    "the proxy: it does not have the routes of 1 published host, such as notes.example.org: a file in the routes directory keeps it from reading, and its log names the file (one of mine.toml, a\\u{202e}.yml); or that directory is another one than at Traefik's start: restart Traefik",
  ]);
  const [text] = proxyFindings(
    { readTimeout: null, routers: [] },
    {
      entrypoint: 'websecure',
      published: [...published, { host: 'b.example.org', route: { id: 'rt_b' } }],
      suspects: [],
    },
  );
  assert.match(text?.text ?? '', /routes of 2 published hosts, .* its log names the file; or that directory/);
});

for (const [name, changes, expected] of [
  ['no answer', { problem: 'ECONNREFUSED' }, /^boxes cannot reach it: the proxy gives no answer: ECONNREFUSED$/],
  ['404', { status: 404 }, /copy gateway-api\.yml into .* GATEWAY_DOMAIN=example\.org in its environment/],
  ['502', { status: 502 }, /the answer \(502\) is not the gateway's: does it run/],
  ['a page of another program', { text: '<html>' }, /the answer \(200\) is not the gateway's/],
  ['a certificate that is not trusted', { distrust: 'expired' }, /they do not trust its certificate \(expired\)/],
  ['the answer of the gateway', {}, null],
] as const) {
  test(`the gateway's own address: ${name}`, () => {
    const usual = {
      ...{
        host: 'gateway.example.org',
        status: 200,
        problem: null,
        isLate: false,
        distrust: null,
        text: '{"status":"ok"}',
      },
      ...{ certificateFrom: null, certificateUntil: null, certificateId: '' },
    };
    const [finding] = ownAddressFindings({ ...usual, ...changes });
    if (expected === null) return assert.equal(finding, undefined);
    assert.equal(finding?.about, 'https://gateway.example.org');
    assert.match(finding.text, expected);
  });
}
