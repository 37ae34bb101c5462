import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { until } from '../pause.ts';
import { freePort } from '../ports.ts';
import { closeAll, fields, inspect, newProject, one, subject } from './contract-cases.ts';
import type { CaseProject } from './contract-subject.ts';
import type { EngineEvent } from './model/state.ts';

/** Contract: container events, restarts, health, logs, times and ports. */
after(closeAll);

const read = (text: string) => fields(text) as unknown as EngineEvent[];

/** The container events of a project so far, without those of health checks. */
function eventsOf({ name }: CaseProject, ...argv: string[]): EngineEvent[] {
  const filters = ['--filter', 'type=container', '--filter', `label=com.docker.compose.project=${name}`];
  const now = String(Date.now() / 1000);
  const run = subject.run(['events', '--since', '0', '--until', now, ...filters, '--format', 'json', ...argv]);
  assert.equal(run.status, 0, run.err);
  return read(run.out).filter(({ Action }) => !Action.startsWith('exec_'));
}

/** The actions in order. The real engine repeats `kill`, and sends `stop` before or after `die`. */
function words(events: readonly EngineEvent[]): string {
  const all = events.map(({ Action }) => Action).join(', ');
  return all.replace(/kill(, kill)+/g, 'kill').replaceAll('stop, die', 'die, stop');
}

test('reports the events of a container in order, with its name, image and labels', async () => {
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
  const events = eventsOf(project);
  const steps = ['create, start', 'kill, die, stop', 'start', 'kill, die', 'start, restart', 'kill, die, destroy'];
  assert.equal(words(events), steps.join(', '));
  for (const event of events) {
    const { Action, Actor, time } = event;
    assert.deepEqual(
      [event.status, event.id, event.from, event.Type, Actor.ID, Actor.Attributes.name, Actor.Attributes.image],
      [Action, id, image, 'container', id, name, image],
    );
    assert.equal(event.scope, 'local');
    assert.equal(time, Math.floor(event.timeNano / 1e9));
  }
  const dies = events.filter(({ Action }) => Action === 'die').map(({ Actor }) => Actor.Attributes.exitCode);
  assert.deepEqual(dies, ['137', '137', '137']);
  assert.equal(
    words(eventsOf(project, '--filter', 'event=start', '--filter', 'event=destroy', '--filter', `container=${id}`)),
    'start, start, start, destroy',
  );
  assert.deepEqual(eventsOf(project, '--filter', 'label=com.docker.compose.service=other'), []);
});

test('reports a recreated container and its rename', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.freshTag()));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const old = inspect(name, '{{.Id}}').slice(0, 12);
  project.compose('up', '-d', '--force-recreate');
  const events = eventsOf(project).slice(2);
  assert.equal(words(events), 'create, kill, die, stop, destroy, rename, start');
  const [created, renamed] = [events[0], events.find(({ Action }) => Action === 'rename')];
  assert.equal(created?.Actor.Attributes.name, `${old}_${name}`);
  assert.deepEqual([renamed?.Actor.Attributes.name, renamed?.Actor.Attributes.oldName], [name, `/${old}_${name}`]);
});

test('reports each change of health once', async () => {
  const project = newProject();
  const { reference, healthcheck } = await subject.sick();
  const well = '{test: ["CMD", "true"], interval: 1s}';
  const sick = `{test: ${healthcheck}, interval: 1s, retries: 1}`;
  const service = (image: string, check: string) => `{image: "${image}", stop_grace_period: 1s, healthcheck: ${check}}`;
  project.write(
    'compose.yaml',
    `services:\n  web: ${service(await subject.freshTag(), well)}\n  db: ${service(reference, sick)}\n`,
  );
  project.compose('up', '-d', '--quiet-pull');
  const turns = () =>
    eventsOf(project, '--filter', 'event=health_status').map(({ Action, Actor }) => [
      Actor.Attributes['com.docker.compose.service'],
      Action,
    ]);
  await until('the expected state', () => turns().length >= 2);
  assert.deepEqual(turns().sort(), [
    ['db', 'health_status: unhealthy'],
    ['web', 'health_status: healthy'],
  ]);
  subject.run(['stop', `${project.name}-web-1`]);
  assert.equal(inspect(`${project.name}-web-1`, '{{.State.Health.Status}}'), 'unhealthy');
});

test('restarts a container that exits, by its restart policy, until it is stopped', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.stopping(), 'restart: unless-stopped'));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const counted = () => Number(inspect(name, '{{.RestartCount}}'));
  const state = () => inspect(name, '{{.State.Status}} {{.State.Restarting}} {{.State.ExitCode}}');
  await until('the expected state', () => counted() >= 3 && state() === 'restarting true 3');
  const ps = ['ps', '--filter', `name=${name}`, '--format', '{{.State}}: {{.Status}}'];
  await until('the expected state', () => /^restarting: Restarting \(3\) /.test(subject.run(ps).out));
  assert.match(words(eventsOf(project)), /^create, start, die, start, die, start, die/);
  assert.equal(eventsOf(project, '--filter', 'event=die')[0]?.Actor.Attributes.exitCode, '3');
  subject.run(['stop', name]);
  const count = counted();
  assert.equal(inspect(name, '{{.State.Status}}'), 'exited');
  subject.run(['start', name]);
  await until('the expected state', () => state() === 'restarting true 3');
  assert.ok(counted() < count, 'a manual start resets the restart count');
});

test('streams events until the client is killed', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.freshTag()));
  project.compose('pull', '-q');
  const filters = [`label=com.docker.compose.project=${project.name}`, 'event=start', 'event=die'];
  const argv = ['events', ...filters.flatMap((filter) => ['--filter', filter]), '--format', '{{json .}}'];
  const stream = subject.begin(argv);
  const heard: string[] = [];
  createInterface(stream.stdout).on('line', (line) => heard.push(...read(line).map(({ Action }) => Action)));
  // The client does not report when it is connected, so the test repeats an action until it sees the event.
  project.compose('up', '-d');
  await until('the expected state', () => {
    project.compose('restart', '-t', '0');
    return heard.length > 0;
  });
  const before = heard.length;
  project.compose('kill');
  await until('the expected state', () => heard.length > before && heard.at(-1) === 'die');
  const ended = once(stream, 'exit');
  stream.kill('SIGTERM');
  const [status, signal] = await ended;
  assert.ok(signal === 'SIGTERM' || status === 143, `${status} ${signal}`);
});

test('prints the log of a container', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.stopping()));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  await until('the expected state', () => inspect(name, '{{.State.Status}}') === 'exited');
  subject.run(['start', name]);
  const line = 'cannot start\n';
  const cases: [argv: string[], out: string][] = [
    [['logs', name], `${line}${line}`],
    [['logs', '--tail', '1', name], line],
    [['logs', '-n', '5', inspect(name, '{{.Id}}')], `${line}${line}`],
    [['logs', '--tail=0', name], ''],
    [['logs', '--tail', 'all', name], `${line}${line}`],
  ];
  await until('the expected state', () => subject.run(['logs', name]).out === `${line}${line}`);
  for (const [argv, out] of cases) assert.deepEqual(subject.run(argv), { status: 0, out, err: '' }, argv.join(' '));
});

test('follows the log of a container with times until it stops, and says what a container uses', async () => {
  const project = newProject();
  const command = 'entrypoint: ["sh", "-c", "echo begun; sleep 1000"]';
  project.write('compose.yaml', one(await subject.freshTag(), command));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const id = inspect(name, '{{.Id}}');
  const stats = ['stats', '--no-stream', '--no-trunc', '--format', '{{json .}}', name];
  const [used] = fields(subject.run(stats).out);
  assert.equal(used?.ID, id);
  assert.match(String(used.CPUPerc), /^\d+\.\d\d%$/);
  assert.match(String(used.MemUsage), /^[\d.]+[KM]?i?B \/ [\d.]+[GM]iB$/);
  assert.equal(subject.run([...stats.slice(0, -1), 'nothing']).status, 1);

  const stream = subject.begin(['logs', '--follow', '--timestamps', '--tail', '10', name]);
  let seen = '';
  stream.stdout.on('data', (bytes: Buffer) => {
    seen += bytes;
  });
  await until('the first line', () => seen.includes('\n'));
  const times = seen.split('\n').flatMap((line) => /^(\d{4}-\d\d-\d\dT[\d:]{8}\.\d{9}Z) \S/.exec(line)?.[1] ?? []);
  assert.notEqual(times.length, 0, seen);
  const ended = once(stream, 'exit');
  project.compose('kill');
  assert.equal((await ended)[0], 0);
  assert.match(subject.run(['logs', '--since', times[0] ?? '', '--timestamps', name]).out, new RegExp(`^${times[0]} `));
});

test('says how much the images and volumes of a project take', async () => {
  const project = newProject();
  const image = await subject.freshTag();
  project.write('compose.yaml', `${one(image, 'volumes: ["data:/data"]')}volumes: { data: {} }\n`);
  project.compose('up', '-d', '--quiet-pull');
  const shown = subject.run(['system', 'df', '-v', '--format', '{{json .}}']);
  const { Images: images, Volumes: volumes, Containers: containers, BuildCache: cache } = JSON.parse(shown.out);
  assert.ok(Array.isArray(containers) && Array.isArray(cache));
  type Named = Record<'ID' | 'Name', string>;
  // An image that has several tags is listed once, with one of them.
  const id = inspect(`${project.name}-web-1`, '{{.Image}}');
  const ofImage = images.find((row: Named) => row.ID === id);
  assert.match(`${ofImage.Size} ${ofImage.UniqueSize}`, /^[\d.]+[kMG]?B [\d.]+[kMG]?B$/);
  const volume = volumes.find((row: Named) => row.Name === `${project.name}_data`);
  assert.match(volume.Labels, new RegExp(`(^|,)com.docker.compose.project=${project.name}(,|$)`));
  assert.match(volume.Size, /^[\d.]+[kM]?B$/);
  assert.equal(volume.Links, '1');
  const asked = subject.run(['volume', 'inspect', volume.Name, 'nope']);
  const [{ Name, Driver, Options, Labels, Mountpoint }] = JSON.parse(asked.out);
  assert.deepEqual([Name, Driver, Options], [volume.Name, 'local', null]);
  assert.equal(Labels['com.docker.compose.project'], project.name);
  assert.ok(Mountpoint.endsWith(`/volumes/${volume.Name}/_data`));
  assert.deepEqual([asked.status, asked.err], [1, 'Error response from daemon: get nope: no such volume\n']);
});

test('reports times and exit code of the last run', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.freshTag()));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const state = () => JSON.parse(inspect(name, '{{json .State}}')) as Record<string, unknown>;
  const time = (value: unknown) => Date.parse(String(value));
  const first = state();
  assert.equal(first.FinishedAt, '0001-01-01T00:00:00Z');
  assert.deepEqual([first.Status, first.Running, first.ExitCode], ['running', true, 0]);
  subject.run(['stop', name]);
  const stopped = state();
  assert.deepEqual([stopped.Status, stopped.Running, stopped.ExitCode], ['exited', false, 137]);
  assert.equal(stopped.StartedAt, first.StartedAt);
  assert.ok(time(stopped.FinishedAt) >= time(first.StartedAt));
  subject.run(['start', name]);
  const again = state();
  assert.equal(again.FinishedAt, stopped.FinishedAt);
  assert.ok(time(again.StartedAt) >= time(stopped.FinishedAt));
});

test('lists published and exposed ports by address', async () => {
  const project = newProject();
  const [tcp, udp, same, local] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const ports = [`${tcp}:80`, `${udp}:53/udp`, `${same}:${same}`, `127.0.0.1:${local}:81`];
  project.write(
    'compose.yaml',
    one(await subject.freshTag(), `expose: ["7", "8", "10/udp"], ports: ${JSON.stringify(ports)}`),
  );
  const up = project.compose('up', '-d', '--quiet-pull');
  assert.equal(up.status, 0, up.err);
  const name = `${project.name}-web-1`;
  const version = subject.run(['version', '--format', '{{.Client.Version}}']).out;
  const ip6 = version.startsWith('26.') ? '::' : '[::]';
  const text = [
    '7-8/tcp',
    '10/udp',
    `0.0.0.0:${same}->${same}/tcp`,
    `${ip6}:${same}->${same}/tcp`,
    `0.0.0.0:${udp}->53/udp`,
    `${ip6}:${udp}->53/udp`,
    `0.0.0.0:${tcp}->80/tcp`,
    `${ip6}:${tcp}->80/tcp`,
    `127.0.0.1:${local}->81/tcp`,
  ].join(', ');
  const ps = () => subject.run(['ps', '-a', '--filter', `name=${name}`, '--format', '{{.Ports}}']).out.trim();
  assert.equal(ps(), text);
  assert.equal(project.compose('ps', '--format', '{{.Ports}}').out.trim(), text);
  const any = (port: number) => [
    { HostIp: '0.0.0.0', HostPort: String(port) },
    { HostIp: '::', HostPort: String(port) },
  ];
  assert.deepEqual(JSON.parse(inspect(name, '{{json .NetworkSettings.Ports}}')), {
    '7/tcp': null,
    '8/tcp': null,
    '10/udp': null,
    '53/udp': any(udp),
    '80/tcp': any(tcp),
    '81/tcp': [{ HostIp: '127.0.0.1', HostPort: String(local) }],
    [`${same}/tcp`]: any(same),
  });
  const publishers = fields(project.compose('ps', '--format', 'json').out)[0]?.Publishers as {
    URL: string;
    TargetPort: number;
    PublishedPort: number;
    Protocol: string;
  }[];
  const shown = publishers.map((one) => [one.URL, one.TargetPort, one.PublishedPort, one.Protocol].join(' '));
  assert.deepEqual(
    shown.sort(),
    [
      ...['0.0.0.0', '::'].flatMap((ip) => [`${ip} 53 ${udp} udp`, `${ip} 80 ${tcp} tcp`, `${ip} ${same} ${same} tcp`]),
      `127.0.0.1 81 ${local} tcp`,
      ' 7 0 tcp',
      ' 8 0 tcp',
      ' 10 0 udp',
    ].sort(),
  );
  subject.run(['stop', name]);
  assert.equal(ps(), '');
  assert.equal(inspect(name, '{{json .NetworkSettings.Ports}}'), '{}');
});
