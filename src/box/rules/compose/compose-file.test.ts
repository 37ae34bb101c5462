// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  filledInPaths,
  projectName,
  readComposeFiles,
  resolvedFacts,
  type ServiceFacts,
  serviceTag,
} from './compose-file.ts';

const none = new Map<string, string>();

test('choice/box/98: the project name comes from the .env, else the name: of the file, else the directory', async () => {
  const named = await readComposeFiles(['name: from-file\nservices: {}\n']);
  const unnamed = await readComposeFiles(['services: {}\n']);
  const env = new Map([['COMPOSE_PROJECT_NAME', 'from-env']]);
  assert.equal(projectName(named, env, 'folder'), 'from-env');
  assert.equal(projectName(named, none, 'folder'), 'from-file');
  assert.equal(projectName(unnamed, env, 'folder'), 'from-env');
  assert.equal(projectName(unnamed, none, 'folder'), 'folder');
});

test('a name: may hold variables', async () => {
  const facts = await readComposeFiles(['name: ${STAGE:-prod}-notes\n']);
  assert.equal(projectName(facts, none, 'folder'), 'prod-notes');
  assert.equal(projectName(facts, new Map([['STAGE', 'test']]), 'folder'), 'test-notes');
  assert.equal(projectName(await readComposeFiles(['name: ${STAGE:?}\n']), none, 'folder'), 'folder');
});

test('an override wins field by field and keeps the rest', async () => {
  const facts = await readComposeFiles([
    'name: a\nservices:\n  web: { image: web:1, restart: always }\n  db: { image: db:1, container_name: data }\n',
    'services:\n  web: { image: web:2 }\n  db: { build: . }\n  extra: { image: extra:1 }\n',
  ]);
  assert.deepEqual(facts.services, {
    web: { image: 'web:2', built: false, restarts: true, containerName: null },
    db: { image: 'db:1', built: true, restarts: false, containerName: 'data' },
    extra: { image: 'extra:1', built: false, restarts: false, containerName: null },
  });
  assert.equal(facts.name, 'a');
});

test('recognizes restart policies that no job can have, and services that are built', async () => {
  const facts = await readComposeFiles([
    `services:
  none: {}
  no: { restart: "no" }
  off: { restart: false }
  always: { restart: always }
  failure: { restart: "on-failure:3", build: . }
  deploy: { deploy: { restart_policy: { condition: any } } }
  deployNone: { deploy: { restart_policy: { condition: none } } }
  deployFailure: { deploy: { restart_policy: { condition: on-failure } } }
  broken: text
`,
  ]);
  const restarts = Object.entries(facts.services).filter(([, service]) => service.restarts);
  assert.deepEqual(
    restarts.map(([name]) => name),
    ['always', 'deploy'],
  );
  assert.equal(facts.services.failure?.built, true);
});

test('finds the further files that a project is made of', async () => {
  const facts = await readComposeFiles([
    `include:
  - other.yaml
  - path: [a.yaml, b.yaml, 3]
services:
  web:
    env_file: [common.env, { path: "\${NAME}.env" }]
    label_file: labels
    extends: { file: base.yaml, service: x }
configs: { c: { file: ./c.conf }, d: { content: text } }
secrets: { s: { file: ./s.txt } }
`,
  ]);
  assert.deepEqual(filledInPaths(facts.files, new Map([['NAME', 'web']])), [
    'common.env',
    'web.env',
    'labels',
    'base.yaml',
    'other.yaml',
    'a.yaml',
    'b.yaml',
  ]);
  assert.deepEqual(facts.mounted, ['./c.conf', './s.txt']);
  assert.equal(facts.complete, false);
});

test('fills variables into the image of a service', async () => {
  const facts = await readComposeFiles(['services:\n  web: { image: "web:${VERSION:-1}" }\n  built: { build: . }\n']);
  assert.equal(serviceTag(facts, 'web', none), 'web:1');
  assert.equal(serviceTag(facts, 'web', new Map([['VERSION', '2']])), 'web:2');
  assert.equal(serviceTag(facts, 'built', none), null);
  assert.equal(serviceTag(facts, 'absent', none), null);
  assert.equal(facts.complete, true);
});

test('understands anchors, merge keys and an empty file', async () => {
  const facts = await readComposeFiles([
    'x-base: &base\n  restart: always\nservices:\n  web:\n    <<: *base\n    image: 5\n',
    '',
  ]);
  assert.deepEqual(facts.services.web, { image: '5', built: false, restarts: true, containerName: null });
});

test('resolves an anchor that hundreds of services use, and merges as YAML does', async () => {
  const services = Array.from({ length: 300 }, (_, index) => `  s${index}: { <<: *base, logging: *log }\n`);
  const facts = await readComposeFiles([
    `x-log: &log { driver: json-file }
x-base: &base { image: base:1, restart: always }
x-named: &named { image: named:1, container_name: named }
services:
${services.join('')}  first: { <<: [*base, *named] }
  own: { image: own:1, <<: *named }
  chain: { <<: { <<: *base, image: chain:1 } }
`,
  ]);
  assert.equal(Object.keys(facts.services).length, 303);
  const fields = ({ image, restarts, containerName }: ServiceFacts) => [image, restarts, containerName];
  const { s299, first, own, chain } = facts.services as Record<string, ServiceFacts>;
  assert.deepEqual(
    [s299, first, own, chain].map((one) => fields(one as ServiceFacts)),
    [
      ['base:1', true, null],
      ['base:1', true, 'named'],
      ['own:1', false, 'named'],
      ['chain:1', true, null],
    ],
  );
});

test('choice/box/172: refuses merges and aliases that multiply, whatever YAML version the file names', async () => {
  const groups = Array.from(
    { length: 40 },
    (_, index) => `a${index + 1}: &a${index + 1} {<<: [*a${index}, *a${index}]}\n`,
  );
  const bomb = `a0: &a0 {k: 1}\n${groups.join('')}`;
  for (const text of [bomb, `%YAML 1.1\n---\n${bomb}`]) {
    await assert.rejects(readComposeFiles([text]), { message: 'its aliases repeat too much' });
  }
  const many = (aliases: number) => `a: &a x\nb: [${'*a, '.repeat(aliases)}]\n`;
  await readComposeFiles([many(1999)]);
  await assert.rejects(readComposeFiles([many(2000)]), { message: 'it has too many aliases' });
});

test('throws for text that is not YAML', async () => {
  await assert.rejects(readComposeFiles(['services: [']));
});

test('reports a file that is nested too deeply', async () => {
  const deep = `name: ${'['.repeat(100_000)}`;
  await assert.rejects(readComposeFiles([deep]), { message: 'it is nested too deeply' });
});

test('reads a file of very many keys in time, and refuses endless aliases', async () => {
  const many = Array.from({ length: 40_000 }, (_, index) => `k${index}: v\n`).join('');
  assert.equal((await readComposeFiles([`${many}name: big\n`])).name, 'big');
  const bomb = Array.from({ length: 9 }, (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(9)}]\n`);
  await assert.rejects(readComposeFiles([`a0: &a0 [x]\n${bomb.join('')}`]), /alias/i);
});

test('knows the jobs that must end before a service starts, from every file', async () => {
  const done = '{ condition: service_completed_successfully }';
  const facts = await readComposeFiles([
    `services:\n  web: { depends_on: { migrate: ${done}, db: { condition: service_healthy } } }\n  db: { depends_on: [web] }\n`,
    `services:\n  web: { depends_on: { seed: ${done} } }\n  db: { depends_on: { clean: ${done} } }\n`,
  ]);
  assert.deepEqual([facts.services.web?.after, facts.services.db?.after], [['migrate', 'seed'], ['clean']]);
  const alone = await readComposeFiles([
    `services: { web: { depends_on: { migrate: ${done} } } }`,
    'services: { web: {} }',
  ]);
  assert.deepEqual(alone.services.web?.after, ['migrate']);
});

test('names the project after the directory, as Compose does, if the files have no name', async () => {
  const facts = await readComposeFiles(['services: {}']);
  assert.equal(projectName(facts, none, 'My App'), 'myapp');
});

test('services of Compose replace those of an incomplete file', async () => {
  const own = await readComposeFiles(['services: { web: { image: "web:${TAG}", profiles: [a] } }\n']);
  assert.equal(own.complete, false);
  const services = { job: { image: 'job:$$1', restart: 'no', ports: [{ target: 80, published: '8080' }] } };
  const facts = resolvedFacts(own, { name: 'other', services }, 'digest');
  assert.deepEqual(facts, {
    ...own,
    services: { job: { image: 'job:$$1', built: false, restarts: false, containerName: null, ports: ['8080:80/tcp'] } },
    complete: true,
    resolvedFor: 'digest',
  });
  assert.equal(serviceTag(facts, 'job', none), 'job:$1');
});
