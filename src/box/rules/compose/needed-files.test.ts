// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directoryOf } from './further-files.ts';
import { neededFiles } from './needed-files.ts';

const cases: [service: unknown, needed: string[]][] = [
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
for (const [service, needed] of cases) {
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
