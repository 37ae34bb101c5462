/** oasdiff finds no breaking change since the last release. spec/breaking-changes.test.ts checks what oasdiff misses. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { asArray, asObject, type JsonObject, readDocument } from '../../spec/document.ts';
import type { Service } from '../../spec/register.ts';
import { required } from '../real/support/required.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(required('BOXGATE_CI_SCRATCH'), 'breaking-'));
const baseline = (service: Service) =>
  join(import.meta.dirname, '..', '..', 'spec', 'released', `${service}.openapi.json`);
const program = join(folder, 'oasdiff');

before(async () => {
  const cwd = join(import.meta.dirname, 'oasdiff');
  await run('go', ['install', 'github.com/oasdiff/oasdiff'], { cwd, env: { ...process.env, GOBIN: folder } });
});
after(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The ids of the breaking changes from the last release to the document. */
async function breaking(service: Service, document: JsonObject): Promise<string[]> {
  const file = join(folder, `${service}.json`);
  writeFileSync(file, JSON.stringify(document));
  const options = ['--fail-on', 'ERR', '--format', 'json'];
  const { stdout } = await run(program, ['breaking', baseline(service), file, ...options]).catch((error) => {
    // 1 is the status with which --fail-on reports an error; others are faults of the call.
    if (error.code !== 1) throw error;
    return error as { stdout: string };
  });
  const changes = JSON.parse(stdout.trim() || '[]') as { id: string; level: number }[];
  return changes.filter(({ level }) => level === 3).map(({ id }) => id);
}

for (const service of ['box', 'gateway'] as const) {
  test(`the document of the ${service} breaks no client of the last release`, async () => {
    assert.deepEqual(await breaking(service, readDocument(service)), []);
  });
}

describe('a change that breaks clients is reported', () => {
  const released = (): JsonObject => JSON.parse(readFileSync(baseline('gateway'), 'utf8'));
  const schema = (document: JsonObject, name: string) =>
    asObject(asObject(asObject(document.components, 'components').schemas, 'schemas')[name], name);

  test('an operation is removed', async () => {
    const document = released();
    delete asObject(document.paths, 'paths')['/v1/routes/{route_id}'];
    assert.deepEqual(await breaking('gateway', document), ['api-path-removed-without-deprecation']);
  });

  test('a new field of a request is required', async () => {
    const document = released();
    const request = schema(document, 'PublishRequest');
    asObject(request.properties, 'properties').colour = { type: 'string' };
    request.required = [...asArray(request.required, 'required'), 'colour'];
    assert.deepEqual(await breaking('gateway', document), ['new-required-request-property']);
  });

  test('a required field of a response is removed', async () => {
    const document = released();
    const result = schema(document, 'RotateResult');
    delete asObject(result.properties, 'properties').box_token;
    result.required = [];
    assert.deepEqual(await breaking('gateway', document), ['response-required-property-removed']);
  });
});
