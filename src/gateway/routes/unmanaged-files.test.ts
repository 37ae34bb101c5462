import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RouteFilesFailed } from '../ports.ts';
import { makeTestEnvironment, settled } from '../testing/test-gateway.ts';
import { makeInvalidFileReports } from './unmanaged-files.ts';

const line = 'the file "a.yml" in the routes directory keeps the proxy from reading any route: it is no map';

test('choice/gateway/568: reports each invalid file once, and again when it comes back', async (t) => {
  const { files, clock, warnings } = await makeTestEnvironment(t);
  let found = [{ name: 'a.yml', reason: 'it is no map' }];
  const routeFiles = { ...files, invalidFiles: async () => found };
  const report = makeInvalidFileReports({
    routeFiles,
    pause: clock.pause,
    warn: (text) => void warnings.push(text),
  });
  const look = async () => {
    void report();
    await clock.pass(1000);
  };
  await look();
  await look();
  assert.deepEqual(warnings, [line]);
  found = [{ name: 'b\n.yml', reason: 'x' }, ...found];
  await look();
  assert.match(warnings[1] ?? '', /^the file "b\\n\.yml" /);
  found = [];
  await look();
  found = [{ name: 'a.yml', reason: 'it is no map' }];
  await look();
  assert.deepEqual(warnings.slice(2), [line]);
});

test('many changes share a search, and without a change there is no search', async (t) => {
  const { files, clock } = await makeTestEnvironment(t);
  let searches = 0;
  const invalidFiles = async () => {
    searches += 1;
    return [];
  };
  const report = makeInvalidFileReports({
    routeFiles: { ...files, invalidFiles },
    pause: clock.pause,
    warn: assert.fail,
  });
  for (let changes = 0; changes < 50; changes += 1) void report();
  await settled();
  assert.equal(searches, 1);
  await clock.pass(1000);
  assert.equal(searches, 2, 'finds changes after the start of the first search');
  await clock.pass(10 * 60_000);
  assert.equal(searches, 2);
});

test('a directory that cannot be read is reported', async (t) => {
  const { files, clock, warnings } = await makeTestEnvironment(t);
  const invalidFiles = () => Promise.reject(new RouteFilesFailed('the routes directory is not there any more'));
  const routeFiles = { ...files, invalidFiles };
  void makeInvalidFileReports({ routeFiles, pause: clock.pause, warn: (text) => void warnings.push(text) })();
  await settled();
  assert.deepEqual(warnings, ['the routes directory is not there any more']);
});
