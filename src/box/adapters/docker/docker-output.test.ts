import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContainerIds, parseContainers, parseEvent, parseImageIds, usedNetworks } from './docker-output.ts';

const poor = {
  name: '',
  project: '',
  service: '',
  workingDirectory: '',
  oneOff: false,
  needs: [],
  networkOf: null,
  state: '',
  exitCode: 0,
  reason: '',
  health: null,
  startPeriodMs: 0,
  stopPeriodMs: 10_000,
  restarts: false,
  restartCount: 0,
  createdAt: 0,
  startedAt: null,
  finishedAt: null,
  published: [],
  mounts: [],
  isOnHostNetwork: false,
  imageId: '',
  image: '',
};
const inspected = {
  Mounts: [
    { Type: 'volume', Name: 'a_data', Source: '/volumes/a_data/_data', Destination: '/data', RW: true },
    { Type: 'bind', Source: '/etc/hosts', Destination: '/hosts', RW: false },
  ],
  Id: 'abc',
  Name: '/a-web-1',
  Image: 'sha256:1',
  Created: '2026-01-01T00:00:00.5Z',
  RestartCount: 2,
  State: {
    Status: 'exited',
    ExitCode: 137,
    Error: 'no such file',
    StartedAt: '2026-01-01T00:00:01Z',
    FinishedAt: '0001-01-01T00:00:00Z',
    Health: { Status: 'unhealthy' },
  },
  HostConfig: { NetworkMode: 'host', RestartPolicy: { Name: 'always' } },
  NetworkSettings: { Ports: { '80/tcp': [{ HostIp: '0.0.0.0', HostPort: '8080' }], '90/tcp': null } },
  Config: {
    Image: 'web:1',
    Healthcheck: { StartPeriod: 20_000_000_000 },
    StopTimeout: 90,
    Labels: {
      'com.docker.compose.project': 'a',
      'com.docker.compose.service': 'web',
      'com.docker.compose.project.working_dir': '/apps/a',
      'com.docker.compose.oneoff': 'True',
      'com.docker.compose.depends_on': 'db:service_healthy:true,setup:service_completed_successfully:false',
    },
  },
};

test('reads a container from an array, and from one object a line among other lines', () => {
  const read = {
    id: 'abc',
    name: 'a-web-1',
    project: 'a',
    service: 'web',
    workingDirectory: '/apps/a',
    oneOff: true,
    needs: [
      { service: 'db', healthy: true },
      { service: 'setup', healthy: false },
    ],
    networkOf: null,
    state: 'exited',
    exitCode: 137,
    reason: 'no such file',
    health: 'unhealthy',
    startPeriodMs: 20_000,
    stopPeriodMs: 90_000,
    restarts: true,
    restartCount: 2,
    createdAt: Date.parse('2026-01-01T00:00:00.5Z'),
    startedAt: Date.parse('2026-01-01T00:00:01Z'),
    finishedAt: null,
    published: [{ address: '0.0.0.0', hostPort: 8080, containerPort: 80, protocol: 'tcp' }],
    mounts: [
      { type: 'volume', name: 'a_data', source: '/volumes/a_data/_data', target: '/data', isWritable: true },
      { type: 'bind', name: '', source: '/etc/hosts', target: '/hosts', isWritable: false },
    ],
    isOnHostNetwork: true,
    imageId: 'sha256:1',
    image: 'web:1',
  };
  assert.deepEqual(parseContainers(JSON.stringify([inspected, 5], null, 2)), [read]);
  const line = JSON.stringify(inspected);
  assert.deepEqual(parseContainers(`WARNING: no swap\nnull\n${line}\n{"Id":\n${line}\n`), [read, read]);
});

test('accepts an incomplete description, and tells no container from no understanding', () => {
  assert.deepEqual(parseContainers('{"Id":"abc","State":{"Health":null},"Config":{"Labels":null}}'), [
    { id: 'abc', ...poor },
  ]);
  assert.deepEqual(parseContainers('[]\n'), []);
  for (const text of ['', '{{json .Id}}', 'abc running']) assert.equal(parseContainers(text), null);
});

test('knows whose network a container uses', () => {
  const [parsed] = parseContainers('{"Id":"abc","HostConfig":{"NetworkMode":"container:def"}}') ?? [];
  assert.equal(parsed?.networkOf, 'def');
});

test('choice/box/266: Docker does not restart a container that ended with 0 under no policy or on-failure', () => {
  const container = (Name: string) => ({ Id: 'abc', HostConfig: { RestartPolicy: { Name } } });
  const policies = ['', 'no', 'on-failure', 'always', 'unless-stopped'];
  const parsed = parseContainers(JSON.stringify(policies.map(container)));
  assert.deepEqual(
    parsed?.map(({ restarts }) => restarts),
    [false, false, false, true, true],
  );
});

test('reads one id a line, and skips warnings', () => {
  assert.deepEqual(parseContainerIds('WARNING: no swap\nabc\n12de\n'), ['abc', '12de']);
  assert.deepEqual(parseContainerIds('\n'), []);
  assert.equal(parseContainerIds('CONTAINER ID   IMAGE   NAMES\nabc   web:1   a-web-1\n'), null);
});

test('finds the networks that Compose leaves', () => {
  const said =
    ' Container a-web-1  Removed\n Network a_default  Removing\n Network a_default  Resource is still in use\n';
  assert.deepEqual(usedNetworks(said), ['a_default']);
});

test('gives each tag the id on its line', () => {
  assert.deepEqual(
    [...parseImageIds('sha256:1\nsha256:2\n', ['a', 'b'])],
    [
      ['a', 'sha256:1'],
      ['b', 'sha256:2'],
    ],
  );
  assert.deepEqual([...parseImageIds('\n', ['a', 'b'])], []);
  assert.deepEqual([...parseImageIds('[\n  {"Id": "sha256:1"}\n]', ['a', 'b'])], []);
});

const eventLine = (Action: string, directory: unknown = '/apps/memos') =>
  JSON.stringify({ Action, Actor: { Attributes: { 'com.docker.compose.project.working_dir': directory } } });
const events: [line: string, stops: string | null, isSignal: boolean][] = [
  [eventLine('die'), '/apps/memos', false],
  [eventLine('kill'), '/apps/memos', true],
  [eventLine('start'), null, false],
  [eventLine('die', 5), null, false],
  [JSON.stringify({ Action: 'die' }), null, false],
  ['null', null, false],
  ['5', null, false],
  ['2026-11-26T05:00:00Z container die abc (image=web:1)', null, false],
];
for (const [line, stops, isSignal] of events) {
  test(`the event ${line}`, () => assert.deepEqual(parseEvent(line), { stops, isSignal }));
}
