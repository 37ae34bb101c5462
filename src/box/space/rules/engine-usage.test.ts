import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUsage } from './engine-usage.ts';

const sizes: [text: unknown, bytes: number][] = [
  ['0B', 0],
  ['512B', 512],
  ['1.984MB', 1_984_000],
  ['12.5kB', 12_500],
  ['3GB', 3e9],
  ['1.5TB', 1.5e12],
  ['N/A', 0],
  ['', 0],
  [7, 0],
  [undefined, 0],
];
for (const [text, bytes] of sizes) {
  test(`a volume of ${text} has ${bytes} bytes`, () => {
    assert.deepEqual(parseUsage({ Volumes: [{ Name: 'v', Size: text }] }), {
      images: [],
      volumes: [{ name: 'v', project: null, bytes }],
    });
  });
}

test('has one entry for an image with several tags, and the project of a volume', () => {
  const Labels = 'com.docker.compose.version=2,com.docker.compose.project=notes,com.docker.compose.volume=data';
  const image = { ID: 'sha256:1', Repository: 'web', Size: '2MB', UniqueSize: '1MB' };
  const answer = {
    Images: [
      { ...image, Tag: '1' },
      { ...image, Tag: 'latest' },
      { ...image, ID: 'sha256:2', Tag: '<none>' },
    ],
    Volumes: [{ Name: 'notes_data', Size: '1kB', Labels }],
  };
  assert.deepEqual(parseUsage(answer), {
    images: [
      { id: 'sha256:1', tags: ['web:1', 'web:latest'], bytes: 2e6, own: 1e6 },
      { id: 'sha256:2', tags: [], bytes: 2e6, own: 1e6 },
    ],
    volumes: [{ name: 'notes_data', project: 'notes', bytes: 1000 }],
  });
});

for (const answer of [null, [], 'text', {}, { Images: null }]) {
  test(`does not understand ${JSON.stringify(answer)}`, () => assert.equal(parseUsage(answer), null));
}
