import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedIn, askedSetting, needsPassword, passwordProblem, withoutFlags } from './asked-setting.ts';
import type { HttpsSetting } from './names.ts';

const asked = (texts: Record<string, string>, before: HttpsSetting | null = null) =>
  askedSetting(askedIn(new Map(Object.entries(texts))), before);
const local = { domain: 'box.example.org', local: 'true' };
const dns = { domain: 'box.example.org', dns: 'cloudflare', email: 'ada@example.org' };

test('what is absent stays as it was', () => {
  const first = asked({ ...local, resolver: '192.168.1.1:53' });
  assert.deepEqual(first, {
    domain: 'box.example.org',
    certificate: { by: 'local' },
    caddyfile: '/etc/caddy/Caddyfile',
    login: null,
    closing: null,
    resolver: '192.168.1.1:53',
  });
  const login = asked({ login: 'ada', login_except: 'films, books,', close_ports: '1', caddyfile: '/c' }, first);
  assert.equal(needsPassword(login), true);
  assert.deepEqual(login.login, { name: 'ada', hash: '', of: 'all', except: ['films', 'books'] });
  const kept = { ...login, login: { name: 'ada', hash: 'x', of: 'page' as const, except: ['films'] } };
  for (const same of [{}, { close_ports: 'true' }]) assert.deepEqual(asked(same, kept), kept);
  assert.equal(needsPassword(kept), false);
  assert.deepEqual(asked({ login_for: 'apps', close_except: 'films' }, kept), {
    ...kept,
    login: { ...kept.login, of: 'apps' },
    closing: { except: ['films'] },
  });
  assert.deepEqual(asked({ no_login: 'true', open_ports: 'true' }, kept), { ...kept, login: null, closing: null });
  assert.deepEqual(asked({ login_file: '/l' }, first).login, { file: '/l', of: 'all', except: [] });
  const certificate = asked({ ...dns, acme_server: 'https://a/dir', acme_resolver: '[::1]:53', dns_variables: '/v' });
  assert.deepEqual(asked({}, certificate), certificate);
  assert.deepEqual(asked({ email: 'bob@example.org' }, certificate).certificate, {
    ...{ by: 'dns', provider: 'cloudflare', email: 'bob@example.org' },
    ...{ server: 'https://a/dir', resolver: '[::1]:53', variables: '/v' },
  });
  assert.deepEqual(asked(dns, first).certificate, {
    ...{ by: 'dns', provider: 'cloudflare', email: 'ada@example.org' },
    ...{ server: null, resolver: null, variables: '/etc/boxgate/https.env' },
  });
  assert.deepEqual(asked({ local: 'true' }, certificate).certificate, { by: 'local' });
});

test('what cannot be is said, and nothing else gets into a file of Caddy or a call of lego', () => {
  const injected = ' {\n\trespond "x"\n}';
  const cases: [Record<string, string>, RegExp][] = [
    [{ local: 'true' }, /^name the domain/],
    [{ domain: 'box.example.org' }, /^say where certificates come from/],
    [{ ...local, dns: 'cloudflare' }, /exclude each other/],
    [{ domain: 'box.example.org', dns: 'cloudflare' }, /asks for an address of e-mail \(--email ADDRESS\)$/],
    [{ ...local, login: 'ada', login_file: '/l' }, /exclude each other/],
    [{ ...local, login_for: 'page' }, /^there is no login yet/],
    [{ ...local, login_except: 'films' }, /^there is no login yet/],
    [{ ...local, close_except: 'films' }, /needs --close-ports/],
    [{ ...local, domain: 'https://box' }, /^domain: "https:\/\/box": write the name alone/],
    [{ ...local, domain: `box.example.org${injected}` }, /^domain: /],
    [{ ...local, login: `ada${injected}` }, /^name of the login: expected letters/],
    [{ ...local, login: 'ada', login_for: `all${injected}` }, /^what the login protects: expected all, page or apps/],
    [{ ...dns, dns: `exec${injected}` }, /^provider: /],
    [{ ...dns, dns: '--path' }, /^provider: /],
    [{ ...dns, email: '--path=/x@y' }, /^e-mail: /],
    [{ ...dns, acme_server: 'file:///etc/passwd' }, /^authority: /],
    [{ ...dns, acme_server: 'https://[' }, /^authority: /],
    [{ ...dns, acme_resolver: 'a.b' }, /^name server of the authority: expected an address/],
    [{ ...local, resolver: '10.0.0.0/8' }, /^name server: expected an address/],
  ];
  for (const [texts, problem] of cases) assert.throws(() => asked(texts), { message: problem });
});

test('a password is long enough, and bcrypt reads all of it', () => {
  assert.equal(passwordProblem('correct horse'), null);
  for (const one of ['1234567', 'ä'.repeat(37)]) assert.equal(passwordProblem(one), 'a password has 8 to 72 bytes');
});

test('a page says no flags', () => {
  assert.equal(
    withoutFlags('add one (--login NAME or --login-file FILE), or (none) (--no-login)'),
    'add one, or (none)',
  );
});
