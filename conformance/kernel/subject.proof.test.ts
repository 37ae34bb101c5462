import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEnd, startSubject } from './subject.ts';

test('a program that the suite killed ended by that, although the suite then also stops it', async () => {
  const server = "require('node:http').createServer().listen(process.env.BOX_PORT, '127.0.0.1')";
  const subject = await startSubject({ argv: [process.execPath, '-e', server], env: process.env });
  subject.kill();
  assert.equal(describeEnd(await subject.stop()), 'ended with SIGKILL, after SIGKILL of the suite');
});
