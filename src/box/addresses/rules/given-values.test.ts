import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayUrl, loginName, networks, openPaths } from './given-values.ts';

test('the address of a gateway is https:, or loopback, and has no ending slash', () => {
  assert.equal(gatewayUrl('https://g.example/api//'), 'https://g.example/api');
  assert.equal(gatewayUrl('http://[::1]:8080'), 'http://[::1]:8080');
  for (const [text, fault] of [
    ['http://g.example', /^Error: expected an address that is https: or loopback http:, found "http:\/\/g\.example"$/],
    ['no', /https: or loopback/],
    ['https://ada:b@g.example', /without a user name or password$/],
    ['https://g.example/?a', /without \? and #/],
    ['https://g.example/#a', /without \? and #/],
  ] as const) {
    assert.throws(() => gatewayUrl(text), fault, text);
  }
});

test('a login is a name without a password', () => {
  assert.equal(loginName('ada.b'), 'ada.b');
  assert.throws(
    () => loginName('ada:secret'),
    (error: Error) => !error.message.includes('secret'),
  );
  assert.throws(() => loginName('a b'), /a name of 1 to 63 letters/);
});

test('lists of networks and paths may have commas, and are bounded', () => {
  assert.deepEqual(networks(['203.0.113.7, ::/0', '10.0.0.0/8']), ['203.0.113.7', '::/0', '10.0.0.0/8']);
  assert.throws(() => networks(['attic']), /addresses or networks such as .*, found "attic"/);
  assert.deepEqual(openPaths(['/ping', '/api/*']), ['/ping', '/api/*']);
  for (const text of ['ping', '/..', '/a?b', `/${'a'.repeat(200)}`]) {
    assert.throws(() => openPaths([text]), /a path such as \/ping/, text);
  }
  assert.throws(() => openPaths(Array(17).fill('/a')), /expected at most 16, got 17/);
});
