import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReference } from './reference.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const cases: [text: string, familiar: string | null][] = [
  ['nginx', 'nginx:latest'],
  ['docker.io/library/nginx:1', 'nginx:1'],
  ['index.docker.io/me/app', 'me/app:latest'],
  ['localhost:5000/a/b:x', 'localhost:5000/a/b:x'],
  ['ghcr.io/a/b', 'ghcr.io/a/b:latest'],
  [`nginx@${digest}`, `nginx@${digest}`],
  [`nginx:1@${digest}`, `nginx@${digest}`],
  ['a__b/c-d.e', 'a__b/c-d.e:latest'],
  ['Nginx', null],
  ['a//b', null],
  ['a:', null],
  ['a@sha256:1', null],
  ['-a', null],
  ['', null],
  ['a b', null],
];

for (const [text, familiar] of cases) {
  test(`reads "${text}" as ${familiar}`, () => assert.equal(parseReference(text)?.familiar ?? null, familiar));
}
