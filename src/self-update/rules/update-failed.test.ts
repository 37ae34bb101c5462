import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail, settingOf, UpdateFailed } from './update-failed.ts';

test('a gateway is named another setting than a box', () => {
  assert.equal(settingOf('gateway', 'UNIT'), 'GATEWAY_UNIT in /etc/boxgate/gateway.env');
  assert.equal(settingOf('box', 'UNIT'), 'BOX_UNIT in /etc/boxgate/box.env');
});

test('a failure has the code, the sentence and the cause', () => {
  const cause = new Error('x');
  assert.throws(
    () => fail('feedNoFile', 'it is no file', cause),
    (error) => error instanceof UpdateFailed && error.code === 'feedNoFile' && error.cause === cause,
  );
});

test('long and unprintable texts of others do not reach an owner', () => {
  const { message } = new UpdateFailed('feedUnreadable', `\u001b]0;\n${'x'.repeat(5000)}`);
  assert.equal(message.length, 1000);
  assert.match(message, /\\u\{1b\}.*x…$/);
});
