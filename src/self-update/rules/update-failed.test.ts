import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail, settingOf, stoppedBy, UpdateFailed } from './update-failed.ts';

test('a gateway is named another setting than a box', () => {
  assert.equal(settingOf('gateway', 'UNIT'), 'GATEWAY_UNIT in /etc/boxgate/gateway.env');
  assert.equal(settingOf('box', 'UNIT'), 'BOX_UNIT in /etc/boxgate/box.env');
});

test('a failure has the sentence and the cause', () => {
  const cause = new Error('x');
  assert.throws(
    () => fail('it is no file', cause),
    (error) => error instanceof UpdateFailed && error.message === 'it is no file' && error.cause === cause,
  );
});

test('long and unprintable texts of others do not reach an owner', () => {
  const { message } = new UpdateFailed(`\u001b]0;\n${'x'.repeat(5000)}`);
  assert.equal(message.length, 1000);
  assert.match(message, /\\u\{1b\}.*x…$/);
});

test('an update that a signal has stopped names the signal', () => {
  assert.equal(stoppedBy('SIGHUP').message, 'the update was stopped by a signal (SIGHUP); start it again');
});
