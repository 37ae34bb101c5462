import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../testing/sample-container.ts';
import { stateOfContainers, stateWithoutContainers } from './app-state.ts';
import type { Container } from './container.ts';

const at = (time: string) => Date.parse(`2026-11-23T${time}Z`);
const now = at('08:00:00');

const container = (fields: Partial<Container> = {}): Container =>
  sampleContainer('app', { createdAt: at('07:00:00'), startedAt: at('07:10:00'), ...fields });
const db = (fields: Partial<Container> = {}) => container({ service: 'db', ...fields });
const exited = (exitCode: number, fields: Partial<Container> = {}) =>
  container({ state: 'exited', exitCode, finishedAt: at('07:30:00'), ...fields });
const crashing = container({ state: 'restarting', exitCode: 3, restartCount: 5, finishedAt: at('07:59:59') });
const restarted = container({ startedAt: at('07:59:55'), finishedAt: at('07:59:54'), restartCount: 1 });
const unhealthy = container({ health: 'unhealthy' });
const waking = container({ health: 'starting' });
const migration = exited(0, { service: 'migration', restarts: false });
const fresh = container({ state: 'created', startedAt: null, createdAt: at('07:59:58') });
const stale = container({ state: 'created', startedAt: null });

const cases: [what: string, Container[], state: string, detail: string, until?: number][] = [
  ['it runs', [container()], 'running', 'Running since 2026-11-23 07:10 UTC.'],
  ['healthy', [container({ health: 'healthy' })], 'running', 'Running since 2026-11-23 07:10 UTC.'],
  [
    'the last one decides since when',
    [container(), db({ startedAt: at('07:20:00') })],
    'running',
    'Running since 2026-11-23 07:20 UTC.',
  ],
  [
    'it was restarted long ago',
    [container({ restartCount: 2 })],
    'running',
    'Running since 2026-11-23 07:10 UTC, after 2 restart(s) by Docker.',
  ],
  [
    'a service that has done its work',
    [container(), migration],
    'running',
    'Running since 2026-11-23 07:10 UTC; migration ended at 2026-11-23 07:30 UTC with exit code 0.',
  ],
  ['only its work was done', [migration], 'stopped', 'It ended at 2026-11-23 07:30 UTC with exit code 0.'],
  [
    'it crashes',
    [crashing],
    'restarting',
    'It ended with exit code 3 at 2026-11-23 07:59 UTC, and Docker restarts it again and again (restart 5).',
  ],
  [
    'it crashes and runs for a moment',
    [restarted],
    'restarting',
    'It ended at 2026-11-23 07:59 UTC, and Docker restarted it (restart 1).',
    at('08:00:05'),
  ],
  [
    'Docker cannot start it again',
    [{ ...crashing, reason: 'no such file' }],
    'restarting',
    'It could not be started: no such file, and Docker restarts it again and again (restart 5).',
  ],
  ['unhealthy', [unhealthy], 'unhealthy', 'It fails its health check; it was started at 2026-11-23 07:10 UTC.'],
  [
    'its health is not known yet',
    [waking],
    'starting',
    'It was started at 2026-11-23 07:10 UTC, and its health check has not passed yet.',
  ],
  [
    'it is in its start period',
    [{ ...waking, startPeriodMs: 60 * 60_000 }],
    'starting',
    'It was started at 2026-11-23 07:10 UTC, and its health check has not passed yet; it has until 2026-11-23 08:10 UTC.',
  ],
  [
    'its start period is over',
    [{ ...waking, startPeriodMs: 60_000 }],
    'starting',
    'It was started at 2026-11-23 07:10 UTC, and its health check has not passed yet.',
  ],
  ['it stopped', [exited(137)], 'stopped', 'It stopped at 2026-11-23 07:30 UTC with exit code 137.'],
  [
    'it stopped well, and is meant to run on',
    [exited(0)],
    'stopped',
    'It stopped at 2026-11-23 07:30 UTC with exit code 0.',
  ],
  [
    'one of two stopped',
    [exited(1), db()],
    'stopped',
    'web stopped at 2026-11-23 07:30 UTC with exit code 1; db still runs.',
  ],
  [
    'one of three stopped',
    [exited(1), db(), db({ service: 'cache' })],
    'stopped',
    'web stopped at 2026-11-23 07:30 UTC with exit code 1; cache, db still run.',
  ],
  [
    'two stopped',
    [exited(1), exited(2, { service: 'db', finishedAt: null })],
    'stopped',
    'db stopped at an unknown time with exit code 2; web stopped at 2026-11-23 07:30 UTC with exit code 1.',
  ],
  ['paused', [container({ state: 'paused' })], 'stopped', 'It is paused.'],
  [
    'its port is taken',
    [{ ...stale, reason: 'port is already allocated.\n' }],
    'stopped',
    'It could not be started: port is already allocated.',
  ],
  ['it is about to start', [fresh], 'starting', 'It is about to start.', at('08:00:08')],
  ['nobody started it', [stale], 'stopped', 'It was created at 2026-11-23 07:00 UTC and never started.'],
  [
    'it waits for a healthy service',
    [stale, db({ health: 'starting' })],
    'starting',
    'db was started at 2026-11-23 07:10 UTC, and its health check has not passed yet; web waits for the services that it depends on.',
  ],
  [
    'it waits for a service that has work to do',
    [stale, db({ restarts: false })],
    'starting',
    'web waits for the services that it depends on.',
  ],
  [
    'restarting before unhealthy, and the first moment that changes anything',
    [restarted, { ...unhealthy, service: 'db' }, { ...fresh, service: 'cache' }],
    'restarting',
    'web ended at 2026-11-23 07:59 UTC, and Docker restarted it (restart 1).',
    at('08:00:05'),
  ],
  [
    'unhealthy before stopped',
    [unhealthy, exited(1, { service: 'db' })],
    'unhealthy',
    'web fails its health check; it was started at 2026-11-23 07:10 UTC.',
  ],
  [
    'stopped before starting',
    [waking, exited(1, { service: 'db' })],
    'stopped',
    'db stopped at 2026-11-23 07:30 UTC with exit code 1.',
  ],
];

for (const [what, containers, state, detail, until = null] of cases) {
  test(`state of containers: ${what}`, () => {
    assert.deepEqual(stateOfContainers(containers, [], now), { state, detail, until });
    assert.deepEqual(stateOfContainers(containers.toReversed(), [], now), { state, detail, until });
  });
}

test('a missing container makes a running app stopped, and leaves a crashing one crashing (choice/box/266)', () => {
  const running = stateOfContainers([container()], ['app-db-1'], now);
  assert.equal(running.state, 'stopped');
  assert.equal(running.detail, 'app-db-1 is gone; web still runs.');
  assert.equal(stateOfContainers([crashing], ['app-db-1'], now).state, 'restarting');
});

test('why the last start failed follows, unless the engine says it, or the app runs since a later start', () => {
  const failure = { why: 'pull denied', at: now };
  const detail = (one: Container) => stateOfContainers([one], [], now, failure).detail;
  assert.equal(detail(container()), 'Running since 2026-11-23 07:10 UTC; its last start failed: pull denied.');
  const later = stateOfContainers([container()], [], now, { ...failure, at: 1 }).detail;
  assert.equal(later, 'Running since 2026-11-23 07:10 UTC.');
  const ended = { ...stale, state: 'exited', exitCode: 1 };
  assert.match(stateOfContainers([ended], [], now, { ...failure, at: 1 }).detail, /its last start failed: pull denied/);
  assert.equal(detail({ ...stale, reason: 'port is taken' }), 'It could not be started: port is taken.');
});

test('without containers the first obstacle is given', () => {
  const state = (...of: Parameters<typeof stateWithoutContainers>) => {
    const { state, detail, until } = stateWithoutContainers(...of);
    assert.equal(until, null);
    return [state, detail];
  };
  assert.deepEqual(state({ kind: 'manifest', error: 'no JSON' }, [], true), [
    'not_started',
    'Not started, because it is broken: no JSON.',
  ]);
  assert.deepEqual(state({ kind: 'no Compose file' }, [], false), [
    'not_started',
    'Nothing to start: the app has no Compose file.',
  ]);
  assert.deepEqual(state({ kind: 'placeholders', keys: ['A_KEY', 'B_KEY'] }, ['a-1'], true), [
    'not_started',
    'Not started: its .env still has placeholder values for A_KEY, B_KEY.',
  ]);
  assert.deepEqual(state({ kind: 'failed', reason: 'no such image' }, [], false), [
    'not_started',
    'Not started: no such image.',
  ]);
  assert.equal(state({ kind: 'failed', reason: 'no such image' }, ['a-1'], true)[0], 'stopped');
  const stopped = 'Stopped by you on 2026-11-23 08:00 UTC.';
  assert.deepEqual(state({ kind: 'owner', at: now }, ['a-1'], true), ['stopped', stopped]);
  assert.deepEqual(state(null, [], false), ['not_started', 'Not started yet: the box has not brought it up so far.']);
  assert.deepEqual(state(null, [], true), ['stopped', 'Stopped: nothing of it is there any more.']);
  assert.deepEqual(state(null, ['a-1'], true), ['stopped', 'Stopped: a-1 is gone.']);
  assert.deepEqual(state(null, ['a-1', 'b-1'], true), ['stopped', 'Stopped: a-1, b-1 are gone.']);
});
