// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filledInPaths, projectName, readComposeFiles } from './compose-file.ts';

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

test('the files of builds are apart, and there only with a build', async () => {
  const { built, files } = await readComposeFiles([
    'services: { web: { build: { dockerfile_inline: FROM web:1 } } }\n',
  ]);
  assert.deepEqual([built, files], [['./.dockerignore', './index.json'], []]);
});

test('finds the further files that a project is made of', async () => {
  const facts = await readComposeFiles([
    `include:
  - other.yaml
  - { path: [a.yaml, b.yaml, 3], env_file: a.env, project_directory: a }
services:
  web:
    env_file: [common.env, { path: "\${NAME}.env" }]
    label_file: labels
    security_opt: ["seccomp:profile.json", "no-new-privileges:true"]
    extends: { file: base.yaml, service: x }
configs: { c: { file: ./c.conf }, d: { content: text } }
secrets: { s: { file: ./s.txt } }
`,
  ]);
  assert.deepEqual(filledInPaths(facts.files, new Map([['NAME', 'web']])), [
    'common.env',
    'web.env',
    'labels',
    'profile.json',
    'base.yaml',
    'other.yaml',
    'a.yaml',
    'b.yaml',
    'a.env',
  ]);
  assert.equal(facts.isComplete, false);
  assert.deepEqual(filledInPaths(['~/a', 'b~'], new Map([['HOME', '/root']])), ['~/a', '/root/a', 'b~']);
  assert.deepEqual(filledInPaths(['~/a'], none), ['~/a']);
});

test('understands anchors, merge keys, overrides, several documents and an empty file', async () => {
  const services = Array.from({ length: 300 }, (_, index) => `  s${index}: { <<: *base }\n`);
  const facts = await readComposeFiles([
    `x-base: &base { env_file: base.env }
x-named: &named { env_file: named.env }
name: first
services:
${services.join('')}  first: { <<: [*base, *named] }
  own: { env_file: own.env, <<: *named }
---
services:
  second: { env_file: second.env }
`,
    '',
    'name: over\nservices: { own: { env_file: over.env } }\n',
  ]);
  assert.deepEqual(facts, {
    name: 'over',
    files: ['base.env', 'own.env', 'second.env', 'over.env'],
    built: [],
    isComplete: true,
  });
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
  await assert.rejects(readComposeFiles(['services: {}\n---\nservices: [']));
});

test('reports the first of many faults in a long line', { timeout: 60_000 }, async () => {
  const fault = { message: 'Unexpected , in flow sequence', linePos: [{ line: 1, col: 3 }] };
  await assert.rejects(readComposeFiles([`[${','.repeat(512 * 1024)}`]), fault);
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

test('names the project after the directory, as Compose does, if the files have no name', async () => {
  const facts = await readComposeFiles(['services: {}']);
  assert.equal(projectName(facts, none, 'My App'), 'myapp');
});
