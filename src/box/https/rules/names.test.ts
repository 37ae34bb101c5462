import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainProblem, hostLabel, isToClose, labelOwners, parseSetting, sitesOf } from './names.ts';

test('a domain is a name in small letters with a dot, and the refusal says what to leave out', () => {
  const cases: [string, RegExp | null][] = [
    ['box.example.org', null],
    ['home.arpa', null],
    ['xn--bcher-kva.example', null],
    ['https://box.example.org', /without https/],
    ['box.example.org/apps', /without a path/],
    ['*.example.org', /without "\*\."/],
    ['box.example.org.', /without the dot/],
    [`${'a.'.repeat(100)}org`, /189 characters/],
    ['Box.example.org', /small letters/],
    ['box', /with a dot/],
    ['192.168.1.7', /small letters/],
    ['box.example.org {', /small letters/],
    ['box..org', /small letters/],
    ['-box.example.org', /small letters/],
  ];
  for (const [text, problem] of cases) {
    if (problem === null) assert.equal(domainProblem(text), null, text);
    else assert.match(domainProblem(text) ?? '', problem, text);
  }
});

test('the name of an app has only letters, digits and hyphens, or there is none', () => {
  const cases: [string, string | null][] = [
    ['memos', 'memos'],
    ['Uptime Kuma', 'uptime-kuma'],
    ['my_app.v2', 'my-app-v2'],
    ['xn--bcher-kva', null],
    ['bücher', null],
    ['-a', null],
    ['a.', null],
    ['a'.repeat(64), null],
    ['a\n{ respond "x" }', null],
    ['a}b', null],
    ['a"b', null],
    ['{$HOME}', null],
    ['*', null],
  ];
  for (const [app, label] of cases) assert.equal(hostLabel(app), label, app);
});

test('of two apps for one name, the first has it', () => {
  assert.deepEqual(
    [...labelOwners(['a_b', 'a-b', 'a"', 'c'].map((name) => ({ name })))],
    [
      ['a-b', 'a_b'],
      ['c', 'c'],
    ],
  );
});

test('a name leads to the first port of a browser; an app that is down keeps it, one without a page has none', () => {
  const port = (number: number, label = '') => ({ port: number, label });
  const cases: [string, ReturnType<typeof port>[], boolean, unknown][] = [
    ['running', [port(80), port(81)], false, { port: 80, isHttps: false }],
    ['starting', [port(443, 'Web (https)')], true, { port: 443, isHttps: true }],
    ['running', [], true, undefined],
    ['stopped', [], true, 'down'],
    ['stopped', [], false, undefined],
    ['unknown', [], true, 'kept'],
    ['unknown', [], false, undefined],
  ];
  for (const [state, ports, isPresent, target] of cases) {
    const [site] = sitesOf([{ name: 'a', state, ports }], new Set(isPresent ? ['a'] : []));
    assert.deepEqual(site?.target, target, `${state} ${isPresent}`);
  }
  const bound = new Map([[80, '[fd00::7]']]);
  const [site] = sitesOf([{ name: 'a', state: 'running', ports: [port(80)], bound }], new Set());
  assert.deepEqual(site?.target, { port: 80, isHttps: false, address: '[fd00::7]' });
  const others = ['a_b', 'a-b', 'a}'].map((name) => ({ name, state: 'running', ports: [port(80)] }));
  assert.deepEqual(
    sitesOf(others, new Set()).map(({ app, label }) => [app, label]),
    [['a_b', 'a-b']],
  );
});

test('a setting is what setup wrote', () => {
  const setting = {
    domain: 'box.example.org',
    caddyfile: '/etc/caddy/Caddyfile',
    certificate: { by: 'local' as const },
    login: null,
    closing: null,
    resolver: null,
  };
  const certificate = {
    by: 'dns' as const,
    provider: 'exec',
    email: 'a@b.org',
    server: null,
    resolver: null,
    variables: '/v',
  };
  for (const one of [
    setting,
    { ...setting, certificate, resolver: '192.168.1.1' },
    { ...setting, certificate: { ...certificate, server: 'https://ca' } },
  ])
    assert.deepEqual(parseSetting(JSON.stringify(one)), one);
  for (const wrong of [{ provider: 1 }, { email: 1 }, { server: 1 }, { resolver: 1 }, { variables: 1 }])
    assert.equal(parseSetting(JSON.stringify({ ...setting, certificate: { ...certificate, ...wrong } })), null);
  for (const text of [
    '',
    '[]',
    '{"domain": "a.org"}',
    JSON.stringify({ ...setting, domain: 'a b' }),
    JSON.stringify({ ...setting, domain: 1 }),
    JSON.stringify({ ...setting, caddyfile: 1 }),
    JSON.stringify({ ...setting, certificate: 1 }),
    JSON.stringify({ ...setting, certificate: { by: 'magic' } }),
  ]) {
    assert.equal(parseSetting(text), null, text);
  }
});

test('a setting says whose ports are to be closed', () => {
  const setting = { domain: 'a.org', caddyfile: '/c', certificate: { by: 'local' } };
  const closes = (closing: unknown, app: string) =>
    isToClose(parseSetting(JSON.stringify({ ...setting, closing })), app);
  const cases: [unknown, boolean, boolean][] = [
    [undefined, false, false],
    [null, false, false],
    [{ except: ['tv'] }, true, false],
    [{ except: 1 }, true, true],
  ];
  for (const [closing, notes, tv] of cases) {
    assert.deepEqual([closes(closing, 'notes'), closes(closing, 'tv')], [notes, tv], JSON.stringify(closing));
  }
  assert.equal(isToClose(null, 'notes'), false);
});

test('a login that cannot be read makes the setting unreadable, so that no app is served without it', () => {
  const hash = `$2a$14$${'a'.repeat(53)}`;
  const login = { name: 'ada', hash, of: 'all', except: ['a'] };
  const setting = { domain: 'a.org', caddyfile: '/c', certificate: { by: 'local' } };
  const parsed = (one: unknown) => parseSetting(JSON.stringify({ ...setting, login: one }))?.login;
  const ofOwner = { file: '/etc/caddy/login', of: 'page', except: [] };
  assert.deepEqual([parsed(login), parsed(ofOwner)], [login, ofOwner]);
  assert.deepEqual([parsed(undefined), parsed(null)], [null, null]);
  for (const wrong of [
    1,
    { ...login, name: 'a b' },
    { ...login, hash: 'x}' },
    { ...login, hash: 1 },
    { ...login, of: 'x' },
    { ...login, except: 1 },
    { ...ofOwner, of: 'x' },
    { ...ofOwner, file: 1 },
  ])
    assert.equal(parsed(wrong), undefined);
});
