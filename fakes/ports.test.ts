import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from './ports.ts';

const blockOf = (port: number) => Math.floor(port / 1024);

test('gives free ports below the ephemeral range, each once', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 50 }, freePort));
  const ports = [first, ...others];
  assert.equal(new Set(ports).size, 50);
  assert.ok(
    ports.every((port) => port !== undefined && port > 10_240 && port < 32_768),
    ports.join(),
  );
  const next = (others.at(-1) ?? 0) + 1;
  const holder = createServer().listen(next, '127.0.0.1');
  await once(holder, 'listening');
  const port = await freePort();
  holder.close();
  assert.ok(port > next);
});

test('uses another block in another process, and lets the process exit', async () => {
  const own = blockOf(await freePort());
  const source = `const { freePort } = await import('${join(import.meta.dirname, 'ports.ts')}');
    console.log(await freePort());`;
  const argv = ['--no-warnings', '--input-type=module', '-e', source];
  const blocks = [1, 2, 3].map(() => blockOf(Number(execFileSync(process.execPath, argv))));
  assert.ok(
    blocks.every((block) => block !== own && block >= 10),
    blocks.join(),
  );
});
