import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { portOf } from '../../../lib/testing/port-of.ts';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { makeRegistry } from './registry.ts';

const digest = `sha256:${'a'.repeat(64)}`;

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  return `127.0.0.1:${await portOf(t, createServer(listener))}`;
}

test('asks once with HEAD, gets an anonymous token if it has to, and returns the digest', async (t) => {
  const asked: string[] = [];
  const host = await serve(t, ({ method, url, headers }, response) => {
    asked.push(`${method} ${url}`);
    if (url?.startsWith('/token')) return response.end('{"token":"t"}');
    if (headers.authorization !== 'Bearer t') {
      const challenge = `Bearer realm="http://${headers.host}/token",service="s"`;
      return response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    }
    assert.match(headers.accept ?? '', /image\.index/);
    return response.writeHead(200, { 'Docker-Content-Digest': digest }).end();
  });
  assert.deepEqual(await makeRegistry('/absent')(`${host}/me/web:1`), { digest });
  const manifest = 'HEAD /v2/me/web/manifests/1';
  assert.deepEqual(asked, [manifest, 'GET /token?service=s&scope=repository%3Ame%2Fweb%3Apull', manifest]);
  assert.deepEqual(await makeRegistry('/absent')(`${host}/me/web@${digest}`), { isPinned: true });
});

const answers: [status: number, headers: Record<string, string>, problem: RegExp][] = [
  [401, {}, /asks for an account/],
  [401, { 'WWW-Authenticate': 'Basic realm="x"' }, /asks for an account/],
  [403, {}, /asks for an account/],
  [404, {}, /does not have the image/],
  [429, {}, /asked too often/],
  [500, {}, /answered 500/],
  [200, {}, /does not say which image/],
  [200, { 'Docker-Content-Digest': 'sha256:<b>' }, /does not say which image/],
];
for (const [status, headers, problem] of answers) {
  test(`tells of an answer ${status} with ${JSON.stringify(headers)}`, async (t) => {
    const host = await serve(t, (_request, response) => response.writeHead(status, headers).end());
    const answer = await makeRegistry('/absent')(`${host}/web`);
    assert.match('problem' in answer ? answer.problem : '', problem);
  });
}

test('asks the mirrors of the engine first', async (t) => {
  const asked: string[] = [];
  const host = await serve(t, ({ url }, response) => {
    asked.push(url ?? '');
    response.writeHead(200, { 'Docker-Content-Digest': digest }).end();
  });
  const file = join(temporaryFolder(), 'daemon.json');
  writeFileSync(
    file,
    JSON.stringify({ 'registry-mirrors': ['no address', `http://${host}/`], 'insecure-registries': 7 }),
  );
  assert.deepEqual(await makeRegistry(file)('redis:7'), { digest });
  assert.deepEqual(asked, ['/v2/library/redis/manifests/7']);
});

test('follows no redirection to a token', async (t) => {
  const asked: string[] = [];
  const host = await serve(t, ({ url, headers }, response) => {
    asked.push(url ?? '');
    if (url?.startsWith('/token')) return response.writeHead(302, { Location: '/secret' }).end();
    return response.writeHead(401, { 'WWW-Authenticate': `Bearer realm="http://${headers.host}/token"` }).end();
  });
  const answer = await makeRegistry('/absent')(`${host}/web`);
  assert.match('problem' in answer ? answer.problem : '', /asks for an account/);
  assert.deepEqual(asked, ['/v2/web/manifests/latest', '/token?scope=repository%3Aweb%3Apull']);
});

for (const host of ['127.0.0.1:1', 'localhost:99999']) {
  test(`tells of a registry that is not there: ${host}`, async () => {
    const answer = await makeRegistry('/absent')(`${host}/web`);
    assert.match('problem' in answer ? answer.problem : '', new RegExp(`${host}.* cannot be reached`));
  });
}
