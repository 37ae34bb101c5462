import assert from 'node:assert/strict';
import { test } from 'node:test';
import { halfReplaced } from './interrupted-recreate.ts';

const container = (id: string, name: string, fields = {}) => ({
  id: id.repeat(64),
  name,
  service: 'web',
  project: 'a',
  oneOff: false,
  ...fields,
});
const old = container('9', 'a-web-1');
const made = container('1', '999999999999_a-web-1');
const namesOf = (containers: ReturnType<typeof container>[]) => halfReplaced(containers, 'a').map(({ name }) => name);

test('finds a new container under its temporary name beside the one that it was to replace', () => {
  assert.deepEqual(namesOf([old, made, container('2', 'a-db-1', { service: 'db' })]), [made.name]);
});

test('finds it also beside a container that kept the temporary name of an earlier killed up', () => {
  const next = container('2', '111111111111_a-web-1');
  assert.deepEqual(namesOf([made, next]), [next.name]);
});

test('ignores one whose predecessor is gone, also beside another container of the service', () => {
  assert.deepEqual(namesOf([made, container('2', 'a-db-1', { service: 'db' })]), []);
  assert.deepEqual(namesOf([made, container('2', 'a-web-2')]), []);
});

test('ignores containers of another project or service, and one-offs', () => {
  assert.deepEqual(halfReplaced([old, made], 'b'), []);
  assert.deepEqual(namesOf([old, { ...made, oneOff: true }]), []);
  assert.deepEqual(namesOf([{ ...old, project: 'b' }, made]), []);
  assert.deepEqual(namesOf([{ ...old, service: 'db' }, made]), []);
});
