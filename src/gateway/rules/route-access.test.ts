import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessFault, isNetwork, routeAccess } from './route-access.ts';

const login = { login: 'ada', password_hash: 'hash' };

for (const [access, fault] of [
  [login, null],
  [{ allow: ['10.0.0.0/8'] }, null],
  [{ ...login, allow: ['::1'], open_paths: ['/api/*'] }, null],
  [{}, /^access must have login and password_hash, or allow$/],
  [{ login: 'ada' }, /^access must have both login and password_hash$/],
  [{ password_hash: 'hash' }, /both/],
  [{ allow: ['10.0.0.0/8'], open_paths: ['/api/*'] }, /^access must have a login if it has open_paths$/],
  [{ allow: ['10.0.0.0/8', '10.0.0.0/33'] }, /^access.allow must be networks .*, and 10\.0\.0\.0\/33 is none$/],
] as const) {
  test(`access rules ${JSON.stringify(access)} are ${fault === null ? 'valid' : 'refused'}`, () => {
    const found = accessFault(access);
    if (fault === null) assert.equal(found, null);
    else assert.match(found ?? '', fault);
  });
}

test('recognizes the addresses and networks that the proxy accepts', () => {
  const valid = ['0.0.0.0/0', '203.0.113.7', '255.255.255.255/32', '::/0', '::1', '2001:db8::/128', '::ffff:1.2.3.4'];
  const invalid = [
    '',
    '1.2.3',
    '1.2.3.4.',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
  ];
  for (const text of valid) assert.equal(isNetwork(text), true, text);
  for (const text of [...invalid, '::/129', ':::', 'g::1', '1.2.3.4/-1', 'abc'])
    assert.equal(isNetwork(text), false, text);
});

test('keeps the fields that this version knows', () => {
  const all = { ...login, allow: ['::1'], open_paths: ['/a'] };
  assert.deepEqual(routeAccess({ ...all, later: true } as object), all);
  assert.deepEqual(routeAccess({}), {});
});
