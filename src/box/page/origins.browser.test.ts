import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { makeBoxEnvironment } from '../../../fakes/box-environment.ts';
import { choose, launchBrowser, needsBrowser, says } from './testing/browser.ts';
import { defineTools, type Front, startFront, ways } from './testing/origin-attacks.ts';

const passedOn = (headers: Record<string, string>) => ({ ...headers, 'x-forwarded-host': headers.host ?? '' });

/** The ways in which an owner's browser reaches the box, and the address in its address bar. */
const setups = {
  'at the loopback address': { owner: 'http://127.0.0.1', rewrite: (headers) => headers },
  'in the network': { owner: 'http://box.local:7000', rewrite: (headers) => headers },
  'behind a proxy that passes Host on': { owner: 'http://attic.local', rewrite: passedOn },
  'behind a proxy that rewrites Host': {
    owner: 'http://cellar.local',
    rewrite: (headers) => ({ ...headers, host: `127.0.0.1:${box.port}` }),
  },
} satisfies Record<string, { owner: string; rewrite: (headers: Record<string, string>) => Record<string, string> }>;

type SetupName = keyof typeof setups;
const setupNames = Object.keys(setups) as SetupName[];

/** Origins of an attacker's page, relative to the address at which the owner opens the box. */
const attackers: Record<string, (owner: URL, index: number) => string> = {
  'another port of its address': (owner) => `http://${owner.hostname}:${elsewhere.port}`,
  'another site': () => 'http://evil.example',
  'a name made to point at it': (_, index) => `http://rebound-${index}.example`,
  "the box's address in the tunnel": (_, index) => `http://10.99.0.2:${8000 + index}`,
};

let box: { port: number; stop: () => Promise<void> };
let browser: Browser;
let elsewhere: Front;
const fronts = new Map<SetupName, Front>();
const world = makeBoxEnvironment();

async function startBox(): Promise<typeof box> {
  const cli = join(import.meta.dirname, '../../cli/boxgate.cjs');
  const started = spawn(process.execPath, [cli, 'box', 'serve', '--port', '0'], {
    env: world.env(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(started.stdout), 'line');
  const stop = async () => {
    const exit = once(started, 'exit');
    started.kill();
    await exit;
  };
  return { port: Number(/:(\d+)$/.exec(line)?.[1]), stop };
}

/** Makes the browser resolve the owner's and the attackers' names to this machine. */
function resolverRules(): string {
  const rules = [`MAP evil.example:80 127.0.0.1:${elsewhere.port}`];
  for (const [index, name] of setupNames.entries()) {
    const front = `127.0.0.1:${fronts.get(name)?.port}`;
    const { host, hostname, port } = new URL(setups[name].owner);
    if (hostname !== '127.0.0.1') {
      rules.push(`MAP ${port ? host : `${host}:80`} ${front}`);
      rules.push(`MAP ${hostname}:${elsewhere.port} 127.0.0.1:${elsewhere.port}`);
    }
    rules.push(`MAP rebound-${index}.example:80 ${front}`, `MAP 10.99.0.2:${8000 + index} ${front}`);
  }
  return [...rules, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1'].join(', ');
}

if (!needsBrowser.skip) {
  before(async () => {
    world.placeInstalled({ name: 'cairn' });
    box = await startBox();
    writeFileSync(join(world.stateDir, 'tunnel.conf'), '[Interface]\nAddress = 10.99.0.2/24\n');
    elsewhere = await startFront(box.port, (headers) => headers);
    for (const name of setupNames) fronts.set(name, await startFront(box.port, setups[name].rewrite));
    browser = await launchBrowser([`--host-resolver-rules=${resolverRules()}`]);
  });
  after(async () => {
    for (const front of [elsewhere, ...fronts.values()]) await front?.close();
    await box.stop();
  });
}
after(() => world.dispose());

function ownerAddress(name: SetupName): URL {
  const address = new URL(setups[name].owner);
  if (address.hostname === '127.0.0.1') address.port = String(fronts.get(name)?.port);
  return address;
}

async function installed(): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${box.port}/api/apps`)).text();
}

/** The app's state changes a moment after the start and after each change. */
async function installedAndRunning(): Promise<string> {
  for (;;) {
    const list = await installed();
    if (list.includes('"state":"running"')) return list;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const [index, name] of setupNames.entries()) {
  for (const [attacker, originOf] of Object.entries(attackers)) {
    /** choice/box/20, choice/box/24, choice/box/200 */
    test(`a page at ${attacker} commands no box ${name}`, { ...needsBrowser, timeout: 180_000 }, async (t) => {
      const front = fronts.get(name) as Front;
      front.passed.length = 0;
      const context = await browser.newContext();
      t.after(() => context.close());
      await context.addInitScript(defineTools);
      const page = await context.newPage();
      const owner = ownerAddress(name);
      const origin = originOf(owner, index);
      // Pages of another origin post to the owner's address; the others post to their own origin.
      const target = /another/.test(attacker) ? owner.origin : origin;
      const before = await installedAndRunning();
      for (const [way, [path, run]] of Object.entries(ways)) {
        await page.goto(`${origin}/attack/page`);
        const arrival = front.arrival(way);
        const url = `${target}${path}?way=${encodeURIComponent(way)}`;
        await page.evaluate(`void (${run})(${JSON.stringify(url)}, '{"name":"cairn"}')`);
        await arrival;
      }
      const posts = front.passed.filter(({ method }) => method === 'POST');
      ok(posts.length >= 16, `${posts.length} posts arrived`);
      deepEqual(
        posts.filter(({ status }) => status !== 403 && status !== 421),
        [],
      );
      equal(await installed(), before);
    });
  }

  test(`the owner's own page commands a box ${name}`, { ...needsBrowser, timeout: 60_000 }, async (t) => {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(`${ownerAddress(name).origin}/apps`);
    const app = page.locator('[data-app=cairn]');
    await choose(app, 'Repair with a reinstall that keeps its data The cairn');
    await says(app, /^Repaired/);
  });
}
