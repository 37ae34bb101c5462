import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress } from './client-address.ts';

const of = (remoteAddress: string | undefined, forwarded?: string) =>
  clientAddress({
    remoteAddress,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });

test('is the other end of the connection', () => {
  assert.equal(of('192.0.2.7'), '192.0.2.7');
  assert.equal(of('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(of('2001:db8::1'), '2001:db8::1');
  assert.equal(of('192.0.2.7', '198.51.100.1'), '192.0.2.7', 'only a proxy on this machine is believed');
  assert.equal(of(undefined), '');
});

test('is what a proxy on this machine names last', () => {
  for (const proxy of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    assert.equal(of(proxy, '10.0.0.1, 192.0.2.7'), '192.0.2.7');
    assert.equal(of(proxy, '2001:db8::1'), '2001:db8::1');
  }
  assert.equal(of('127.0.0.1'), '127.0.0.1');
  for (const odd of ['', 'unknown', '192.0.2.7:80', '1\n2', '192.0.2.7, ', `fe80::1%${'z'.repeat(50)}`])
    assert.equal(of('::1', odd), '::1', odd);
});
