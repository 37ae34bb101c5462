// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freePort } from '../ports.ts';
import { closeAll, inspect, isOld, newProject, one, service, subject } from './contract-cases.ts';

/** Contract: how commands fail. The same cases run on the fake and on real Docker. */
after(closeAll);

const parseStatus = isOld ? 15 : 1;

test("a failed pull has its own status and the engine's message, and starts nothing", async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.missing()));
  for (const argv of [['pull'], ['pull', '-q'], ['up', '-d']]) {
    const run = project.compose(...argv);
    assert.equal(run.status, isOld ? 18 : 1, run.err);
    // The second message is that of an engine with the containerd image store.
    const classic = /^Error response from daemon: manifest for \S+ not found: manifest unknown: manifest unknown$/m;
    const containerd = /^Error response from daemon: failed to resolve reference "\S+": \S+: not found$/m;
    assert.match(run.err, isOld ? classic : new RegExp(`${classic.source}|${containerd.source}`, 'm'));
  }
  assert.equal(project.compose('ps', '-aq').out, '');
});

test('leaves a created container when its port or name is taken', async () => {
  const image = await subject.freshTag();
  const port = await freePort();
  const [first, second] = [newProject(), newProject()];
  first.write('compose.yaml', one(image, `ports: ["127.0.0.1:${port}:8080"]`));
  first.compose('up', '-d', '--quiet-pull');
  second.write('compose.yaml', one(image, `ports: ["127.0.0.1:${port}:8080"]`));
  const clash = second.compose('up', '-d');
  assert.equal(clash.status, 1);
  assert.match(clash.err, new RegExp(`Bind for 127\\.0\\.0\\.1:${port} failed: port is already allocated`));
  assert.equal(inspect(`${second.name}-web-1`, '{{.State.Status}}'), 'created');
  second.write('named.yaml', one(image, `container_name: ${first.name}-web-1`));
  const named = subject.run(['compose', '-p', `${second.name}n`, '-f', `${second.folder}/named.yaml`, 'up', '-d']);
  subject.run(['compose', '-p', `${second.name}n`, 'down']);
  assert.equal(named.status, 1);
  assert.match(
    named.err,
    /Error response from daemon: Conflict\. The container name "\/\S+" is already in use by container/,
  );
});

test('--wait fails when a container exits, up fails when a dependency is unhealthy', async () => {
  const [ends, waits] = [newProject(), newProject()];
  ends.write('compose.yaml', one(await subject.stopping()));
  const ended = ends.compose('up', '-d', '--wait', '--quiet-pull');
  assert.equal(ended.status, 1);
  assert.ok(ended.err.includes(`container ${ends.name}-web-1 exited (3)`), ended.err);
  assert.match(
    subject.run(['ps', '-a', '--filter', `name=${ends.name}`, '--format', '{{.Status}}']).out,
    /^Exited \(3\) /,
  );
  const { reference, healthcheck } = await subject.sick();
  const db = service(reference, `healthcheck: {test: ${healthcheck}, interval: 1s, retries: 1}`);
  const web = service(await subject.freshTag(), 'depends_on: {db: {condition: service_healthy}}');
  waits.write('compose.yaml', `services:\n  db: ${db}\n  web: ${web}\n`);
  const up = waits.compose('up', '-d', '--quiet-pull');
  assert.equal(up.status, 1);
  assert.ok(up.err.includes(`dependency failed to start: container ${waits.name}-db-1 is unhealthy`), up.err);
  assert.equal(inspect(`${waits.name}-db-1`, '{{.State.Health.Status}}'), 'unhealthy');
});

const badFiles: [text: string, words: RegExp][] = [
  [
    'services:\n  web: {image: x, foo: 1}\n',
    /validating \S+: services\.web additional propert(?:y|ies) '?foo'? (?:is )?not allowed/i,
  ],
  [
    'services:\n  web: {}\n',
    /service "web" has neither an image nor a build context specified: invalid compose project/,
  ],
  [
    'services:\n  web: {image: "${X:?must be set}"}\n',
    /error while interpolating services\.web\.image: required variable X is missing a value: must be set/,
  ],
  ['services:\n  web: {image: "${X"}\n', /invalid interpolation format for services\.web\.image/],
  [
    'services:\n  web: {image: x, depends_on: [q]}\n',
    /service "web" depends on undefined service "?q"?: invalid compose project/,
  ],
  [
    'services:\n  web: {image: x, networks: [n]}\n',
    /service "web" refers to undefined network n: invalid compose project/,
  ],
  [
    'services:\n  a: {image: x, depends_on: [b]}\n  b: {image: x, depends_on: [a]}\n',
    /dependency cycle detected: a -> b -> a/,
  ],
  ['', /empty compose file/],
  ['services:\n\tweb: x\n', /^yaml: /m],
  ['services: [\n', /^yaml: /m],
];

for (const [text, words] of badFiles) {
  test(`refuses ${JSON.stringify(text)} with a reason`, () => {
    const project = newProject();
    project.write('compose.yaml', text);
    const run = project.compose('config', '-q');
    assert.equal(run.status, parseStatus, run.err);
    assert.match(run.err, words);
  });
}

test('reports a missing file, a missing environment file and a missing engine differently', async () => {
  const project = newProject();
  project.write('compose.yaml', one('x'));
  const noFile = project.compose('-f', 'none.yaml', 'config', '-q');
  assert.equal(noFile.status, isOld ? 14 : 1);
  assert.match(noFile.err, /^open \S+\/none\.yaml: no such file or directory$/m);
  const noEnv = project.compose('--env-file', 'none.env', 'config', '-q');
  assert.equal(noEnv.status, 1);
  assert.match(noEnv.err, /ouldn't find env file: \S+\/none\.env/);
  for (const argv of [
    ['ps'],
    ['events', '--format', 'json'],
    ['compose', 'ps'],
    ['compose', 'up', '-d'],
    ['version', '--format', '{{.Server.Version}}'],
  ]) {
    const run = await subject.withoutEngine(argv, { cwd: project.folder });
    assert.equal(run.status, 1);
    assert.match(run.err, /Cannot connect to the Docker daemon at unix:\/\/\/\S+\. Is the docker daemon running\?/i);
  }
  assert.equal((await subject.withoutEngine(['compose', 'config', '-q'], { cwd: project.folder })).status, 0);
});

test('names a missing object, with status 1 and an empty list', () => {
  const cases: [string[], RegExp, string][] = [
    [['inspect', 'nothing'], /^Error: No such object: nothing$/im, '[]\n'],
    [['container', 'inspect', 'nothing'], /^Error response from daemon: No such container: nothing$/m, '[]\n'],
    [['image', 'inspect', 'nothing'], /^Error response from daemon: No such image: nothing:latest$/m, '[]\n'],
    [['rmi', 'nothing'], /^Error response from daemon: No such image: nothing:latest$/m, ''],
    [['tag', 'nothing', 'x:1'], /^Error response from daemon: No such image: nothing:latest$/m, ''],
    [['stop', 'nothing'], /No such container: nothing$/m, ''],
  ];
  for (const [argv, words, out] of cases) {
    const run = subject.run(argv);
    assert.equal(run.status, 1, argv.join(' '));
    assert.match(run.err, words);
    assert.equal(run.out, out);
  }
});

test('stop, start and rm refuse a service that the files have no more', async () => {
  const project = newProject();
  const web = service(await subject.freshTag());
  project.write('compose.yaml', `services:\n  web: ${web}\n  db: ${web}\n`);
  project.compose('up', '-d', '--quiet-pull');
  project.write('compose.yaml', `services:\n  web: ${web}\n`);
  for (const argv of [['stop'], ['start'], ['rm', '--stop', '--force']]) {
    const { status, err } = project.compose(...argv, 'db');
    assert.deepEqual([status, err.trim()], [1, 'no such service: db'], argv.join(' '));
  }
  assert.equal(inspect(`${project.name}-db-1`, '{{.State.Status}}'), 'running');
});
