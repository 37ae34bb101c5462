// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFiles, directoryOf, neededFiles } from './further-files.ts';

const ofContext = (folder: string) => [`${folder}/.dockerignore`, `${folder}/index.json`];
const ofDockerfile = (file: string, lower: string) => [file, `${file}.dockerignore`, lower];

const cases: [build: unknown, files: string[]][] = [
  [null, []],
  ['https://git.example.org/web.git', []],
  ['.', [...ofDockerfile('./Dockerfile', './dockerfile'), ...ofContext('.')]],
  [
    { context: 'Web', dockerfile: '../A.Dockerfile' },
    [...ofDockerfile('Web/../A.Dockerfile', 'Web/../a.dockerfile'), ...ofContext('Web')],
  ],
  [{ dockerfile: '${X}' }, [...ofDockerfile('./${X}', './${x}'), '${X}', ...ofContext('.')]],
  [{ dockerfile: '/dev/zero' }, ['/dev/zero', '/dev/zero.dockerignore', ...ofContext('.')]],
  [{ dockerfile_inline: 'FROM web:1' }, ofContext('.')],
  [
    { dockerfile_inline: '', additional_contexts: { a: 'x', b: 'oci-layout://y', c: 1 } },
    [...ofContext('.'), ...ofContext('x'), 'oci-layout://y/.dockerignore', 'y/index.json'],
  ],
  [{ dockerfile_inline: '', additional_contexts: ['a=x', 'b'] }, [...ofContext('.'), ...ofContext('x')]],
  [{ dockerfile_inline: '', ssh: ['default', 'k=./a,./b'] }, [...ofContext('.'), './a', './b']],
  [
    { dockerfile_inline: '', cache_from: ['web:1', 'type=local,src=./cache'] },
    [...ofContext('.'), './cache/index.json'],
  ],
];
for (const [build, files] of cases) {
  test(`a build ${JSON.stringify(build)} reads ${files.join(', ') || 'no file'}`, () => {
    assert.deepEqual(buildFiles([{ services: { web: { build } } }]), files);
  });
}

test('the secrets of a build are read, also if another document names their files; others are mounted', () => {
  const build = { dockerfile_inline: '', secrets: ['a', { source: 'b' }, 'c'] };
  const secrets = { a: { file: './a' }, b: { file: './b' }, c: { environment: 'C' }, d: { file: './d' } };
  const files = [...ofContext('.'), './a', './b'];
  assert.deepEqual(buildFiles([{ services: { web: { build, secrets: ['d'] } } }, { secrets }]), files);
});

const neededCases: [service: unknown, needed: string[]][] = [
  [{ build: '.' }, ['./Dockerfile']],
  [{ build: { context: 'web', dockerfile: 'prod.Dockerfile' } }, ['web/prod.Dockerfile']],
  [{ build: { context: '${DIR}' } }, ['src/Dockerfile']],
  [{ build: { context: '.', dockerfile: '/srv/Dockerfile' } }, ['/srv/Dockerfile']],
  [{ build: { context: '.', dockerfile_inline: 'FROM web:1' } }, []],
  [{ build: 'https://git.example.org/web.git' }, []],
  [{ build: null, image: 'web:1' }, []],
  [{ env_file: '.env' }, []],
  [{ env_file: ['./.env', 'a.env', { path: 'b.env' }, { path: 'c.env', required: false }] }, ['a.env', 'b.env']],
  [{ label_file: 'labels', extends: { file: 'base.yaml', service: 'x' } }, ['base.yaml', 'labels']],
  [{ extends: 'other' }, []],
  ['text', []],
];
for (const [service, needed] of neededCases) {
  test(`a service ${JSON.stringify(service)} needs ${needed.join(', ') || 'no file'}`, () => {
    assert.deepEqual(neededFiles([{ services: { web: service } }], new Map([['DIR', 'src']])), needed);
  });
}

test('an included file is needed, each once', () => {
  const documents = [{ include: ['a.yaml', { path: ['b.yaml', 'a.yaml'], env_file: 'b.env' }] }, null];
  assert.deepEqual(neededFiles(documents, new Map()), ['a.yaml', 'b.yaml', 'b.env']);
});

test('a file is in a directory, also at the root and beside the Compose file', () => {
  assert.deepEqual(['a/b/c.yaml', '/c.yaml', 'c.yaml'].map(directoryOf), ['a/b', '/', '.']);
});
