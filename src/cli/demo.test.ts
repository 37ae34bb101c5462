import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const launcher = join(import.meta.dirname, 'boxgate.cjs');
const temporary = mkdtempSync(join(tmpdir(), 'boxgate-demo-test-'));
let demo: ChildProcess;
let said = '';
let page = '';
let appPage = '';

before(async () => {
  const env = { ...process.env, TMPDIR: temporary, BOX_PORT: '0', BOX_STATE_DIR: '/nowhere' };
  demo = spawn(process.execPath, [launcher, 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  [page = '', appPage = ''] = await printedAddresses(demo);
});

after(() => {
  demo.kill('SIGKILL');
  rmSync(temporary, { recursive: true, force: true });
});

test('the demo prints the address of a page with one app installed and the others to install', async () => {
  assert.match(await textOf(page), /<html/);
  const installed = (await jsonOf('api/apps')) as { name: string; ok: boolean }[];
  assert.deepEqual(
    installed.map(({ name, ok }) => [name, ok]),
    [['miniflux', true]],
  );
  const bundled = (await jsonOf('api/bundled')) as unknown[];
  assert.ok(bundled.length >= 8);
});

test('the port of the installed app answers a page', async () => {
  assert.match(await textOf(appPage), /miniflux/i);
});

test('an app that is installed answers on its port as well, and no longer once it is removed', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const settings = { MEMOS_PORT: port };
  assert.equal((await post('api/apps/install', { name: 'memos', settings })).status, 200);
  await until('the port answers', async () => (await textOf(address)).includes('memos'));
  assert.equal((await post('api/apps/remove', { name: 'memos' })).status, 200);
  await until('the port is closed', () =>
    fetch(address).then(
      () => false,
      () => true,
    ),
  );
});

test('a newer version is announced, and applying it ends in a final stage', async () => {
  const check = (await (await post('api/self/update/check', {})).json()) as { update_available: boolean };
  assert.equal(check.update_available, true);
  assert.equal((await post('api/self/update/apply', {})).status, 202);
  await until('the update has ended', async () => {
    const { stage } = (await jsonOf('api/self/update/status')) as { stage?: string };
    return stage === 'done' || stage === 'rolled_back';
  });
});

test('a signal ends the demo with status 0 and removes everything that it made', async () => {
  const ended = once(demo, 'exit');
  demo.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(readdirSync(temporary), []);
  await assert.rejects(fetch(page));
});

/** The two addresses that the demo prints; a demo that ends before fails here. */
async function printedAddresses(child: ChildProcess): Promise<string[]> {
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const addresses = said.match(/http:\/\/\S+\//g) ?? [];
    if (said.includes('Ctrl-C')) return addresses;
  }
  throw new Error(`the demo ended before it was ready: ${said}`);
}

async function textOf(address: string): Promise<string> {
  return (await fetch(address)).text();
}

async function jsonOf(path: string): Promise<unknown> {
  return (await fetch(page + path)).json();
}

function post(path: string, body: object): Promise<Response> {
  return fetch(page + path, { method: 'POST', body: JSON.stringify(body) });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Asks again until it holds, for at most 20 s; a fault counts as "not yet". */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) assert.fail(`not within 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
