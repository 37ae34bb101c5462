import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { BrowserContext } from 'playwright-core';
import { InvalidOption } from '../invalid-option.ts';

/**
 * The browser of a run. Each check has a context of its own, so no check sees cookies or storage of another. As many
 * contexts are open at a time as there are processors: with more, each page runs out of its time limits.
 */
export type BrowserPart = { openContext: () => Promise<BrowserContext>; close: () => Promise<void> };

/** The browser asks nothing of the internet, and no name leads to an address outside this machine. */
const launchArguments = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Starts the Chromium or Chrome of that path. Throws `InvalidOption` for another program. */
export async function startBrowser(path: string): Promise<BrowserPart> {
  await refuseOther(path);
  const { chromium } = await import('playwright-core');
  const home = mkdtempSync(join(tmpdir(), 'boxgate-browser-'));
  const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  const browser = await chromium
    .launch({
      executablePath: path,
      args: launchArguments,
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
      // The run ends the browser after a signal.
      handleSIGINT: false,
      handleSIGTERM: false,
    })
    .catch((error: Error) => {
      remove();
      throw new InvalidOption(`--browser: ${path} does not start: ${error.message}`);
    });
  const turns = makeTurns(availableParallelism());
  return {
    openContext: async () => {
      await turns.take();
      const context = await browser.newContext({ colorScheme: 'dark', viewport: { width: 1000, height: 700 } });
      context.once('close', turns.give);
      return context;
    },
    close: async () => {
      await browser.close();
      remove();
    },
  };
}

/** Lets so many at a time go on, in the order in which they came. */
function makeTurns(count: number) {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    take: async () => {
      if (free === 0) return new Promise<void>((resolve) => waiting.push(resolve));
      free -= 1;
    },
    give: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}

/** Asks the program for its version, because another program could run for ever. */
async function refuseOther(path: string): Promise<void> {
  const child = spawn(path, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new InvalidOption(`--browser: ${error.message}`)));
  });
  const [version = ''] = (await Promise.race([text(child.stdout), failed])).split('\n', 1);
  if (/chrom/i.test(version)) return;
  throw new InvalidOption(`--browser: ${path} is no Chromium or Chrome: --version prints ${JSON.stringify(version)}`);
}
