import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translators } from './translate/translators.ts';
import { wantedFiles } from './wanted-files.ts';

test('only files that a translation may need are read of each app', () => {
  const [casaos] = translators;
  assert.ok(casaos !== undefined);
  const paths = [
    'README.md',
    'Apps/README.md',
    'Apps/B/docker-compose.yml',
    'Apps/B/screenshot-1.png',
    'Apps/B/data/config/a.conf',
    'Apps/A/icon.png',
    'Apps/A/docker-compose.yaml',
    'Apps/A/data/../../evil',
    'Apps/A/data//x',
    'Apps/A/data/a\nb',
    `Apps/A/data/${'é'.repeat(101)}`,
    `Apps/A/data${'/deep'.repeat(200)}`,
    'Apps/../docker-compose.yml',
    'Apps/C/other.txt',
    'other/D/docker-compose.yml',
    ...Array.from({ length: 150 }, (_, index) => `Apps/E/data/${index}`),
  ];
  const { E: many, ...files } = Object.fromEntries(wantedFiles(casaos, paths));
  assert.deepEqual(files, {
    '..': [],
    A: ['icon.png', 'docker-compose.yaml'],
    B: ['docker-compose.yml', 'data/config/a.conf'],
    C: [],
  });
  assert.equal(many?.length, 100);
});
