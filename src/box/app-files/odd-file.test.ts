// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putOdd } from '../../lib/testing/odd-files.ts';
import { type Files, useTestBox } from '../testing/test-box.ts';
import { readProject } from './project.ts';

const testBox = useTestBox();
const service = (more: object = {}) => JSON.stringify({ services: { web: { image: 'web:1', ...more } } });
const including = (...include: unknown[]) => JSON.stringify({ include });
const problemOf = async (files: Files) => {
  testBox.installed('notes', files);
  await putOdd('a link to a device', `${testBox.box.folders.path('notes')}/zero`);
  const verdict = await readProject(testBox.box, 'notes', undefined);
  return verdict.ok ? null : verdict.problem;
};
const odd = (by: string, file: string) => `its ${by} names ${file}, which is not a regular file of at most 64 MiB`;

const refused: Record<string, [files: Files, problem: string]> = {
  'a file of variables': [{ 'compose.yaml': service({ env_file: '/dev/zero' }) }, odd('Compose file', '/dev/zero')],
  'a path with a variable of Compose': [
    { 'compose.yaml': service({ env_file: '${PWD}/zero' }) },
    odd('Compose file', '${PWD}/zero'),
  ],
  'a path from the home directory': [
    { 'compose.yaml': service({ env_file: '~/../dev/zero' }), '.env': 'HOME=/root\n' },
    odd('Compose file', '~/../dev/zero'),
  ],
  'a profile of seccomp': [
    { 'compose.yaml': service({ security_opt: ['no-new-privileges', 'seccomp:./zero'] }) },
    odd('Compose file', './zero'),
  ],
  'a Dockerfile': [
    { 'compose.yaml': service({ build: { context: '.', dockerfile: '${PWD:-}/zero' } }) },
    odd('Compose file', '${PWD:-}/zero'),
  ],
  'a Dockerfile of an included file': [
    {
      'compose.yaml': including('sub/a.yaml'),
      'sub/a.yaml': service({ build: { context: '..', dockerfile: 'zero' } }),
    },
    odd('sub/a.yaml', '../zero'),
  ],
  'a secret of a build': [
    {
      'compose.yaml': JSON.stringify({
        services: { web: { build: { context: '.', secrets: ['s'] } } },
        secrets: { s: { file: './zero' } },
      }),
    },
    odd('Compose file', './zero'),
  ],
  'the .env of an include': [
    { 'compose.yaml': including({ path: 'sub/a.yaml', env_file: 'zero' }), 'sub/a.yaml': service() },
    odd('Compose file', 'zero'),
  ],
  'the .env beside an included file': [
    { 'compose.yaml': including('sub/a.yaml', { path: 'sub/a.yaml', project_directory: '.', env_file: 'zero' }) },
    odd('Compose file', 'zero'),
  ],
  'a file of variables of an included file': [
    { 'compose.yaml': including('sub/a.yaml'), 'sub/a.yaml': service({ env_file: ['../zero'] }) },
    odd('sub/a.yaml', '../zero'),
  ],
  'a file of an included file with another directory': [
    {
      'compose.yaml': including({ path: ['sub/a.yaml', 'sub/b.yaml'], project_directory: '.' }),
      'sub/a.yaml': service(),
      'sub/b.yaml': service({ label_file: 'zero' }),
    },
    odd('sub/b.yaml', 'zero'),
  ],
  'a path that the .env of an include makes': [
    {
      'compose.yaml': including('${SUB}/a.yaml'),
      '.env': 'SUB=sub\n',
      'sub/.env': 'PLACE=..\nSUB=other\n',
      'sub/a.yaml': service({ env_file: '${PLACE}/${SUB:+zero}' }),
    },
    odd('${SUB}/a.yaml', '${PLACE}/${SUB:+zero}'),
  ],
  'a file that an included file extends': [
    {
      'compose.yaml': including('sub/a.yaml'),
      'sub/a.yaml': service({ extends: { file: 'base/b.yaml', service: 'web' } }),
      'sub/base/b.yaml': service({ env_file: '../../zero' }),
    },
    odd('base/b.yaml', '../../zero'),
  ],
  'an included device': [{ 'compose.yaml': including('a.yaml'), 'a.yaml': including('zero') }, odd('a.yaml', 'zero')],
  'too much': [
    { 'compose.yaml': including('a.yaml'), 'a.yaml': `${service()}#${' '.repeat(256 * 1024)}` },
    'the files that its Compose file includes or extends have more than 256 KiB together',
  ],
  'very many files': [
    {
      'compose.yaml': including(...Array.from({ length: 300 }, (_, index) => `${index}.yaml`)),
      ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.yaml`, ''])),
    },
    'the files that its Compose file includes or extends have more than 256 KiB together',
  ],
};
for (const [what, [files, problem]] of Object.entries(refused)) {
  test(`a project in which Compose would read without end is refused: ${what}`, async () => {
    assert.equal(await problemOf(files), problem);
  });
}

const unnamed: [file: string, files: Files][] = [
  ['sub/.env', { 'compose.yaml': including('sub/a.yaml'), 'sub/a.yaml': service() }],
  ['sub/.dockerignore', { 'compose.yaml': service({ build: 'sub' }), 'sub/Dockerfile': '' }],
  ['sub/dockerfile', { 'compose.yaml': service({ build: 'sub' }) }],
];
for (const [file, files] of unnamed) {
  test(`a pipe that Compose would read by itself is refused: ${file}`, async () => {
    testBox.installed('notes', files);
    await putOdd('a named pipe', `${testBox.box.folders.path('notes')}/${file}`);
    const verdict = await readProject(testBox.box, 'notes', undefined);
    assert.equal(verdict.ok ? null : verdict.problem, odd('Compose file', file));
  });
}

test('what Compose takes is not refused: files around each other, absent ones, and those that it only mounts', async () => {
  const circle = {
    'compose.yaml': including('a.yaml', 'https://example.org/app.git', { path: [] }, 'sub'),
    'a.yaml': `${including('compose.yaml', 'absent.yaml', '${A:?}')}\n---\nservices: {web: {extends: {file: a.yaml}}}`,
    'sub/x': '',
  };
  assert.equal(await problemOf(circle), null);
  const mounted = { services: { web: { image: 'web:1', configs: ['c'] } }, configs: { c: { file: './zero' } } };
  assert.equal(await problemOf({ 'compose.yaml': JSON.stringify(mounted) }), null);
  assert.equal(await problemOf({ 'compose.yaml': including('a.yaml'), 'a.yaml': 'services: [' }), null);
});
