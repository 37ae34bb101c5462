import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { gatewayCommands } from '../commands/gateway.ts';
import { copySettings, gatewaySettings, gatewayUpdateSettings } from './gateway-settings.ts';
import { readAll, readFlags } from './setting.ts';
import { problemOf as usageProblem } from './testing/problem-of.ts';
import { UsageError } from './usage-error.ts';

const required = {
  HOME: '/home/x',
  GATEWAY_TUNNEL_URL: 'http://wg.internal:51821',
  GATEWAY_TUNNEL_PASSWORD: 'the password',
  GATEWAY_DOMAIN: 'example.org',
};

type Variables = Record<string, string | undefined>;

const settingsOf = (args: string[] = [], env: Variables = {}) =>
  readAll(gatewaySettings, { flags: readFlags(args, gatewaySettings).flags, env: { ...required, ...env } });

const problemOf = (args: string[], env: Variables = {}) => usageProblem(() => settingsOf(args, env));

/** The default of each setting with a flag, a text for it, and the value of that text. */
// biome-ignore format: a table
const values = {
  host: ['127.0.0.1', '::1', '::1'],
  port: [8080, '1', 1],
  metrics: [null, '[::1]:9100', { host: '::1', port: 9100 }],
  mode: ['single', 'many', 'many'],
  store: [{ kind: 'file', path: '/s/gateway.db' }, 'memory:', { kind: 'memory' }],
  stateDir: ['/s', '/x', '/x'],
  tunnelUrl: [required.GATEWAY_TUNNEL_URL, 'https://a.b/c', 'https://a.b/c'],
  tunnelUsername: ['admin', 'me', 'me'],
  tunnelNetwork: [null, '10.9.0.0/16', { address: '10.9.0.0', prefix: 16 }],
  routesDir: ['/s/routes', '/r', '/r'],
  domain: [required.GATEWAY_DOMAIN, 'a.b', 'a.b'],
  certResolver: [null, 'le', 'le'],
  entrypoint: ['websecure', 'web', 'web'],
  proxyApi: ['http://127.0.0.1:8082', 'http://a.b:1', 'http://a.b:1'],
  reservedSubdomains: [[], 'VPN', ['vpn']],
  boxLimit: [10, '0', 0],
  routeLimit: [20, '1000000', 1_000_000],
} as const;

test('gateway/process/2, gateway/process/5, gateway/process/12, gateway/process/13, gateway/process/15, choice/gateway/581: the defaults', () => {
  const usual = Object.entries(values).map(([key, [value]]) => [key, value]);
  const secrets = { boxToken: null, tunnelPassword: required.GATEWAY_TUNNEL_PASSWORD };
  assert.deepEqual(settingsOf([], { GATEWAY_STATE_DIR: '/s' }), { ...Object.fromEntries(usual), ...secrets });
});

test('gateway/process/16: every setting but the secrets has a flag, which wins over its variable', () => {
  for (const [key, { flag, variable }] of Object.entries(gatewaySettings)) {
    if (key === 'boxToken' || key === 'tunnelPassword') continue;
    const [, text, value] = values[key as keyof typeof values];
    assert.deepEqual(settingsOf([`${flag}=${text}`], { [variable]: 'nonsense' })[key as keyof typeof values], value);
    assert.deepEqual(settingsOf([], { [variable]: text })[key as keyof typeof values], value);
  }
});

test('gateway/process/20: names the flag and the variable of what is missing', () => {
  for (const [variable, flag] of [
    ['GATEWAY_TUNNEL_URL', '--tunnel-url'],
    ['GATEWAY_DOMAIN', '--domain'],
  ] as const) {
    const problem = `${variable} is required: set it in /etc/boxgate/gateway.env (or ${flag})`;
    for (const value of ['', undefined]) assert.equal(problemOf([], { [variable]: value }), problem);
  }
  assert.equal(
    problemOf([], { GATEWAY_TUNNEL_PASSWORD: '' }),
    'GATEWAY_TUNNEL_PASSWORD is required: set it, or GATEWAY_TUNNEL_PASSWORD_FILE to the file that holds it',
  );
});

// biome-ignore format: a table
const badValues = {
  '--port': ['65536'],
  '--host': ['a b'],
  '--store': ['mysql://a/b', 'memory', 'file:', 'postgres:a', ''],
  '--state-dir': [''],
  '--tunnel-url': ['wg:51821', 'ftp://a.b', 'http://a.b/?c', 'http://a.b/#c'],
  '--tunnel-username': [''],
  '--domain': ['a..b', '-a.b', 'a_b.c', 'a.b.', '.a', '10.0.0.1', 'http://a.b', 'a.b:80', 'bü.de',
    `${'a'.repeat(64)}.b`, `${'a.'.repeat(126)}b`],
  '--cert-resolver': ['a b', '`'],
  '--entrypoint': ['{{x}}', ''],
  '--reserved-subdomain': ['vpn.example.org', '-a'],
  '--box-limit': ['-1', '1.5'],
  '--route-limit': ['1000001'],
};

test('a bad value is refused under the name it came by', () => {
  for (const [flag, values] of Object.entries(badValues)) {
    for (const value of values)
      assert.match(problemOf([`${flag}=${value}`]), new RegExp(`^${flag}: expected `), `${flag} ${value}`);
  }
  assert.match(problemOf([], { GATEWAY_STORE: 'x' }), /^GATEWAY_STORE: expected /);
});

test('a domain has no case, and may be one label', () => {
  assert.equal(settingsOf(['--domain', 'Apps.Example.ORG']).domain, 'apps.example.org');
  assert.equal(settingsOf(['--domain', 'localhost']).domain, 'localhost');
  assert.equal(settingsOf(['--domain', '1.2.xn--p1ai']).domain, '1.2.xn--p1ai');
});

test('choice/gateway/310: reserved subdomains are given by flags, or with commas in the variable', () => {
  const inVariable = settingsOf([], { GATEWAY_RESERVED_SUBDOMAINS: 'vpn, WWW,,mail' });
  assert.deepEqual(inVariable.reservedSubdomains, ['vpn', 'www', 'mail']);
  const byFlags = settingsOf(['--reserved-subdomain=vpn', '--reserved-subdomain=www']);
  assert.deepEqual(byFlags.reservedSubdomains, ['vpn', 'www']);
});

test('gateway/process/7: the kinds of store', () => {
  const file = { kind: 'file', path: 'some/path with:colon' };
  assert.deepEqual(settingsOf(['--store', 'file:some/path with:colon']).store, file);
  const url = 'postgresql://boxgate@db.internal/boxgate?sslmode=require';
  assert.deepEqual(settingsOf(['--store', url]).store, { kind: 'postgres', url });
});

test('addresses of PostgreSQL that mean something else than they say are refused in a sentence without the password', () => {
  for (const [url, expected] of [
    ['postgres://a:p#hunter2@db/x', /write # as %23/],
    ['postgres://a:12#hunter2@db/x', /write # as %23/],
    ['postgres://a:12/hunter2@db/x', /write # as %23/],
    ['postgres://a:12?hunter2@db/x', /write # as %23/],
    ['postgres://a:p%hunter2@db/x', /write # as %23/],
    ['postgres://a:%ffhunter2@db/x', /write # as %23/],
    ['postgres://a:hunter2@db1,db2/x', /one host/],
    ['postgres://a:hunter2@db1:1,db2:2/x', /one host/],
    ['postgres://a:hunter2@db:99999/x', /HOST:PORT/],
    ['postgres://a:hunter2@db/x?sslmode=on', /sslmode of disable, no-verify, allow, prefer, require/],
    ['postgres://a:hunter2@db/x?client_encoding=LATIN1', /UTF8/],
    ['postgres://a:hunter2@db/x?encoding=latin1', /UTF8/],
  ] as const) {
    const problem = problemOf([], { GATEWAY_STORE: url });
    assert.match(problem, expected, url);
    assert.match(problem, /^GATEWAY_STORE: expected [^\n]*$/);
    assert.doesNotMatch(problem, /hunter2/);
  }
  for (const url of [
    'postgres://a%40b:p%23%2F%3F%25%40w@[::1]:5432/x?sslmode=verify-ca&sslrootcert=/ca.pem',
    'postgres://a:p:w;"\u00e9+&=|x@db/x',
    'postgres:///x?host=/run/postgresql&user=me@server',
    'postgres://a@%2Frun%2Fpostgresql/x',
  ]) {
    assert.deepEqual(settingsOf([], { GATEWAY_STORE: url }).store, { kind: 'postgres', url });
  }
});

test('gateway/process/18: a password stands in the variable or its file, never in the flag', () => {
  const url = 'postgres://boxgate:hunter2@db/boxgate';
  for (const bad of [url, 'postgres://db/boxgate?user=a&password=hunter2']) {
    const problem = problemOf(['--store', bad]);
    assert.match(problem, /^--store: expected an address without a password/);
    assert.doesNotMatch(problem, /hunter2/);
  }
  assert.deepEqual(settingsOf([], { GATEWAY_STORE: url }).store, { kind: 'postgres', url });
  const file = join(temporaryFolder(), 'store');
  writeFileSync(file, `${url}\n`);
  assert.deepEqual(settingsOf([], { GATEWAY_STORE_FILE: file }).store, { kind: 'postgres', url });
  assert.doesNotMatch(problemOf([], { GATEWAY_STORE: 'postgre://a:hunter2@b' }), /hunter2/);
});

test('gateway/process/17, choice/gateway/105: secrets come from a variable or the file it names', () => {
  const file = join(temporaryFolder(), 'secret');
  writeFileSync(file, 'with blanks\r\n');
  assert.equal(settingsOf([], { GATEWAY_BOX_TOKEN: ' x ' }).boxToken, ' x ');
  const env = { GATEWAY_TUNNEL_PASSWORD: undefined, GATEWAY_TUNNEL_PASSWORD_FILE: file };
  assert.equal(settingsOf([], env).tunnelPassword, 'with blanks');
  for (const flag of ['--box-token', '--tunnel-password'])
    assert.throws(() => readFlags([flag, 'x'], gatewaySettings), UsageError);
});

test('an address of the tunnel manager with a password in it is refused without showing it', () => {
  const problem = problemOf(['--tunnel-url', 'http://me:hunter2@a.b']);
  assert.match(problem, /^--tunnel-url: expected an address without/);
  assert.doesNotMatch(problem, /hunter2/);
  assert.doesNotMatch(problemOf(['--tunnel-url', 'http://me:hunter2@a b']), /hunter2/);
});

test('the stores of a copy: both are required, and only a variable or its file may have a password', () => {
  const url = 'postgres://u:hidden@h/d';
  const readCopy = (args: string[], env: Variables = {}) =>
    readAll(copySettings, { flags: readFlags(args, copySettings).flags, env });
  const from = { kind: 'file', path: '/a.db' };
  assert.deepEqual(readCopy(['--from=file:/a.db'], { GATEWAY_STORE_TO: url }), { from, to: { kind: 'postgres', url } });
  for (const [args, env, expected] of [
    [['--from=file:/a.db'], {}, '--to is required (or GATEWAY_STORE_TO)'],
    [[], { GATEWAY_STORE_TO: 'memory:' }, '--from is required (or GATEWAY_STORE_FROM)'],
    [[`--from=${url}`], {}, /^--from: expected an address without a password/],
    [['--to=file:/b'], { GATEWAY_STORE_FROM: 'hidden' }, /^GATEWAY_STORE_FROM: expected memory:/],
  ] as const) {
    const problem = usageProblem(() => readCopy([...args], env));
    if (typeof expected === 'string') assert.equal(problem, expected);
    else assert.match(problem, expected);
    assert.doesNotMatch(problem, /hidden/);
  }
});

test('choice/gateway/394: the defaults of an update', () => {
  const source = { flags: { '--state-dir': ['/s'] }, env: {} };
  const { releaseKey, ...settings } = readAll(gatewayUpdateSettings, source);
  assert.deepEqual(settings, {
    stateDir: '/s',
    releaseFeed: null,
    softwareDir: '/opt/boxgate',
    unit: 'boxgate-gateway.service',
    updateWaitSeconds: 60,
    migrateStore: false,
  });
  assert.match(releaseKey, /\/src\/box\/release-key\.pem$/);
});

test('choice/gateway/394: the settings of an update belong to its commands alone', () => {
  const { stateDir: _ofAll, ...own } = gatewayUpdateSettings;
  const ofUpdate = Object.values(own).map(({ flag }) => flag);
  for (const { usage, settings } of gatewayCommands) {
    const flags = Object.values(settings).map(({ flag }) => flag);
    const expected = usage === 'gateway update apply' ? ofUpdate : ['--release-feed', '--release-key'];
    const found = flags.filter((flag) => ofUpdate.includes(flag));
    assert.deepEqual(found, usage.startsWith('gateway update') ? expected : [], usage);
  }
});
