import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../ports.ts';
import { makeEngine } from './engine.ts';
import { servePublishedPorts } from './serve-ports.ts';

async function until(holds: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!holds()) {
    assert.ok(Date.now() < giveUpAt, 'not within 60 s');
    await pause(5);
  }
}

test('serves published ports while their containers run, and warns about a port in use', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fake-docker-ports-'));
  const engine = makeEngine(folder);
  const [free, taken] = [await freePort(), await freePort()];
  const holder = createServer().listen(taken, '127.0.0.1');
  const warnings: string[] = [];
  const served = await servePublishedPorts(engine, (text) => warnings.push(text));
  const port = (hostPort: number) => [{ target: 80, protocol: 'tcp', hostIp: '', hostPort }];
  await engine.seedContainer({ name: 'shop<1>', image: 'shop:1', ports: port(free) });
  await engine.seedContainer({ name: 'other', image: 'other:1', ports: port(taken) });
  await until(() => served.ports().length === 1 && warnings.length === 1);
  assert.deepEqual(served.ports(), [free]);
  assert.match(warnings[0] ?? '', new RegExp(`port ${taken} is taken`));
  const text = await (await fetch(`http://127.0.0.1:${free}/any`)).text();
  assert.match(text, /shop&#60;1&#62;/);
  await engine.stopContainerByHand('shop<1>');
  await until(() => served.ports().length === 0);
  await assert.rejects(fetch(`http://127.0.0.1:${free}/`));
  await served.close();
  holder.close();
  rmSync(folder, { recursive: true, force: true });
});
