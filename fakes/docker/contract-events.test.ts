import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { closeAll, inspect, newProject, one, subject } from './contract-cases.ts';
import type { CaseProject } from './contract-subject.ts';
import type { EngineEvent } from './model/events.ts';

/** The contract about container events, restarts and health. */
after(closeAll);

const read = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EngineEvent);

/** Container events of a project so far, without those of the engine's health checks. */
function told({ name }: CaseProject, ...argv: string[]): EngineEvent[] {
  const filters = ['--filter', 'type=container', '--filter', `label=com.docker.compose.project=${name}`];
  const now = String(Date.now() / 1000);
  const run = subject.run([
    'events',
    '--since',
    '0',
    '--until',
    now,
    ...filters,
    '--format',
    'json',
    ...argv,
  ]);
  assert.equal(run.status, 0, run.err);
  return read(run.out).filter(({ Action }) => !Action.startsWith('exec_'));
}

/** The actions, in order. The real engine repeats `kill`, and sends `stop` before or after `die`. */
function words(events: readonly EngineEvent[]): string {
  const all = events.map(({ Action }) => Action).join(', ');
  return all.replace(/kill(, kill)+/g, 'kill').replaceAll('stop, die', 'die, stop');
}

async function until(holds: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!holds()) {
    assert.ok(Date.now() < giveUpAt, 'it did not come to pass in 60 s');
    await pause(20);
  }
}

test('tells what was done to a container, in its order and with what it is', async () => {
  const project = newProject();
  const image = await subject.freshTag();
  project.write('compose.yaml', one(image));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const id = inspect(name, '{{.Id}}');
  for (const argv of [
    ['stop', name],
    ['start', name],
    ['kill', name],
    ['restart', name],
    ['rm', '-f', name],
  ])
    assert.equal(subject.run(argv).status, 0, argv.join(' '));
  const events = told(project);
  const steps = [
    'create, start',
    'kill, die, stop',
    'start',
    'kill, die',
    'start, restart',
    'kill, die, destroy',
  ];
  assert.equal(words(events), steps.join(', '));
  for (const event of events) {
    const { Action, Actor, time } = event;
    assert.deepEqual(
      [
        event.status,
        event.id,
        event.from,
        event.Type,
        Actor.ID,
        Actor.Attributes.name,
        Actor.Attributes.image,
      ],
      [Action, id, image, 'container', id, name, image],
    );
    assert.equal(event.scope, 'local');
    assert.equal(time, Math.floor(event.timeNano / 1e9));
  }
  const dies = events.filter(({ Action }) => Action === 'die').map(({ Actor }) => Actor.Attributes.exitCode);
  assert.deepEqual(dies, ['137', '137', '137']);
  assert.equal(
    words(
      told(project, '--filter', 'event=start', '--filter', 'event=destroy', '--filter', `container=${id}`),
    ),
    'start, start, start, destroy',
  );
  assert.deepEqual(told(project, '--filter', 'label=com.docker.compose.service=other'), []);
});

test('tells that a container is made anew under the name of the old one', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.freshTag()));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const old = inspect(name, '{{.Id}}').slice(0, 12);
  project.compose('up', '-d', '--force-recreate');
  const events = told(project).slice(2);
  assert.equal(words(events), 'create, kill, die, stop, destroy, rename, start');
  const [created, renamed] = [events[0], events.find(({ Action }) => Action === 'rename')];
  assert.equal(created?.Actor.Attributes.name, `${old}_${name}`);
  assert.deepEqual(
    [renamed?.Actor.Attributes.name, renamed?.Actor.Attributes.oldName],
    [name, `/${old}_${name}`],
  );
});

test('tells health once it turns', async () => {
  const project = newProject();
  const { reference, healthcheck } = await subject.sick();
  const well = '{test: ["CMD", "true"], interval: 1s}';
  const sick = `{test: ${healthcheck}, interval: 1s, retries: 1}`;
  const service = (image: string, check: string) =>
    `{image: "${image}", stop_grace_period: 1s, healthcheck: ${check}}`;
  project.write(
    'compose.yaml',
    `services:\n  web: ${service(await subject.freshTag(), well)}\n  db: ${service(reference, sick)}\n`,
  );
  project.compose('up', '-d', '--quiet-pull');
  const turns = () =>
    told(project, '--filter', 'event=health_status').map(({ Action, Actor }) => [
      Actor.Attributes['com.docker.compose.service'],
      Action,
    ]);
  await until(() => turns().length >= 2);
  assert.deepEqual(turns().sort(), [
    ['db', 'health_status: unhealthy'],
    ['web', 'health_status: healthy'],
  ]);
  subject.run(['stop', `${project.name}-web-1`]);
  assert.equal(inspect(`${project.name}-web-1`, '{{.State.Health.Status}}'), 'unhealthy');
});

test('starts again and again what ends, when its restart policy says so, until it is stopped', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.stopping(), 'restart: unless-stopped'));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const counted = () => Number(inspect(name, '{{.RestartCount}}'));
  const state = () => inspect(name, '{{.State.Status}} {{.State.Restarting}} {{.State.ExitCode}}');
  await until(() => counted() >= 3 && state() === 'restarting true 3');
  const ps = ['ps', '--filter', `name=${name}`, '--format', '{{.State}}: {{.Status}}'];
  await until(() => /^restarting: Restarting \(3\) /.test(subject.run(ps).out));
  assert.match(words(told(project)), /^create, start, die, start, die, start, die/);
  assert.equal(told(project, '--filter', 'event=die')[0]?.Actor.Attributes.exitCode, '3');
  subject.run(['stop', name]);
  const count = counted();
  assert.equal(inspect(name, '{{.State.Status}}'), 'exited');
  subject.run(['start', name]);
  await until(() => state() === 'restarting true 3');
  assert.ok(counted() < count, 'whoever starts it begins to count anew');
});

test('tells what happens when it happens, until it is ended', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.freshTag()));
  project.compose('pull', '-q');
  const filters = [`label=com.docker.compose.project=${project.name}`, 'event=start', 'event=die'];
  const argv = ['events', ...filters.flatMap((filter) => ['--filter', filter]), '--format', '{{json .}}'];
  const stream = subject.begin(argv);
  const heard: string[] = [];
  createInterface(stream.stdout).on('line', (line) => heard.push(...read(line).map(({ Action }) => Action)));
  // The client does not say when it is connected, so the test repeats an action until it hears of it.
  project.compose('up', '-d');
  await until(() => {
    project.compose('restart', '-t', '0');
    return heard.length > 0;
  });
  const before = heard.length;
  project.compose('kill');
  await until(() => heard.length > before && heard.at(-1) === 'die');
  const ended = once(stream, 'exit');
  stream.kill('SIGTERM');
  const [status, signal] = await ended;
  assert.ok(signal === 'SIGTERM' || status === 143, `${status} ${signal}`);
});
