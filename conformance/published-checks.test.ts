import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { operationsOf, readDocument } from '../spec/document.ts';
import {
  checksFile,
  inBoth,
  type PublishedChecks,
  printChecks,
  publishedChecks,
  readRecorded,
} from './published-checks.ts';

const text = readFileSync(checksFile, 'utf8');
const published: PublishedChecks = JSON.parse(text);

test('spec/checks.json is what the suite and the documents make', () => {
  const current = publishedChecks(readRecorded());
  const idsOf = ({ checks }: PublishedChecks) => checks.map(({ id, level }) => `${level} ${id}`).sort();
  const hint = 'see "How the suite is versioned" in conformance/README.md, then run: node conformance/check-ids.ts';
  assert.deepEqual(idsOf(current), idsOf(published), hint);
  assert.ok(text === printChecks(current), hint);
});

test('spec/checks.json matches its schema', () => {
  const schema = JSON.parse(readFileSync(new URL('../spec/checks.schema.json', import.meta.url), 'utf8'));
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
  validate(published);
  assert.deepEqual(validate.errors, null);
});

test('every cited requirement is listed, and every recorded request belongs to its operation', () => {
  const ids = new Set(published.requirements.map(({ id }) => id));
  const documented = [...operationsOf(readDocument('box')), ...operationsOf(readDocument('gateway'))];
  const operations = new Map(documented.map((one) => [one.operationId, one]));
  for (const { id, rules, requests } of published.checks) {
    for (const rule of rules) assert.ok(ids.has(rule), `${id} cites ${rule}`);
    for (const { method, path, operation } of requests ?? []) {
      if (operation === null) continue;
      const found = operations.get(operation);
      assert.equal(found?.method, method, `${id}: ${method} ${path}`);
      const form = found?.path.replace(/\{\w+\}/g, '.*') ?? '';
      assert.match(path.split('?', 1)[0] ?? '', new RegExp(`^${form}$`), id);
    }
  }
});

const sent = (method: string, path: string, body = '') => ({ method, path, body: Buffer.from(body) });

test('keeps of the requests what two runs have in common', () => {
  const one = [
    sent('POST', '/v1/boxes/register', '{"token":"a"}'),
    sent('DELETE', '/v1/routes/1'),
    sent('GET', '/v1/routes'),
    sent('GET', '/v1/routes'),
    sent('GET', '/nowhere'),
    sent('GET', '/random-1'),
    sent('POST', '/v1/boxes/7/heartbeat', '{}'),
    sent('GET', '/healthz'),
  ];
  const other = [
    sent('POST', '/v1/boxes/register', '{"token":"b"}'),
    sent('DELETE', '/v1/routes/2'),
    sent('GET', '/v1/routes'),
    sent('GET', '/nowhere'),
    sent('GET', '/random-2'),
    sent('POST', '/v1/boxes/8/heartbeat', '{}'),
  ];
  assert.deepEqual(inBoth('gateway', one, other), [
    { method: 'POST', path: '/v1/boxes/register', operation: 'registerBox', body: null },
    { method: 'DELETE', path: '/v1/routes/{route_id}', operation: 'unpublishRoute' },
    { method: 'GET', path: '/v1/routes', operation: 'listRoutes' },
    { method: 'GET', path: '/nowhere', operation: null },
    { method: 'POST', path: '/v1/boxes/{box_id}/heartbeat', operation: 'heartbeatBox', body: '{}' },
  ]);
});
