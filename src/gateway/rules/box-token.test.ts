import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { boxTokenOf, isBoxToken } from './box-token.ts';

const random = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

test('choice/gateway/58: a token has a prefix, 43 characters of base64url and 6 check characters', () => {
  assert.match(boxTokenOf(random), /^bgt_A{43}[0-9A-Za-z]{6}$/);
});

test('the check characters are the CRC-32 of the random part in base 62', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  for (let i = 0; i < 50; i += 1) {
    const text = randomBytes(32).toString('base64url');
    const check = boxTokenOf(text).slice(-6);
    const value = [...check].reduce((sum, character) => sum * 62 + digits.indexOf(character), 0);
    assert.equal(value, crc32(text), text);
  }
});

test('accepts every token that it makes', () => {
  for (let i = 0; i < 50; i += 1) {
    const token = boxTokenOf(randomBytes(32).toString('base64url'));
    assert.equal(isBoxToken(token), true, token);
  }
});

test('detects a typing error at any position', () => {
  const token = boxTokenOf('qM3-_x7Vb0aZkLp9TtRrYyUuIiOoPpAaSsDdFfGgHhJ');
  for (let i = 0; i < token.length; i += 1) {
    const wrong = token.slice(0, i) + (token[i] === 'x' ? 'y' : 'x') + token.slice(i + 1);
    assert.equal(isBoxToken(wrong), false, wrong);
  }
  const swapped = `bgt_M${token[4]}${token.slice(6)}`;
  for (const wrong of ['', 'bgt_', token.slice(0, -1), `${token}0`, ` ${token}`, token.toLowerCase(), swapped]) {
    assert.equal(isBoxToken(wrong), false, wrong);
  }
});
