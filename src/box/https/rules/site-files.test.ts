import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Site } from './names.ts';
import {
  asksForLogin,
  importedFiles,
  isQuotable,
  labelsIn,
  pageFile,
  siteFiles,
  withImport,
  withoutImport,
} from './site-files.ts';

const page = {
  template: readFileSync('deploy/proxy/Caddyfile', 'utf8'),
  box: '127.0.0.1:7001',
  consoleAddress: '127.0.0.1:7101',
  stateDirectory: '/srv/my box',
  folder: '/srv/my box/https',
};
const domain = 'box.example.org';
const filesOf = (sites: Site[], present = new Map<string, string>()) =>
  siteFiles({ domain, certificate: { by: 'local' }, login: null }, page, sites, present);

test('the page is that of deploy/proxy, under the domain', () => {
  const text = filesOf([]).get(pageFile) ?? '';
  assert.match(text, /^box\.example\.org \{\n\ttls internal\n\t@box path/m);
  assert.match(text, /handle @box \{\n\t\treverse_proxy 127\.0\.0\.1:7001$/m);
  assert.match(text, /handle \/settings\/\* \{\n\t\treverse_proxy 127\.0\.0\.1:7101$/m);
  assert.match(text, /root \* "\/srv\/my box"$/m);
  assert.match(text, /^\*\.box\.example\.org \{\n\ttls internal\n\trespond .* 404\n\}$/m);
  assert.doesNotMatch(text, /:80|:7000|basicauth/);
});

test('an app has a file with its port, its text while it is down, or its file as it is', () => {
  const present = new Map([
    ['app-kept.caddy', 'reverse_proxy https://[fd00::7]:9000 {'],
    ['app-down.caddy', 'respond "no" 503'],
  ]);
  const files = filesOf(
    [
      { app: 'A', label: 'a', target: { port: 8080, isHttps: false } },
      { app: 'b', label: 'b', target: { port: 8443, isHttps: true } },
      { app: 'c', label: 'c', target: 'down' },
      { app: 'kept', label: 'kept', target: 'kept' },
      { app: 'down', label: 'down', target: 'kept' },
      { app: 'new', label: 'new', target: 'kept' },
    ],
    present,
  );
  assert.deepEqual([...labelsIn(files.keys())], ['a', 'b', 'c', 'kept', 'down', 'new']);
  assert.match(
    files.get('app-a.caddy') ?? '',
    /^a\.box\.example\.org \{\n\ttls internal\n\treverse_proxy 127\.0\.0\.1:8080\n\}$/m,
  );
  assert.match(
    files.get('app-b.caddy') ?? '',
    /reverse_proxy https:\/\/127\.0\.0\.1:8443 \{\n[^}]*tls_insecure_skip_verify/,
  );
  assert.match(files.get('app-c.caddy') ?? '', /respond .* 503/);
  assert.match(files.get('app-kept.caddy') ?? '', /^kept\.box\.example\.org \{\n[\s\S]*https:\/\/\[fd00::7\]:9000/m);
  for (const app of ['down', 'new']) assert.match(files.get(`app-${app}.caddy`) ?? '', /503/);
});

test('a file that is imported by its path is found', () => {
  assert.deepEqual(importedFiles(':80 {\n\timport /etc/caddy/login\n\timport sites/*\n\timport /a/*.caddy\n}\n'), [
    '/etc/caddy/login',
  ]);
});

test('a login of the main file is known by its directive', () => {
  assert.ok(asksForLogin(':80 {\n\tbasicauth {\n'));
  assert.ok(asksForLogin('forward_auth auth:9091 {'));
  assert.ok(!asksForLogin('# basicauth\n#basicauth {\nrespond "basicauth"\n'));
});

test('the main file gets one line, and loses it again', () => {
  const folder = '/var/lib/boxgate/https';
  const line = 'import /var/lib/boxgate/https/*.caddy';
  for (const before of ['', ':80 {\n}\n', '# all\nimport sites/*.caddy\n']) {
    const after = withImport(before, folder);
    assert.equal(after, `${before}${line}\n`);
    assert.equal(withImport(after, folder), after);
    assert.equal(withoutImport(after, folder), before);
  }
  assert.equal(withImport(':80', folder), `:80\n${line}\n`);
  assert.equal(withImport('', '/srv/my box'), 'import "/srv/my box/*.caddy"\n');
  for (const name of ['/a"b', '/a*', '/{$A}', '/a\nb']) assert.equal(isQuotable(name), false, name);
  assert.ok(isQuotable(folder));
});

test('a certificate of an authority is one file with its key', () => {
  const certificate = {
    by: 'dns' as const,
    provider: 'exec',
    email: 'a@b.org',
    server: null,
    resolver: null,
    variables: '/v',
  };
  const sites: Site[] = [{ app: 'a', label: 'a', target: 'down' }];
  const text = [...siteFiles({ domain, certificate, login: null }, page, sites, new Map()).values()].join('');
  assert.deepEqual(
    [...new Set(text.match(/tls .*/g))],
    ['tls "/srv/my box/https/certificate.pem" "/srv/my box/https/certificate.pem"'],
  );
});

test('a login protects the page, the apps or both, but for its exceptions', () => {
  const login = { name: 'ada', hash: '$2a$14$x', except: ['b'] };
  const port = { port: 80, isHttps: false };
  const sites: Site[] = ['a', 'b'].map((app) => ({ app, label: app, target: port }));
  const ofOwner = { file: '/etc/caddy/my login', except: ['b'] };
  const cases = [
    ['all', ['page.caddy', 'app-a.caddy']],
    ['page', ['page.caddy']],
    ['apps', ['app-a.caddy']],
  ] as const;
  for (const [of, expected] of cases) {
    for (const one of [login, ofOwner]) {
      const setting = { domain, certificate: { by: 'local' as const }, login: { ...one, of } };
      const files = siteFiles(setting, page, sites, new Map());
      const line = one === login ? 'basicauth {\n\t\tada $2a$14$x\n\t}\n' : '\timport "/etc/caddy/my login"\n';
      const found = [...files].filter(([, text]) => text.includes(line));
      assert.deepEqual(found.map(([name]) => name).toSorted(), [...expected].toSorted(), of);
      assert.equal(files.get(pageFile)?.includes('Server-Timing'), of !== 'apps');
      const hidesPassword = one === login && of !== 'page';
      assert.equal(files.get('app-a.caddy')?.includes('header_up -Authorization'), hidesPassword);
    }
  }
});
