import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessFault, routeAccess } from './route-access.ts';

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

test('keeps the fields that this version knows', () => {
  const all = { ...login, allow: ['::1'], open_paths: ['/a'] };
  assert.deepEqual(routeAccess({ ...all, later: true } as object), all);
  assert.deepEqual(routeAccess({}), {});
});
