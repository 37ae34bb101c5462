import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBoxToken } from '../rules/box-token.ts';
import { makeTokens } from './tokens.ts';

const tokens = makeTokens();

test('makes a new token and a new id at each call', () => {
  const made = Array.from({ length: 100 }, () => tokens.newBoxToken());
  assert.equal(new Set(made).size, 100);
  for (const token of made) assert.equal(isBoxToken(token), true);
  const ids = Array.from({ length: 100 }, () => tokens.newId('rt'));
  assert.equal(new Set(ids).size, 100);
  for (const id of ids) assert.match(id, /^rt_[a-z2-7]{20}$/);
  assert.match(tokens.newId('box'), /^box_/);
});

test('hashes with SHA-256', () => {
  const digest = Buffer.from(tokens.hash('abc')).toString('hex');
  assert.equal(digest, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('gateway/auth/10: texts are equal byte for byte, whatever their lengths', () => {
  assert.equal(tokens.areEqual('secret', 'secret'), true);
  for (const other of ['', 'secre', 'secrets', 'Secret', 'secret ', 'secret\0']) {
    assert.equal(tokens.areEqual('secret', other), false, other);
  }
});
