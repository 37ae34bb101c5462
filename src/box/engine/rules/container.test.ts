import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../testing/sample-container.ts';
import {
  allowedUntil,
  containersOfFolder,
  hasDoneItsWork,
  isStarting,
  ownContainers,
  stopTimeMs,
  timeText,
  withoutNetwork,
} from './container.ts';

test('services that depend on others stop before them; containers of one service stop together', () => {
  const container = (service: string, stopPeriodMs: number) => sampleContainer('notes', { service, stopPeriodMs });
  assert.equal(stopTimeMs([container('web', 10_000), container('web', 20_000), container('db', 90_000)]), 110_000);
  assert.equal(stopTimeMs([]), 0);
});

test('a container is starting until it was started and its health check has passed', () => {
  assert.equal(isStarting(sampleContainer('a')), false);
  assert.equal(isStarting(sampleContainer('a', { state: 'created' })), true);
  assert.equal(isStarting(sampleContainer('a', { health: 'starting' })), true);
  assert.equal(allowedUntil(sampleContainer('a', { startedAt: null, startPeriodMs: 5 })), 0);
  assert.equal(
    timeText(allowedUntil(sampleContainer('a', { startedAt: 0, startPeriodMs: 90_000 }))),
    '1970-01-01 00:01 UTC',
  );
  assert.equal(timeText(null), 'an unknown time');
});

test('a container has done its work if it ended with 0 and is not started again', () => {
  const ended = { state: 'exited', exitCode: 0, restarts: false };
  const cases = [ended, { ...ended, exitCode: 1 }, { ...ended, restarts: true }, { ...ended, state: 'running' }];
  assert.deepEqual(
    cases.map((fields) => hasDoneItsWork(sampleContainer('a', fields))),
    [true, false, false, false],
  );
});

test("one-off containers are none of a project's", () => {
  const containers = [sampleContainer('a'), sampleContainer('a', { oneOff: true }), sampleContainer('b')];
  assert.deepEqual(ownContainers(containers, 'a'), [containers[0]]);
  const own = sampleContainer('mine', { workingDirectory: '/apps/a' });
  const found = containersOfFolder([...containers, own], { project: 'a', directory: '/apps/a' });
  assert.deepEqual(found, [containers[0], own]);
});

test('a container lost its network if the one that provides it was started after it', () => {
  const web = sampleContainer('a', { id: 'web', startedAt: 2 });
  const side = (fields = {}) => sampleContainer('a', { id: 'side', startedAt: 1, networkOf: 'web', ...fields });
  assert.deepEqual(withoutNetwork([web, side()]), [side()]);
  const fine = [
    side({ startedAt: 3 }),
    side({ state: 'exited' }),
    side({ networkOf: 'gone' }),
    side({ networkOf: null }),
  ];
  for (const one of fine) assert.deepEqual(withoutNetwork([web, one]), []);
  assert.deepEqual(withoutNetwork([{ ...web, state: 'exited' }, side()]), []);
});
