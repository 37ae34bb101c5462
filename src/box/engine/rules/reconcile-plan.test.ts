import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer as container } from '../../testing/sample-container.ts';
import {
  type AppObservation,
  type BlockedApp,
  type Observation,
  planReconcile,
  type ReadyApp,
  type Step,
} from './reconcile-plan.ts';

const started = (name: string) => ({
  succeeded: 'd1',
  containers: [{ name: `${name}-web-1`, service: 'web' }],
  failure: null,
});
const failed = { succeeded: null, containers: [], failure: 'why' };

function app(name: string, fields: Partial<BlockedApp> | Partial<ReadyApp> = {}): AppObservation {
  return {
    app: name,
    project: name,
    directory: `/apps/${name}`,
    blockedBy: null,
    digest: 'd1',
    record: started(name),
    due: null,
    notes: [],
    failedUp: null,
    ...fields,
  } as AppObservation;
}

function plan(seen: Partial<Observation>): string {
  const there = new Set(['/srv/own', ...(seen.apps ?? []).map(({ directory }) => directory)]);
  const steps = planReconcile({
    apps: [],
    containers: [],
    first: null,
    installedApps: '/apps',
    known: new Set(['lost', 'z-lost', 'deep', 'old-name-of-a']),
    isDirectory: (path) => there.has(path),
    ...seen,
  });
  const subject = (step: Step) => (step.do === 'down' ? `${step.app} (project ${step.project})` : step.app);
  return steps.map((step) => `${subject(step)}: ${step.do}: ${step.cause}\n`).join('');
}

test('choice/box/104: leaves an app alone that is unchanged since its last success and runs', () => {
  assert.equal(plan({ apps: [app('a')], containers: [container('a')] }), 'a: leave: in line\n');
});

test('puts the app acted on first, the others by name', () => {
  const apps = ['c', 'a', 'b'].map((name) => app(name));
  const containers = apps.map(({ app: name }) => container(name));
  assert.equal(plan({ apps, containers, first: 'b' }), 'b: leave: in line\na: leave: in line\nc: leave: in line\n');
});

test('brings up an app that never succeeded, has changed or does not run, and gives the cause', () => {
  const apps = [
    app('changed', { digest: 'd2' }),
    app('crashed'),
    app('dead'),
    app('due', { due: 'its images are built here' }),
    app('gone'),
    app('job'),
    app('failed', { record: failed }),
    app('failedjob'),
    app('new', { record: null }),
    app('odd'),
    app('unnamed', { record: { ...started('unnamed'), containers: [] } }),
    app('unrecorded', { record: null }),
  ];
  const containers = [
    container('changed'),
    container('crashed', { state: 'exited', exitCode: 0 }),
    container('dead', { state: 'dead' }),
    container('job', { state: 'exited', restarts: false }),
    container('failedjob', { state: 'exited', exitCode: 3, restarts: false }),
    container('odd', { state: 'paused' }),
    container('unrecorded'),
  ];
  assert.equal(
    plan({ apps, containers }),
    `changed: up: its Compose file or .env changed
crashed: up: its container crashed-web-1 is stopped with status 0
dead: up: its container dead-web-1 is dead
due: up: its images are built here
failed: up: its last start failed
failedjob: up: its container failedjob-web-1 is stopped with status 3
gone: up: its container gone-web-1 is gone
job: leave: in line
new: up: not brought up before
odd: warn: its container odd-web-1 is paused
unnamed: up: not brought up before
unrecorded: up: its last start is not on record
`,
  );
});

test("reports another app's container that Docker restarts, and brings up that of the app acted on", () => {
  const apps = [app('code'), app('nocode'), app('stopped')];
  const containers = [
    container('code', { state: 'restarting', exitCode: 3 }),
    container('nocode', { state: 'restarting' }),
    container('stopped', { state: 'restarting', name: 'stopped-db-1' }),
    container('stopped', { state: 'exited', exitCode: 1 }),
  ];
  assert.equal(
    plan({ apps, containers, first: 'code' }),
    `code: up: its container code-web-1 is restarting again and again after it ended with status 3
nocode: warn: its container nocode-web-1 is restarting again and again after it ended with status 0
stopped: up: its container stopped-web-1 is stopped with status 1
`,
  );
});

test('brings up the app acted on while it is not healthy, and leaves another one alone', () => {
  const apps = ['a', 'b', 'c'].map((name) => app(name));
  const containers = [
    container('a', { health: 'unhealthy' }),
    container('b', { health: 'unhealthy' }),
    container('c', { health: 'starting' }),
  ];
  assert.equal(
    plan({ apps, containers, first: 'a' }),
    'a: up: its container a-web-1 is unhealthy\nb: leave: in line\nc: leave: in line\n',
  );
  assert.match(plan({ apps, containers, first: 'c' }), /^c: up: its container c-web-1 is still starting\n/);
  const healthy = [container('a', { health: 'healthy' })];
  assert.equal(plan({ apps: [app('a')], containers: healthy, first: 'a' }), 'a: leave: in line\n');
});

test('repeats an up that failed for its images or containers only for the app acted on', () => {
  const apps = [
    app('down', { record: failed, failedUp: { why: 'down' } }),
    app('gone', { record: failed, failedUp: { why: 'down' } }),
    app('images', { record: failed, failedUp: { why: 'images', error: 'pull access denied' } }),
    app('new', { record: failed, failedUp: { why: 'images', error: null } }),
    app('recovered', { record: failed, failedUp: { why: 'down' } }),
  ];
  const containers = [container('down', { state: 'exited', exitCode: 3 }), container('recovered')];
  assert.equal(
    plan({ apps, containers }),
    `down: warn: its container down-web-1 is stopped with status 3
gone: up: its last start failed
images: warn: pull access denied; the box tries again by itself
new: up: its last start failed
recovered: leave: in line
`,
  );
  for (const { app: name } of apps) {
    assert.match(plan({ apps, containers, first: name }), new RegExp(`^${name}: up: its last start failed\n`));
  }
});

test('verifies only the containers of the app acted on', () => {
  const apps = ['a', 'b'].map((name) => app(name, { record: null }));
  const isDirectory = () => true;
  const known = new Set<string>();
  const steps = planReconcile({ apps, containers: [], first: 'b', installedApps: '/apps', known, isDirectory });
  assert.deepEqual(
    steps.map((step) => step.do === 'up' && [step.app, step.isVerified]),
    [
      ['b', true],
      ['a', false],
    ],
  );
});

test('does not count a one-off container', () => {
  const oneOff = container('a', { name: 'a-run-1', state: 'exited', exitCode: 1, oneOff: true });
  assert.equal(plan({ apps: [app('a')], containers: [container('a'), oneOff] }), 'a: leave: in line\n');
});

test('names what other projects run from the folder of the app acted on', () => {
  const mine = (service: string, fields = {}) =>
    container('mine', { name: `mine-${service}-1`, workingDirectory: '/apps/a', ...fields });
  const apps = [app('a', { notes: [] }), app('b', { notes: ['only of the first'] })];
  const containers = [container('a'), container('b'), mine('web'), mine('old', { state: 'exited' })];
  const also = 'of another project also runs from its folder; stop with: docker stop mine-web-1';
  assert.equal(
    plan({ apps, containers, first: 'a' }),
    `a: leave: in line\nb: leave: in line\na: warn: mine-web-1 ${also}\n`,
  );
  assert.equal(
    plan({ apps, containers, first: 'b' }),
    'b: leave: in line\na: leave: in line\nb: warn: only of the first\n',
  );
  assert.match(plan({ apps, containers: [...containers, mine('db')], first: 'a' }), /of other projects also run from/);
});

test('skips or fails a blocked app', () => {
  const apps = [
    app('a', { blockedBy: { kind: 'skip', detail: 'broken' } }),
    app('b', { blockedBy: { kind: 'error', detail: 'no Compose file' } }),
  ];
  const text = 'a: skip: broken\nb: fail: no Compose file\n';
  for (const first of [null, 'a']) assert.equal(plan({ apps, first }), text);
});

test('only skips a blocked app that is acted on', () => {
  const apps = [app('a', { blockedBy: { kind: 'skip', detail: 'broken' } })];
  assert.equal(plan({ apps, first: 'a' }), 'a: skip: broken\n');
});

test('stops an app whose containers may not run, and leaves what is stopped already', () => {
  const blocked = (name: string, kind: 'skip' | 'error') =>
    app(name, { blockedBy: { kind, detail: 'a disk is missing', mustStop: true } });
  const apps = [blocked('a', 'skip'), blocked('b', 'error'), blocked('c', 'skip')];
  const containers = [container('a'), container('b', { state: 'restarting' }), container('c', { state: 'exited' })];
  const steps = plan({ apps, containers });
  assert.match(steps, /^a\b.*: stop: a disk is missing\nb\b.*: stop: a disk is missing\nc: skip: a disk is missing\n$/);
});

test('choice/box/100: gives a shared project to the app that has its containers, else to the first by name', () => {
  const apps = [app('a', { project: 'p' }), app('b', { project: 'p' })];
  const running = [container('p', { workingDirectory: '/apps/b', name: 'b-web-1' })];
  assert.equal(
    plan({ apps, containers: running }),
    'a: fail: its project p is already that of the app b\nb: leave: in line\n',
  );
  assert.match(plan({ apps, containers: [] }), /^a: up: .*\nb: fail: its project p is already that of the app a\n$/);
});

test('a shared project stays with the app that has its containers even if that app is skipped', () => {
  const held = app('b', { project: 'p', blockedBy: { kind: 'skip', detail: 'its .env has a placeholder' } });
  const apps = [app('a', { project: 'p', record: null }), held];
  const running = [container('p', { workingDirectory: '/apps/b' })];
  assert.equal(
    plan({ apps, containers: running }),
    'a: fail: its project p is already that of the app b\nb: skip: its .env has a placeholder\n',
  );
  assert.equal(plan({ apps, containers: [] }), 'a: up: not brought up before\nb: skip: its .env has a placeholder\n');
});

test('does not touch the containers of a project outside the installed apps', () => {
  const foreign = container('a', { workingDirectory: '/srv/own' });
  assert.equal(
    plan({ apps: [app('a')], containers: [foreign] }),
    'a: fail: its project a is already in use by the containers of /srv/own\n',
  );
  const moved = container('a', { workingDirectory: '/srv/no-longer-there' });
  assert.equal(plan({ apps: [app('a')], containers: [moved] }), 'a: leave: in line\n');
});

test('choice/box/109: takes down a project whose folder among the installed apps is gone, and no other', () => {
  const containers = [
    container('z-lost', { workingDirectory: '/apps/z-lost' }),
    container('lost', { workingDirectory: '/apps/lost' }),
    container('lost', { workingDirectory: '/apps/lost', name: 'lost-db-1' }),
    container('deep', { workingDirectory: '/apps/a/deep' }),
    container('strange', { workingDirectory: '/apps/strange' }),
    container('elsewhere', { workingDirectory: '/srv/gone' }),
    container('own', { workingDirectory: '/srv/own' }),
    container('nowhere', { workingDirectory: '' }),
    container('a', { workingDirectory: '/apps/old-name-of-a' }),
  ];
  assert.equal(
    plan({ apps: [app('a')], containers }),
    'a: leave: in line\nlost (project lost): down: its folder is gone\nz-lost (project z-lost): down: its folder is gone\n',
  );
});
