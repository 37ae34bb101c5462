import assert from 'node:assert/strict';
import { test } from 'node:test';
import { halfReplaced } from './interrupted-recreate.ts';

const container = (name: string, service: string, fields = {}) => ({
  name,
  service,
  project: 'a',
  oneOff: false,
  ...fields,
});

test('finds a new container under its temporary name beside the one that it was to replace', () => {
  const seen = [container('a-web-1', 'web'), container('9a10a2c2c934_a-web-1', 'web'), container('a-db-1', 'db')];
  assert.deepEqual(
    halfReplaced(seen, 'a').map(({ name }) => name),
    ['9a10a2c2c934_a-web-1'],
  );
});

test('ignores one without a predecessor, and containers of another project or one-offs', () => {
  const temporary = container('9a10a2c2c934_a-web-1', 'web');
  assert.deepEqual(halfReplaced([temporary, container('a-db-1', 'db')], 'a'), []);
  assert.deepEqual(halfReplaced([temporary, container('a-web-1', 'web')], 'b'), []);
  assert.deepEqual(halfReplaced([{ ...temporary, oneOff: true }, container('a-web-1', 'web')], 'a'), []);
  assert.deepEqual(halfReplaced([temporary, container('a-web-1', 'web', { project: 'b' })], 'a'), []);
});
