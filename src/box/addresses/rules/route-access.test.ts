import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessOf, hasAccess, shownAccess } from './route-access.ts';

const rules = { login: 'ada', allow: ['203.0.113.0/24', '::1'], open_paths: ['/api/*'] };

test('a rule that is not named stays', () => {
  assert.deepEqual(accessOf(rules, { allow: ['10.0.0.0/8'] }), { ...rules, allow: ['10.0.0.0/8'] });
  assert.equal(accessOf(undefined, {}), undefined);
});

test('a gateway that leaves out or changes a rule does not have it', () => {
  const access = { ...rules, password_hash: 'hash' };
  assert.equal(hasAccess({ access: rules }, access), true);
  assert.equal(hasAccess({}, undefined), true);
  for (const echoed of [undefined, null, 'yes', {}, { login: 'ada' }, { ...rules, allow: ['0.0.0.0/0'] }]) {
    assert.equal(hasAccess({ access: echoed }, access), false);
  }
});

test('shows the rules in words', () => {
  assert.equal(shownAccess(rules), 'login ada, only from 203.0.113.0/24 ::1, without login /api/*');
});
