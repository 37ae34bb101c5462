import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launcher } from '../lib/testing/boxgate-process.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';

const temporary = temporaryFolder();
let demo: ChildProcess;
let said = '';
let page = '';
let appPage = '';
let publishedPage = '';

before(async () => {
  const elsewhere = { BOX_STATE_DIR: '/nowhere', GATEWAY_STATE_DIR: '/nowhere', GATEWAY_STORE: 'file:/nowhere' };
  const env = { ...process.env, TMPDIR: temporary, BOX_PORT: '0', GATEWAY_PORT: '0', ...elsewhere };
  demo = spawn(process.execPath, [launcher, 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  [page = '', appPage = '', publishedPage = ''] = await printedAddresses(demo);
});

test('a signal during the start ends the demo with status 0 and leaves no files', async () => {
  const folder = mkdtempSync(join(temporary, 'early-'));
  const env = { ...process.env, TMPDIR: folder, BOX_PORT: '0', GATEWAY_PORT: '0' };
  const early = spawn(process.execPath, [launcher, 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await until('its servers have been started', async () => processesOf(folder).length > 0);
  const ended = once(early, 'exit');
  early.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(processesOf(folder), []);
  rmSync(folder, { recursive: true });
});

after(() => demo.kill('SIGKILL'));

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

test('the console publishes the app behind a login, and the proxy of the demo asks for it', async () => {
  const { hostname, port } = new URL(publishedPage);
  const ask = (auth?: string) => textUnderHost(port, `${hostname}:${port}`, auth);
  const fields = { app: 'miniflux', subdomain: 'feeds', login: 'ada' };
  const response = await post('settings/api/acts', { act: 'addresses/publish', fields });
  const [, password] = /password `([^`]+)`/.exec(await response.text()) ?? [];
  await until('it asks for the login', async () => (await ask()) === '401 Unauthorized\n');
  assert.equal(await ask(`ada:${password}x`), '401 Unauthorized\n');
  assert.match(await ask(`ada:${password}`), /miniflux/i);
});

test('every link of the page leads somewhere', async () => {
  const links = [...(await textOf(page)).matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path);
  assert.ok(links.includes('/settings/'));
  for (const path of links) assert.equal((await fetch(new URL(path, page))).status, 200, path);
});

test('no newer version is announced, and an update ends well', async () => {
  const check = (await (await post('api/self/update/check', {})).json()) as { update_available: boolean };
  assert.equal(check.update_available, false);
  assert.equal((await post('api/self/update/apply', {})).status, 202);
  await until('the update has ended', async () => {
    const { stage } = (await jsonOf('api/self/update/status')) as { stage?: string };
    return stage === 'done';
  });
});

test('a signal ends the demo with status 0 and removes all its files', async () => {
  const ended = once(demo, 'exit');
  demo.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
  assert.deepEqual(readdirSync(temporary), []);
  for (const address of [page, appPage]) await assert.rejects(fetch(address));
  assert.deepEqual(processesOf(temporary), []);
});

function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'utf8').includes(`=${folder}/boxgate-env-`);
      } catch {
        return false; // The process has ended, or belongs to another user.
      }
    });
}

/** Waits for the printed addresses; fails if the demo ends first. */
async function printedAddresses(child: ChildProcess): Promise<string[]> {
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const addresses = said.match(/http:\/\/\S+\//g) ?? [];
    if (said.includes('Ctrl-C')) return addresses;
  }
  throw new Error(`the demo ended before it was ready: ${said}`);
}

/** Resolves every name below localhost to this machine, like a browser. */
function textUnderHost(port: string, host: string, auth?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, headers: { host }, auth }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(text);
    }).on('error', reject);
  });
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

/** Repeats a check until it succeeds, for at most a minute; an error counts as "not yet". */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) assert.fail(`not within a minute: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
