import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Box, startBox } from '../support/box.ts';
import { docker } from '../support/programs/docker.ts';
import { newTag, registry } from '../support/programs/registry.ts';
import { freePort } from '../support/server-process.ts';

const size = 2_000_000;

/** Pushes an image with a layer that no engine has, and forgets it here. */
function pushImage(box: Box, tag: string): void {
  const folder = join(box.folder, 'image');
  mkdirSync(folder);
  writeFileSync(join(folder, 'random'), randomBytes(size));
  writeFileSync(join(folder, 'Dockerfile'), `FROM ${registry}/web:1\nCOPY random /random\n`);
  const image = `${registry}/web:${tag}`;
  execFileSync('docker', ['build', '-q', '-t', image, folder], { env: { ...process.env, DOCKER_BUILDKIT: '0' } });
  docker('push', '-q', image);
  docker('image', 'rm', image);
}

/** The registry, which sends layers slowly. */
async function slowRegistry(t: TestContext): Promise<string> {
  const port = await freePort();
  const bytesPerSecond = size / 4;
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const forwarded = request(`http://${registry}${path}`, { method, headers }, async (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      for await (const chunk of found) {
        answer.write(chunk);
        if (path?.includes('/blobs/')) await pause((chunk.length / bytesPerSecond) * 1000);
      }
      answer.end();
    });
    asked.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${port}`;
}

type Operation = { kind: string; step: string; bytes?: number; bytes_total?: number };

test('the lists show an install: what waits, what is pulled and how far it is', async (t) => {
  const compose = (image: string) => `services: { web: { image: "${image}", network_mode: none } }`;
  const tag = newTag('slow');
  const slow = { compose: compose(`${await slowRegistry(t)}/web:${tag}`) };
  const box = await startBox(t, { 'real-slow': slow, 'real-next': { compose: compose(`${registry}/web:1`) } });
  pushImage(box, tag);
  let isDone = false;
  const first = box.install('real-slow');
  const second = box.install('real-next');
  void Promise.all([first, second]).finally(() => {
    isDone = true;
  });
  const seen: Record<string, Operation[]> = { 'real-slow': [], 'real-next': [] };
  while (!isDone) {
    const lists = await Promise.all([box.get('/api/apps'), box.get('/api/bundled')]);
    for (const { name, operation } of lists.flatMap(({ body }) => body)) {
      if (operation) seen[name]?.push(operation);
    }
    await pause(100);
  }
  for (const answer of [await first, await second]) assert.equal(answer.status, 200, JSON.stringify(answer.body));

  const pulls = (seen['real-slow'] ?? []).filter(({ step }) => step === 'pulling');
  const parts = pulls.filter(({ bytes = 0, bytes_total = 0 }) => bytes > 0 && bytes < bytes_total);
  assert.ok(parts.length > 3, JSON.stringify(pulls));
  assert.ok(pulls.some(({ bytes_total = 0 }) => bytes_total >= size));
  assert.ok(seen['real-slow']?.some(({ step }) => step === 'verifying'));
  assert.equal(seen['real-next']?.[0]?.step, 'waiting');
  const { body } = await box.get('/api/apps');
  assert.deepEqual(
    body.map(({ operation }: { operation?: Operation }) => operation),
    [undefined, undefined],
  );
});
