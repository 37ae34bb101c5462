import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGatewayClient } from './gateway-client.ts';

for (const [maybeDone, reasons] of [
  [false, ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']],
  [false, ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_REVOKED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']],
  [false, ['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER']],
  [true, ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE']],
] as const) {
  for (const code of reasons) {
    test(`${code} means that ${maybeDone ? 'it may have been done' : 'nothing was sent'}`, async (t) => {
      const cause = Object.assign(new Error('why'), { code });
      t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('fetch failed', { cause })));
      await assert.rejects(makeGatewayClient('https://gateway.example').register('token', 'attic'), {
        name: 'GatewayLost',
        message: `no answer from https://gateway.example: ${code}`,
        maybeDone,
      });
    });
  }
}

test('a certificate of the future names the clock', async (t) => {
  const cause = Object.assign(new Error('why'), { code: 'CERT_NOT_YET_VALID' });
  t.mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('fetch failed', { cause })));
  await assert.rejects(makeGatewayClient('https://gateway.example').register('token', 'attic'), {
    message: /: CERT_NOT_YET_VALID; the clock of this machine says 2/,
    maybeDone: false,
  });
});
