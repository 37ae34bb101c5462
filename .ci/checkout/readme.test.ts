import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { required } from '../real/support/required.ts';
import { until } from '../real/support/until.ts';

/**
 * Runs the README's commands on a machine without Docker: first those for a fresh clone, with the machine's own Node
 * and npm and without this checkout on PATH, then those that install a release.
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
  if (demo?.pid !== undefined && demo.exitCode === null && demo.signalCode === null) process.kill(-demo.pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** The blocks of code below a heading of a page, without their indentation. */
function blocks(heading: string, page = 'README.md'): string[] {
  const text = readFileSync(join(clone, page), 'utf8').split(`\n## ${heading}\n`)[1] ?? '';
  const section = text.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) =>
    block.trim().replaceAll(/^ +/gm, ''),
  );
}

test('the two commands of the README, in a fresh clone, show the page with apps that can be installed', async () => {
  const commands = blocks('Try it')[0]?.split('\n') ?? [];
  assert.deepEqual(commands, ['npm ci', 'npm start']);
  const [prepare = '', start = ''] = commands;
  execFileSync('sh', ['-c', prepare], { cwd: clone, env, stdio: 'pipe' });

  demo = spawn('sh', ['-c', `exec ${start}`], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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
  const bundled = (await (await fetch(`${url}/api/bundled`)).json()) as { name: string; ports: { port: number }[] }[];
  assert.ok(bundled.length >= 6, `${bundled.length} apps to install`);

  // Installs one of these apps with the values that an owner would type.
  const [{ name } = { name: '' }] = bundled.filter((app) => app.name === 'uptime-kuma');
  const view = (await (await fetch(`${url}/api/apps/${name}/settings`)).json()) as {
    settings: { name: string; value: string; type: string }[];
  };
  const settings = Object.fromEntries(
    view.settings.filter(({ type }) => type === 'password').map((each) => [each.name, 'horse-battery-staple']),
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

test('a release is downloaded, verified, unpacked, installed and removed as the README says', async (t) => {
  const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
  const platform = `linux-${process.arch}`;
  const releases = join(folder, 'releases');
  const key = join(folder, 'release.key');
  const inClone = { cwd: clone, env, stdio: 'pipe' } as const;
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', key], inClone);
  const options = ['--key', key, '--platform', platform, '--out', releases];
  execFileSync('npm', ['run', '-s', 'release', '--', ...options], inClone);
  const server = createServer((request, response) => {
    createReadStream(join(releases, basename(request.url ?? '')))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;

  const [download = '', install = ''] = blocks('Run it on a real box');
  const verify = blocks('Verify a download', 'deploy/OPERATING.md');
  const typed = [download, ...verify, install, ...blocks('Remove boxgate', 'deploy/OPERATING.md')]
    .join('\n')
    .replaceAll('https://releases.example.org/boxgate', `http://127.0.0.1:${port}`)
    .replaceAll('0.1.0-linux-x64', `${version}-${platform}`)
    .replaceAll('sudo ', '')
    .replaceAll(' /opt/', ' "$DESTDIR"/opt/');
  const user = join(folder, 'user');
  mkdirSync(user);
  execFileSync('openssl', ['pkey', '-in', key, '-pubout', '-out', join(user, 'release-key.pem')], inClone);
  const root = join(folder, 'root');
  const shell = spawn('sh', ['-exc', typed], { cwd: user, env: { ...env, DESTDIR: root } });
  const [said, errors] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  assert.match(said, /Signature Verified Successfully/, errors);
  assert.match(said, /^boxgate-.*\.tar\.gz: OK$/m);
  assert.match(said, /^boxgate \S+ is in /m);
  assert.match(said, /^the box is removed$/m, errors);
  assert.ok(existsSync(join(root, 'etc/boxgate/box.env')));
  assert.ok(!existsSync(join(root, 'opt/boxgate')));
});
