import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { required } from './required.ts';
import { until } from './until.ts';

/**
 * What a new user does on a machine without Docker: the README's commands in a fresh clone, with the machine's own
 * Node and npm and nothing of this checkout on PATH.
 */
const checkout = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(required('BOXGATE_CI_SCRATCH'), 'readme-'));
const clone = join(folder, 'boxgate');
const path = (process.env.PATH ?? '').split(':').filter((entry) => !entry.includes('node_modules'));
const env = { ...process.env, PATH: path.join(':') };
let demo: ChildProcess | undefined;

before(() => {
  execFileSync('git', ['clone', '-q', '--no-local', checkout, clone], { stdio: 'pipe' });
});
after(() => {
  if (demo?.pid !== undefined && demo.exitCode === null && demo.signalCode === null)
    process.kill(-demo.pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The commands of the first block of code in the README. */
function commands(): string[] {
  const block = /```\w*\n([\s\S]*?)```/.exec(readFileSync(join(clone, 'README.md'), 'utf8'))?.[1] ?? '';
  return block.trim().split('\n');
}

test('the two commands of the README, in a fresh clone, show the page with apps that can be installed', async () => {
  assert.deepEqual(commands(), ['npm ci', 'npm start']);
  const [prepare = '', start = ''] = commands();
  execFileSync('sh', ['-c', prepare], { cwd: clone, env, stdio: 'pipe' });

  demo = spawn('sh', ['-c', `exec ${start}`], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream?.on('data', (bytes) => {
      said += bytes;
    });
  }
  const address = () => /http:\/\/[\w.:[\]]+\d/.exec(said)?.[0];
  await until('an address to open is printed', () => {
    assert.equal(demo?.exitCode, null, said);
    return address() !== undefined;
  });
  const url = address() ?? '';

  const page = await fetch(url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<title>Apps<\/title>/);
  const bundled = (await (await fetch(`${url}/api/bundled`)).json()) as {
    name: string;
    ports: { port: number }[];
  }[];
  assert.ok(bundled.length >= 6, `${bundled.length} apps to install`);

  // One of them, with what an owner would type.
  const [{ name } = { name: '' }] = bundled.filter((app) => app.name === 'uptime-kuma');
  const view = (await (await fetch(`${url}/api/apps/${name}/settings`)).json()) as {
    settings: { name: string; value: string; type: string }[];
  };
  const settings = Object.fromEntries(
    view.settings
      .filter(({ type }) => type === 'password')
      .map((each) => [each.name, 'horse-battery-staple']),
  );
  const installed = await fetch(`${url}/api/apps/install`, {
    method: 'POST',
    body: JSON.stringify({ name, settings }),
  });
  assert.equal(installed.status, 200, await installed.clone().text());
  const port = bundled.find((app) => app.name === name)?.ports[0]?.port;
  await until('the port of the app answers a page', () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.ok,
      () => false,
    ),
  );
});

test('Ctrl-C ends it and leaves no process behind', async () => {
  assert.ok(demo?.pid !== undefined);
  const { pid } = demo;
  const ended = once(demo, 'exit');
  process.kill(-pid, 'SIGINT');
  await ended;
  await until('its whole process group is gone', () => {
    try {
      process.kill(-pid, 0);
      return false;
    } catch {
      return true;
    }
  });
});
