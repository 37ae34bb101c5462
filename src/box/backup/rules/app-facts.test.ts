import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppFacts, factsText, parseFacts } from './app-facts.ts';

const facts: AppFacts = {
  app: 'a',
  version: '1',
  directory: '/apps/a',
  project: 'a',
  images: [{ service: 'web', tag: 'web:1', id: 'sha256:1', digests: [] }],
  volumes: [{ name: 'a_data', key: 'data', path: '/volumes/a_data/_data', labels: {} }],
  leftOut: [],
  install: null,
};

test('reads what was written', () => {
  assert.deepEqual(parseFacts(factsText(facts)), facts);
  const unnamed = { name: 'f0', key: 'x', path: '/v', labels: {}, at: [{ service: 'db', target: '/data' }] };
  for (const more of [{ install: '{}' }, { volumes: [unnamed] }, { isWithoutDirectory: true as const }]) {
    assert.deepEqual(parseFacts(factsText({ ...facts, ...more })), { ...facts, ...more });
  }
});

const changed = (change: object) => JSON.stringify({ ...JSON.parse(factsText(facts)), ...change });
const foreign: Record<string, string> = {
  'no JSON': '{',
  'another document': '{"format":1}',
  'a later format': changed({ format: 2 }),
  'a text in place of a list': changed({ volumes: 'x' }),
  'a directory that is relative': changed({ directory: 'apps' }),
  'a path that leads elsewhere': changed({ directory: '/apps/../etc' }),
  'an image that is null': changed({ images: [null] }),
  'a service that is null': changed({ images: [{ service: null, tag: 't', id: 'i', digests: [] }] }),
  'a volume with a key that is null': changed({ volumes: [{ name: 'a', key: null, path: '/x', labels: {} }] }),
  'a volume with labels that are null': changed({ volumes: [{ name: 'a', key: 'a', path: '/x', labels: null }] }),
  'a volume that is used nowhere': changed({ volumes: [{ name: 'a', key: 'a', path: '/x', labels: {}, at: [{}] }] }),
  'a volume whose name is an option': changed({ volumes: [{ name: '--all', path: '/x' }] }),
  'a volume without a path': changed({ volumes: [{ name: 'a', path: 7 }] }),
};
for (const [title, text] of Object.entries(foreign)) {
  test(`refuses ${title}`, () => assert.equal(parseFacts(text), null));
}
