import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { boxApi } from '../conformance/checks/box/api.ts';
import { gatewayApi } from '../conformance/checks/gateway/api.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('every test and check that deploy/SECURITY.md names is there', () => {
  const all = [boxApi, gatewayApi].flatMap(({ checks, profileChecks }) => [...checks, ...profileChecks]);
  const checks = new Set(all.map(({ id }) => id));
  const names = [...read('deploy/SECURITY.md').matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, name = '']) => name);
  assert.ok(names.length > 30);
  assert.deepEqual(
    names.filter((name) => !existsSync(new URL(name, root)) && !checks.has(name)),
    [],
  );
});
