// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freePort } from '../ports.ts';
import { dotenvCases, dotenvRefusals } from './compose/files/dotenv-cases.ts';
import { closeAll, fields, inspect, lines, newProject, one, service, subject } from './contract-cases.ts';

/**
 * Contract: what callers of `docker` rely on. The same cases run on the fake and on real Docker (see
 * `contract-subject.ts`). Differences between Compose versions are marked.
 */
after(closeAll);

test('up creates and starts what is missing, reports it on standard error, and does nothing the next time', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.freshTag()));
  const first = project.compose('up', '-d', '--quiet-pull');
  assert.equal(first.status, 0, first.err);
  assert.equal(first.out, '');
  const name = `${project.name}-web-1`;
  assert.deepEqual(lines(first), [
    ' web Pulling ',
    ' web Pulled ',
    ` Network ${project.name}_default  Creating`,
    ` Network ${project.name}_default  Created`,
    ` Container ${name}  Creating`,
    ` Container ${name}  Created`,
    ` Container ${name}  Starting`,
    ` Container ${name}  Started`,
  ]);
  const id = inspect(name, '{{.Id}}');
  assert.deepEqual(lines(project.compose('up', '-d')), [` Container ${name}  Running`]);
  assert.equal(inspect(name, '{{.Id}}'), id);
});

test('lists containers with the fields that callers read', async () => {
  const project = newProject();
  const port = await freePort();
  const image = await subject.freshTag();
  project.write('compose.yaml', one(image, `ports: ["127.0.0.1:${port}:8080"]`));
  project.compose('up', '-d', '--quiet-pull');
  const [seen] = fields(project.compose('ps', '--format', 'json').out);
  assert.equal(seen?.Name, `${project.name}-web-1`);
  assert.deepEqual(
    [seen.Service, seen.Project, seen.Image, seen.State, seen.ExitCode, seen.Health],
    ['web', project.name, image, 'running', 0, ''],
  );
  assert.deepEqual(seen.Publishers, [{ URL: '127.0.0.1', TargetPort: 8080, PublishedPort: port, Protocol: 'tcp' }]);
  const filter = `label=com.docker.compose.project=${project.name}`;
  const [row] = fields(subject.run(['ps', '--filter', filter, '--format', 'json']).out);
  assert.deepEqual([row?.Names, row?.Image, row?.State], [`${project.name}-web-1`, image, 'running']);
  assert.equal(row?.Ports, `127.0.0.1:${port}->8080/tcp`);
  assert.match(String(row?.Status), /^Up /);
  const format = '{{.Names}}|{{.Label "com.docker.compose.service"}}|{{.State}}';
  assert.equal(subject.run(['ps', '--filter', filter, '--format', format]).out, `${project.name}-web-1|web|running\n`);
  const table = subject.run(['ps', '--filter', filter]).out.split('\n');
  assert.match(table[0] ?? '', /^CONTAINER ID {3}IMAGE +COMMAND +CREATED +STATUS +PORTS +NAMES$/);
  assert.equal(project.compose('ps', '-q').out, `${inspect(`${project.name}-web-1`, '{{.Id}}')}\n`);
});

test('labels a container with its project, service and files', async () => {
  const project = newProject();
  project.write('compose.yaml', one(await subject.freshTag()));
  project.compose('up', '-d', '--quiet-pull');
  const labels = JSON.parse(inspect(`${project.name}-web-1`, '{{json .Config.Labels}}')) as Record<string, string>;
  assert.equal(labels['com.docker.compose.project'], project.name);
  assert.equal(labels['com.docker.compose.service'], 'web');
  assert.equal(labels['com.docker.compose.container-number'], '1');
  assert.equal(labels['com.docker.compose.oneoff'], 'False');
  assert.equal(labels['com.docker.compose.project.working_dir'], project.folder);
  assert.equal(labels['com.docker.compose.project.config_files'], `${project.folder}/compose.yaml`);
  assert.match(labels['com.docker.compose.config-hash'] ?? '', /^[0-9a-f]{64}$/);
  assert.equal(labels['com.docker.compose.image'], inspect(`${project.name}-web-1`, '{{.Image}}'));
});

test('passes every byte of an environment file to the container, by env_file and by interpolation', async () => {
  const project = newProject();
  const value = `a"b\\c$d\n'e' #f`;
  const written = value.replace(/[\\"$]/g, '\\$&').replaceAll('\n', '\\n');
  project.write('.env', `SECRET="${written}"\nEMPTY=\n`);
  project.write('compose.yaml', one(await subject.freshTag(), 'env_file: .env, environment: {COPY: "${SECRET}"}'));
  const up = project.compose('up', '-d', '--quiet-pull');
  assert.equal(up.status, 0, up.err);
  const env = JSON.parse(inspect(`${project.name}-web-1`, '{{json .Config.Env}}')) as string[];
  for (const entry of [`SECRET=${value}`, `COPY=${value}`, 'EMPTY=']) assert.ok(env.includes(entry), entry);
});

test('accepts and rejects environment files as recorded', () => {
  const project = newProject();
  project.write('.env', 'V=v\n');
  project.write('compose.yaml', one('x', 'env_file: case.env'));
  for (const { text, values } of dotenvCases) {
    project.write('case.env', text);
    const run = project.compose('config', '--format', 'json');
    const config = JSON.parse(run.out.replaceAll('$$', '$')) as { services: { web: { environment?: object } } };
    assert.deepEqual(config.services.web.environment ?? {}, values, JSON.stringify(text));
  }
  for (const { text, words } of dotenvRefusals) {
    project.write('case.env', text);
    const run = project.compose('config', '-q');
    assert.notEqual(run.status, 0, JSON.stringify(text));
    assert.ok(run.err.includes(words), `${run.err} has ${words}`);
  }
});

test('prints a project as JSON, with dollar signs doubled', () => {
  const project = newProject();
  project.write('.env', 'X="a$$b"\n');
  project.write(
    'compose.yaml',
    one('img:1', 'environment: {X: "${X}", Y: 1, Z: "${NONE:-d}"}, volumes: ["./d:/d", "store:/v"]') +
      'volumes: {store: {}}\n',
  );
  const config = JSON.parse(project.compose('config', '--format', 'json').out) as Record<string, unknown>;
  assert.equal(config.name, project.name);
  assert.deepEqual(config.volumes, { store: { name: `${project.name}_store` } });
  const web = (config.services as Record<string, Record<string, unknown>>).web;
  assert.equal(web?.image, 'img:1');
  assert.deepEqual(web?.environment, { X: 'a$$b', Y: '1', Z: 'd' });
  const mounts = web?.volumes as { type: string; source: string; target: string }[];
  assert.deepEqual(
    mounts.map(({ type, source, target }) => [type, source, target]),
    [
      ['bind', `${project.folder}/d`, '/d'],
      ['volume', 'store', '/v'],
    ],
  );
  assert.equal(project.compose('config', '--services').out, 'web\n');
  assert.equal(project.compose('config', '--images').out, 'img:1\n');
});

test('prints the fields of services in their long form, without services of inactive profiles', () => {
  const project = newProject();
  project.write(
    'compose.yaml',
    `services:
  web: { image: "img:1", restart: always, ports: ["127.0.0.1:8080:80"], container_name: front, depends_on: [db] }
  db: { image: "db:1", restart: "no" }
  debug: { image: "debug:1", profiles: [debug] }
`,
  );
  const { services } = JSON.parse(project.compose('config', '--format', 'json').out);
  assert.deepEqual(Object.keys(services).sort(), ['db', 'web']);
  const { restart, container_name, ports, depends_on } = services.web;
  assert.deepEqual([restart, container_name, services.db.restart], ['always', 'front', 'no']);
  const [{ mode: _, ...port }] = ports;
  assert.deepEqual(port, { host_ip: '127.0.0.1', target: 80, published: '8080', protocol: 'tcp' });
  assert.equal(depends_on.db.condition, 'service_started');
});

test('takes the project name from -p, then the environment file, then the file, then the folder', () => {
  const project = newProject();
  const name = (...argv: string[]) =>
    (JSON.parse(project.compose(...argv, 'config', '--format', 'json').out) as { name: string }).name;
  project.write('compose.yaml', one('x'));
  assert.equal(name(), project.name);
  project.write('compose.yaml', `name: fromfile\n${one('x')}`);
  assert.equal(name(), 'fromfile');
  project.write('.env', 'COMPOSE_PROJECT_NAME=fromdotenv\n');
  assert.equal(name(), 'fromdotenv');
  assert.equal(name('-p', 'given'), 'given');
});

test('recreates only the service whose tag was updated, and lists the old image by its id until then', async () => {
  const project = newProject();
  const [web, db] = [await subject.freshTag(), await subject.freshTag()];
  project.write('compose.yaml', `services:\n  db: ${service(db)}\n  web: ${service(web)}\n`);
  project.compose('up', '-d', '--quiet-pull');
  const names = ['db', 'web'].map((one) => `${project.name}-${one}-1`);
  const before = names.map((name) => inspect(name, '{{.Id}} {{.Image}}'));
  await subject.moveTag(web);
  assert.equal(project.compose('up', '-d').status, 0);
  assert.deepEqual(
    names.map((name) => inspect(name, '{{.Id}} {{.Image}}')),
    before,
    'a local tag is not pulled again',
  );
  assert.equal(project.compose('pull', '-q').status, 0);
  const latest = subject.run(['image', 'inspect', web, '--format', '{{.Id}}']).out.trim();
  assert.notEqual(before[1]?.split(' ')[1], latest);
  const filter = `label=com.docker.compose.project=${project.name}`;
  const shown = subject.run(['ps', '--filter', filter, '--no-trunc', '--format', '{{.Image}}']).out.trim().split('\n');
  assert.deepEqual(shown.sort(), [db, before[1]?.split(' ')[1]].sort());
  const up = project.compose('up', '-d');
  assert.ok(lines(up).includes(` Container ${names[1]}  Recreated`), up.err);
  assert.ok(lines(up).includes(` Container ${names[0]}  Running`), up.err);
  assert.equal(inspect(names[1] ?? '', '{{.Image}}'), latest);
  assert.equal(inspect(names[0] ?? '', '{{.Id}} {{.Image}}'), before[0]);
});

test('recreates with an old image that got its tag back', async () => {
  const project = newProject();
  const image = await subject.freshTag();
  project.write('compose.yaml', one(image));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const old = inspect(name, '{{.Image}}');
  await subject.moveTag(image);
  project.compose('pull', '-q');
  project.compose('up', '-d');
  assert.notEqual(inspect(name, '{{.Image}}'), old);
  assert.equal(subject.run(['tag', old, image]).status, 0);
  project.compose('up', '-d');
  assert.equal(inspect(name, '{{.Image}}'), old);
});

test('recreates a service whose configuration changed', async () => {
  const project = newProject();
  const image = await subject.freshTag();
  project.write('compose.yaml', one(image, 'environment: {A: "${A:-1}"}'));
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const hash = inspect(name, '{{index .Config.Labels "com.docker.compose.config-hash"}}');
  project.write('.env', 'A=2\n');
  const up = project.compose('up', '-d');
  assert.deepEqual(
    lines(up),
    ['Recreate', 'Recreated', 'Starting', 'Started'].map((word) => ` Container ${name}  ${word}`),
  );
  assert.notEqual(inspect(name, '{{index .Config.Labels "com.docker.compose.config-hash"}}'), hash);
});

test('--no-deps ignores dependencies', async () => {
  const project = newProject();
  const { reference, healthcheck } = await subject.sick();
  const db = service(reference, `healthcheck: {test: ${healthcheck}, interval: 1s, retries: 1}`);
  const web = service(await subject.freshTag(), 'depends_on: {db: {condition: service_healthy}}');
  project.write('compose.yaml', `services:\n  db: ${db}\n  web: ${web}\n`);
  assert.equal(project.compose('up', '-d', '--quiet-pull').status, 1);
  subject.run(['stop', `${project.name}-db-1`]);
  const up = project.compose('up', '-d', '--no-deps', 'web');
  assert.equal(up.status, 0, up.err);
  const states = ['web', 'db'].map((name) => inspect(`${project.name}-${name}-1`, '{{.State.Status}}'));
  assert.deepEqual(states, ['running', 'exited']);
});

test('warns about orphans, and removes them if requested', async () => {
  const project = newProject();
  const image = await subject.freshTag();
  project.write('compose.yaml', `services:\n  web: ${service(image)}\n  old: ${service(image)}\n`);
  project.compose('up', '-d', '--quiet-pull');
  project.write('compose.yaml', one(image));
  const orphan = `${project.name}-old-1`;
  assert.match(
    project.compose('up', '-d').err,
    new RegExp(`level=warning msg="Found orphan containers \\(\\[${orphan}\\]\\) for this project\\.`),
  );
  assert.equal(inspect(orphan, '{{.State.Status}}'), 'running');
  const up = project.compose('up', '-d', '--remove-orphans');
  assert.ok(lines(up).includes(` Container ${orphan}  Removed`), up.err);
  assert.equal(subject.run(['inspect', orphan]).status, 1);
});

test('down works with the project name alone, and keeps named volumes unless requested', async () => {
  const project = newProject();
  project.write('compose.yaml', `${one(await subject.freshTag(), 'volumes: ["store:/v"]')}volumes: {store: {}}\n`);
  project.compose('up', '-d', '--quiet-pull');
  const name = `${project.name}-web-1`;
  const down = subject.run(['compose', '-p', project.name, 'down']);
  assert.equal(down.status, 0);
  assert.deepEqual(lines(down), [
    ...['Stopping', 'Stopped', 'Removing', 'Removed'].map((word) => ` Container ${name}  ${word}`),
    ` Network ${project.name}_default  Removing`,
    ` Network ${project.name}_default  Removed`,
  ]);
  const nothing = subject.run(['compose', '-p', project.name, 'down']);
  assert.equal(nothing.status, 0);
  assert.ok(!project.compose('up', '-d').err.includes(' Volume '), 'the volume is still there');
  assert.ok(lines(project.compose('down', '-v')).includes(` Volume ${project.name}_store  Removed`));
});
