import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translatorOf } from './translators.ts';

const stores: [paths: string[], id: string | undefined][] = [
  [['README.md', 'Apps/Notes/docker-compose.yml'], 'casaos'],
  [['Apps/Notes/docker-compose.yaml'], 'casaos'],
  [['apps/notes/docker-compose.json', 'apps/notes/config.json'], 'runtipi'],
  [['apps/notes/config.json/x', 'apps/config.json', 'Apps/Notes/icon.svg'], undefined],
  [[], undefined],
];

for (const [paths, id] of stores) {
  test(`a store with ${paths.join(', ') || 'nothing'} is ${id ?? 'unknown'}`, () => {
    assert.equal(translatorOf(paths)?.id, id);
  });
}
