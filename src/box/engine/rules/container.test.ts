import assert, { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../testing/sample-container.ts';
import {
  allowedUntil,
  containersOfFolder,
  halfReplaced,
  hasDoneItsWork,
  isStarting,
  otherProjectsText,
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

const own = { project: 'a', directory: '/apps/a' };
const mine = (name: string, more: object = {}) =>
  sampleContainer('mine', { name, workingDirectory: '/apps/a', ...more });

test('names the containers of other projects that run from the folder of an app', () => {
  const quiet = [
    sampleContainer('a'),
    mine('x', { state: 'exited' }),
    mine('y', { oneOff: true }),
    sampleContainer('b'),
  ];
  equal(otherProjectsText(quiet, own), null);
  equal(
    otherProjectsText([...quiet, mine('one')], own),
    'one of another project also runs from its folder; stop with: docker stop one',
  );
  equal(
    otherProjectsText([mine('one'), mine('two')], own),
    'one, two of other projects also run from its folder; stop with: docker stop one two',
  );
});

const container = (id: string, name: string, fields = {}) =>
  sampleContainer('a', { id: id.repeat(64), name, service: 'web', oneOff: false, ...fields });
const old = container('9', 'a-web-1');
const made = container('1', '999999999999_a-web-1');
const namesOf = (containers: ReturnType<typeof container>[]) => halfReplaced(containers, 'a').map(({ name }) => name);

test('finds a new container under its temporary name beside the one that it was to replace', () => {
  assert.deepEqual(namesOf([old, made, container('2', 'a-db-1', { service: 'db' })]), [made.name]);
});

test('finds it also beside a container that kept the temporary name of an earlier killed up', () => {
  const next = container('2', '111111111111_a-web-1');
  assert.deepEqual(namesOf([made, next]), [next.name]);
});

test('ignores one whose predecessor is gone, also beside another container of the service', () => {
  assert.deepEqual(namesOf([made, container('2', 'a-db-1', { service: 'db' })]), []);
  assert.deepEqual(namesOf([made, container('2', 'a-web-2')]), []);
});

test('ignores containers of another project or service, and one-offs', () => {
  assert.deepEqual(halfReplaced([old, made], 'b'), []);
  assert.deepEqual(namesOf([old, { ...made, oneOff: true }]), []);
  assert.deepEqual(namesOf([{ ...old, project: 'b' }, made]), []);
  assert.deepEqual(namesOf([{ ...old, service: 'db' }, made]), []);
});
