import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { rawClient } from './testing/raw-client.ts';

/** A server with an endless operation, for which a stop waits 50 ms. */
const load = `import { serveUntilSignal } from ${JSON.stringify(import.meta.resolve('./serve.ts'))};`;
const program = `
  ${load}
  const never = setInterval(() => {}, 1000);
  const service = {
    server: 'test/1', maxBodyBytes: 1000, admit() {}, readBody: () => ({}),
    match: () => ({ operationId: 'wait', params: {} }),
    handle: () => { process.stderr.write('begun\\n'); return new Promise(() => {}); },
    refusalReply: () => null,
  };
  await serveUntilSignal({ host: '127.0.0.1', port: 0, service, drainMs: 50 });
`;

function start(text: string) {
  return spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('a start that fails after it listens closes the port and prints no ready line', { timeout: 60_000 }, async () => {
  const child = start(`
    ${load}
    const onListening = () => Promise.reject(new Error('the disk is full'));
    // The process ends only if nothing is open.
    await serveUntilSignal({ host: '127.0.0.1', port: 0, service: {}, onListening }).catch((error) => {
      process.stderr.write(error.message);
      process.exitCode = 1;
    });
  `);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
  assert.deepEqual(await once(child, 'close'), [1, null]);
  assert.deepEqual(said, ['the disk is full']);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends a start whose last step does not end`, { timeout: 60_000 }, async () => {
    const child = start(`
      ${load}
      const onListening = () => new Promise((resolve) => {
        process.stderr.write('started');
        setTimeout(resolve, 2 ** 30).unref();
      });
      await serveUntilSignal({ host: '127.0.0.1', port: 0, service: {}, onListening });
    `);
    await once(child.stderr, 'data');
    child.kill(signal);
    assert.deepEqual(await once(child, 'close'), [0, null]);
  });
}

test('a stop ends the process in spite of an endless operation', { timeout: 60_000 }, async () => {
  const child = start(program);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [line] = await once(child.stdout, 'data');
  const client = await rawClient(Number(/:(\d+)\n$/.exec(String(line))?.[1]));
  client.send('GET /x HTTP/1.1\r\nHost: x\r\n\r\n');
  while (!said.includes('begun')) await once(child.stderr, 'data');
  child.kill('SIGTERM');
  // All output has arrived by then.
  const [status, signal] = await once(child, 'close');
  assert.deepEqual([status, signal], [0, null], said);
  assert.match(said, /stopping: 1 request\(s\) did not end in time/);
  await client.closed();
});
