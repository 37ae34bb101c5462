import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBoxToken } from './rules/box-token.ts';
import { areEqual, hashOf, newBoxToken, newId } from './tokens.ts';

test('makes a new token and a new id at each call', () => {
  const made = Array.from({ length: 100 }, () => newBoxToken());
  assert.equal(new Set(made).size, 100);
  for (const token of made) assert.equal(isBoxToken(token), true);
  const ids = Array.from({ length: 100 }, () => newId('rt'));
  assert.equal(new Set(ids).size, 100);
  for (const id of ids) assert.match(id, /^rt_[a-z2-7]{20}$/);
  assert.match(newId('box'), /^box_/);
});

test('hashes with SHA-256', () => {
  const digest = Buffer.from(hashOf('abc')).toString('hex');
  assert.equal(digest, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('gateway/auth/10: texts are equal byte for byte, whatever their lengths', () => {
  assert.equal(areEqual('secret', 'secret'), true);
  for (const other of ['', 'secre', 'secrets', 'Secret', 'secret ', 'secret\0']) {
    assert.equal(areEqual('secret', other), false, other);
  }
});
