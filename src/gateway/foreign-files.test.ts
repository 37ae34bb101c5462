import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchForeignFiles } from './foreign-files.ts';
import { RouteFilesFailed } from './ports.ts';
import { makeTestWorld, settled } from './testing/test-gateway.ts';

const minuteMs = 60_000;

test('choice/gateway/97: tells of each file that stops the proxy once, and again when it is back', async (t) => {
  const { files, clock, warnings } = await makeTestWorld(t);
  let found = [{ name: 'a.yml', reason: 'it is no map' }];
  const routeFiles = { ...files, harmful: async () => found };
  void watchForeignFiles({ routeFiles, pause: clock.pause, warn: (text) => void warnings.push(text) });
  await settled();
  const line =
    'the file "a.yml" in the routes directory keeps the proxy from reading any route: it is no map';
  assert.deepEqual(warnings, [line]);
  await clock.pass(5 * minuteMs);
  assert.deepEqual(warnings, [line]);
  found = [{ name: 'b\n.yml', reason: 'x' }, ...found];
  await clock.pass(5 * minuteMs);
  assert.match(warnings[1] ?? '', /^the file "b\\n\.yml" /);
  found = [];
  await clock.pass(5 * minuteMs);
  found = [{ name: 'a.yml', reason: 'it is no map' }];
  await clock.pass(5 * minuteMs);
  assert.deepEqual(warnings.slice(2), [line]);
});

test('a directory that cannot be read is told of, and looked at again', async (t) => {
  const { files, clock, warnings } = await makeTestWorld(t);
  let fails = true;
  const harmful = async () => {
    if (fails) throw new RouteFilesFailed('the routes directory is not there any more');
    return [];
  };
  const routeFiles = { ...files, harmful };
  void watchForeignFiles({ routeFiles, pause: clock.pause, warn: (text) => void warnings.push(text) });
  await clock.pass(5 * minuteMs);
  fails = false;
  await clock.pass(5 * minuteMs);
  fails = true;
  await clock.pass(5 * minuteMs);
  assert.deepEqual(warnings, Array(2).fill('the routes directory is not there any more'));
});
