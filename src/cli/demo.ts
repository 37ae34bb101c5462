import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { World } from '../../fakes/world.ts';
import packageFile from '../../package.json' with { type: 'json' };

/** Installed from the start, so that both lists of the page have something to show. */
const firstApp = {
  name: 'miniflux',
  port: { setting: 'MINIFLUX_PORT', usual: 8180 },
  passwords: ['MINIFLUX_ADMIN_PASSWORD', 'MINIFLUX_DATABASE_PASSWORD'],
};

/**
 * Runs a box on the stand-ins until a signal comes: temporary state, an engine and a service manager of its own,
 * the sample apps, a page on every published port, and a release feed that announces a newer version.
 * Nothing of it is left afterwards, whatever ended it.
 */
export async function runDemo(): Promise<void> {
  const signalled = untilSignal();
  const [{ makeWorld }, { makeEngine }, { servePublishedPorts }] = await Promise.all([
    import('../../fakes/world.ts'),
    import('../../fakes/docker/engine.ts'),
    import('../../fakes/docker/serve-ports.ts'),
  ]);
  const world = makeWorld();
  process.once('exit', world.dispose);
  world.feed.publish(nextVersion(packageFile.version));
  const pages = await servePublishedPorts(makeEngine(world.root));
  try {
    await runBox(world, signalled);
  } finally {
    await pages.close();
    world.dispose();
  }
}

/** The box until a signal comes or it ends by itself, of which it has said the reason on standard error. */
async function runBox(world: World, signalled: Promise<void>) {
  const box = startBox(world, await portOfTheBox());
  const ended = once(box, 'exit');
  try {
    const address = await Promise.race([readyAddress(box), signalled]);
    if (address === undefined) return;
    const appPort = await installFirstApp(address);
    process.stdout.write(welcome(address, appPort));
    await Promise.race([signalled, ended]);
    if (hasEnded(box)) process.exitCode = 1;
  } finally {
    if (!hasEnded(box)) box.kill('SIGTERM');
    await ended;
  }
}

function hasEnded(box: ChildProcess): boolean {
  return box.exitCode !== null || box.signalCode !== null;
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

/**
 * The box in a process and a process group of its own, so that Ctrl-C reaches it through the demo alone.
 * Variables of the caller that name other folders would leave something behind; those for its addresses stay.
 */
function startBox(world: World, port: string): ChildProcess {
  const { BOX_HOST, BOX_ALLOWED_HOSTS, BOX_BUNDLED_APPS } = process.env;
  const { BOX_BUNDLED_APPS: _empty, ...temporary } = world.environment();
  const chosen = { BOX_HOST, BOX_ALLOWED_HOSTS, BOX_BUNDLED_APPS };
  const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
  return spawn(process.execPath, [process.argv[1] ?? '', 'box', 'serve'], {
    env: { ...temporary, ...given, BOX_PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
}

/** What `BOX_PORT` says, else the usual port, else a free one. */
async function portOfTheBox(): Promise<string> {
  return process.env.BOX_PORT ?? String(await usualOrFreePort(7000, process.env.BOX_HOST));
}

async function usualOrFreePort(usual: number, host = '127.0.0.1'): Promise<number> {
  try {
    return await takePort(usual, host);
  } catch {
    // Whatever keeps us from listening there, another port is taken.
    return takePort(0, host);
  }
}

/** The port, once it was shown that it can be listened on. */
async function takePort(port: number, host: string): Promise<number> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** The address of the ready line. A box that ends before has said why on standard error. */
async function readyAddress(box: ChildProcess): Promise<string> {
  if (box.stdout === null) throw new Error('the box has no standard output');
  for await (const line of createInterface({ input: box.stdout })) {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address !== undefined) return forBrowser(address);
  }
  throw new Error('the box did not start');
}

/** An address that stands for every interface is opened on this machine. */
function forBrowser(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Installs it over the API, as its owner would, and answers the port that it is published on. */
async function installFirstApp(address: string): Promise<number> {
  const { name, port, passwords } = firstApp;
  const chosenPort = await usualOrFreePort(port.usual);
  const secrets = passwords.map((key) => [key, randomBytes(18).toString('base64url')]);
  const settings = { ...Object.fromEntries(secrets), [port.setting]: chosenPort };
  const body = JSON.stringify({ name, settings });
  const answer = await fetch(`${address}/api/apps/install`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`installing ${name}: ${await answer.text()}`);
  return chosenPort;
}

function welcome(address: string, appPort: number): string {
  return [
    'A box on a pretend Docker. Open',
    '',
    `  ${address}/`,
    `  http://127.0.0.1:${appPort}/   Miniflux, which is installed already`,
    '',
    'What you install answers on its own port. Ctrl-C ends the demo and removes everything it made.',
    '',
  ].join('\n');
}

/** A version that this one can be told to update to. */
function nextVersion(version: string): string {
  const [major, minor] = version.split('.').map(Number);
  return `${major}.${(minor ?? 0) + 1}.0`;
}
