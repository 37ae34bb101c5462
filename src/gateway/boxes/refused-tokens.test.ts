import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestEnvironment } from '../testing/test-gateway.ts';
import { makeRefusedTokens } from './refused-tokens.ts';

test('choice/gateway/330: writes one line a minute for wrong tokens', async (t) => {
  const { clock, warnings } = await makeTestEnvironment(t);
  const tokens = makeRefusedTokens({ pause: clock.pause, warn: (text) => void warnings.push(text) });
  await clock.pass(120_000);
  for (let n = 0; n < 13; n += 1) tokens.count(`192.0.2.${n % 2}`);
  await clock.pass(59_999);
  assert.deepEqual(warnings, []);
  await clock.pass(1);
  tokens.count('192.0.2.9');
  await clock.pass(60_000);
  await clock.pass(600_000);
  assert.deepEqual(warnings, [
    '13 registrations with a wrong token in the last minute, from 2 addresses: 192.0.2.0, 192.0.2.1',
    '1 registration with a wrong token in the last minute, from 192.0.2.9',
  ]);
});

test('choice/gateway/330: a shutdown writes the current count, once', async (t) => {
  const { clock, warnings } = await makeTestEnvironment(t);
  const tokens = makeRefusedTokens({ pause: clock.pause, warn: (text) => void warnings.push(text) });
  tokens.flush();
  tokens.count('2001:db8::1');
  tokens.flush();
  await clock.pass(60_000);
  assert.deepEqual(warnings, ['1 registration with a wrong token in the last minute, from 2001:db8::1']);
});

test('choice/gateway/330: bounds the memory and the line for any number of addresses', async (t) => {
  const { clock, warnings } = await makeTestEnvironment(t);
  const tokens = makeRefusedTokens({ pause: clock.pause, warn: (text) => void warnings.push(text) });
  for (let n = 0; n < 5; n += 1) tokens.count(`10.0.0.${n}`);
  tokens.flush();
  for (let n = 0; n < 5000; n += 1) tokens.count(`2001:db8::${n}`);
  tokens.flush();
  assert.deepEqual(warnings, [
    '5 registrations with a wrong token in the last minute, from 5 addresses: 10.0.0.0, 10.0.0.1, 10.0.0.2, …',
    '5000 registrations with a wrong token in the last minute, from at least 1000 addresses: 2001:db8::0, ' +
      '2001:db8::1, 2001:db8::2, …',
  ]);
});
