// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFiles } from './further-files.ts';

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
