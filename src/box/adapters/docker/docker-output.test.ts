import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseContainerImages,
  parseContainerList,
  parseEngineContainers,
  parseImageIds,
  withInspectedLabels,
} from './docker-output.ts';

const poor = { project: '', service: '', workingDirectory: '', restarts: 0, state: '' };
const line = (fields: object) =>
  JSON.stringify({ ID: 'abc', Names: 'a-web-1', State: 'running', Status: 'Up 2 hours', Labels: '', ...fields });

test('reads a container of a project from a line of docker ps', () => {
  const labels = [
    'com.docker.compose.config-hash=1f',
    'com.docker.compose.depends_on=db:service_healthy:false,cache:service_started:false',
    'com.docker.compose.oneoff=False',
    'com.docker.compose.project=a',
    'com.docker.compose.project.config_files=/apps/a/compose.yaml,/apps/a/compose.override.yaml',
    'com.docker.compose.project.working_dir=/apps/a, b',
    'com.docker.compose.service=web',
  ];
  assert.deepEqual(parseContainerList(`${line({ Labels: labels.join(','), Ports: '0.0.0.0:8080->80/tcp' })}\n`), [
    {
      id: 'abc',
      name: 'a-web-1',
      project: 'a',
      service: 'web',
      workingDirectory: '/apps/a, b',
      state: 'running',
      exitCode: null,
      health: null,
      oneOff: false,
      published: [{ address: '0.0.0.0', from: 8080, to: 8080, target: 80, protocol: 'tcp' }],
      isDoubtful: false,
    },
  ]);
});

test('distrusts a directory whose name may look like another label', () => {
  const labels = [
    'com.docker.compose.project.working_dir=/apps/a,b=c',
    'com.docker.compose.project.config_files=/apps/a,b=c/compose.yaml',
    'com.docker.compose.project=abc',
  ];
  const [seen] = parseContainerList(line({ Labels: labels.join(',') }));
  assert.equal(seen?.isDoubtful, true);
  const whole = { 'com.docker.compose.project.working_dir': '/apps/a,b=c' };
  const inspected = JSON.stringify([{ Id: 'abc', Config: { Labels: whole } }]);
  assert.equal(seen && withInspectedLabels(seen, inspected).workingDirectory, '/apps/a,b=c');
});

test("distrusts a label that may be part of another label's value", () => {
  const labels = 'com.docker.compose.project=a,zz=x,com.docker.compose.project=vault,com.docker.compose.service=web';
  const [seen] = parseContainerList(line({ Labels: labels }));
  assert.equal(seen?.isDoubtful, true);
  const inspected = [
    { Id: 'other' },
    {
      Id: 'abc',
      Config: {
        Labels: {
          'com.docker.compose.project': 'a',
          zz: 'x,com.docker.compose.project=vault',
          'com.docker.compose.service': 'web',
          'com.docker.compose.oneoff': 'True',
        },
      },
    },
  ];
  const certain = withInspectedLabels(seen, JSON.stringify(inspected));
  assert.deepEqual([certain.project, certain.service, certain.oneOff, certain.name], ['a', 'web', true, 'a-web-1']);
  assert.equal(withInspectedLabels(seen, '[]').project, '');
});

test('reads how a container ended and whether it is healthy', () => {
  const seen = ['Exited (0) 3 weeks ago', 'Exited (137) 2 seconds ago', 'Up 1 second (health: starting)'];
  const more = ['Up 2 minutes (healthy)', 'Up 2 minutes (unhealthy)', 'Created', 'Restarting (1) 3 seconds ago'];
  const states = parseContainerList([...seen, ...more].map((Status) => line({ Status })).join('\n'));
  assert.deepEqual(
    states.map(({ exitCode, health }) => [exitCode, health]),
    [
      [0, null],
      [137, null],
      [null, 'starting'],
      [null, 'healthy'],
      [null, 'unhealthy'],
      [null, null],
      [1, null],
    ],
  );
});

test('takes the name of the container itself, not of a link to it, and knows one-off containers', () => {
  const [seen] = parseContainerList(line({ Names: 'other/alias,a-web-1', Labels: 'com.docker.compose.oneoff=True' }));
  assert.deepEqual([seen?.name, seen?.oneOff, seen?.project], ['a-web-1', true, '']);
  assert.equal(parseContainerList(line({ Names: 'other/alias' }))[0]?.name, 'other/alias');
});

test('reads the images of inspected containers', () => {
  const text = JSON.stringify([
    {
      Id: 'abc',
      Image: 'sha256:1',
      RestartCount: 2,
      State: { Status: 'running' },
      Config: {
        Image: 'web:1',
        Labels: {
          'com.docker.compose.project': 'a',
          'com.docker.compose.service': 'web',
          'com.docker.compose.project.working_dir': '/apps/a',
        },
      },
    },
    { Id: 'def', Image: 'sha256:2', Config: { Image: 'own', Labels: null } },
  ]);
  assert.deepEqual(parseContainerImages(text), [
    {
      id: 'abc',
      project: 'a',
      service: 'web',
      workingDirectory: '/apps/a',
      imageId: 'sha256:1',
      tag: 'web:1',
      restarts: 2,
      state: 'running',
    },
    { id: 'def', ...poor, imageId: 'sha256:2', tag: 'own' },
  ]);
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
});

test('skips lines that are no container, and accepts an incomplete description', () => {
  const [seen, ...more] = parseContainerList('WARNING: no swap\nnull\n{"ID":"abc"}\n{"ID":\n');
  assert.deepEqual([seen?.id, seen?.name, seen?.project, seen?.state, more], ['abc', '', '', '', []]);
  assert.deepEqual(parseContainerList('\n'), []);
  assert.throws(() => parseContainerList('CONTAINER ID   IMAGE   NAMES\nabc   web:1   a-web-1\n'));
});

test('reads a list that is one array, with names and labels as arrays and objects', () => {
  const labels = { 'com.docker.compose.project': 'a', 'com.docker.compose.service': 'web' };
  const listed = [{ ID: 'abc', Names: ['a-web-1'], Labels: labels, State: 'running' }, 5];
  const [seen, ...more] = parseContainerList(`${JSON.stringify(listed, null, 2)}\n`);
  assert.deepEqual([seen?.name, seen?.project, seen?.service, more], ['a-web-1', 'a', 'web', []]);
  assert.deepEqual(parseContainerList('[]\n'), []);
});

test('reads an incomplete inspection, and takes only ids for ids', () => {
  assert.deepEqual(parseContainerImages('[{"Id":"abc","Image":"sha256:1"}]'), [
    { id: 'abc', ...poor, imageId: 'sha256:1', tag: '' },
  ]);
  assert.deepEqual([...parseImageIds('[\n  {"Id": "sha256:1"}\n]', ['a', 'b'])], []);
});

test('choice/box/266: Docker does not restart a container that ended with 0 under no policy or on-failure', () => {
  const container = (Name: string) => ({ Id: 'abc', HostConfig: { RestartPolicy: { Name } } });
  const policies = ['', 'no', 'on-failure', 'always', 'unless-stopped'];
  const parsed = parseEngineContainers(JSON.stringify(policies.map(container)));
  assert.deepEqual(
    parsed.map(({ restarts }) => restarts),
    [false, false, false, true, true],
  );
});
