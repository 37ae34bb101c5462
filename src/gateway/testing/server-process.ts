/** Runs `gateway serve` as a process in temporary folders, with a fake wg-easy. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startWgEasy, type WgEasy, type WgEasyOptions } from '../../../fakes/wg-easy/wg-easy.ts';

const launcher = join(import.meta.dirname, '../../cli/boxgate.cjs');

export const registrationToken = 'the registration token of these tests';

export type ServerEnvironment = { manager: WgEasy; stateDir: string; routesDir: string; env: Record<string, string> };

export async function makeServerEnvironment(t: TestContext, options: WgEasyOptions = {}): Promise<ServerEnvironment> {
  const root = mkdtempSync(join(tmpdir(), 'boxgate-gateway-'));
  const manager = await startWgEasy(options);
  t.after(async () => {
    await manager.close();
    rmSync(root, { recursive: true, force: true });
  });
  const routesDir = join(root, 'routes');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: root,
    GATEWAY_PORT: '0',
    GATEWAY_STATE_DIR: root,
    GATEWAY_BOX_TOKEN: registrationToken,
    GATEWAY_TUNNEL_URL: manager.url,
    GATEWAY_TUNNEL_PASSWORD: manager.password,
    GATEWAY_DOMAIN: 'example.org',
  };
  return { manager, stateDir: root, routesDir, env };
}

export type Run = {
  child: ChildProcess;
  /** Its output. */
  said: { out: string; error: string };
  /** Resolves with exit status and signal. */
  ended: Promise<[number | null, NodeJS.Signals | null]>;
};

export function run(
  t: TestContext,
  { env }: ServerEnvironment,
  args: string[] = ['serve'],
  more: Record<string, string> = {},
): Run {
  const child = spawn(process.execPath, [launcher, 'gateway', ...args], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.error += chunk;
  });
  return { child, said, ended: once(child, 'close') as Run['ended'] };
}

export type Serving = Run & {
  call(method: string, path: string, options?: { body?: unknown; token?: string }): Promise<Answered>;
  /** Sends a signal and waits for the end. @returns exit status and signal */
  stop(signal?: NodeJS.Signals): Promise<[number | null, NodeJS.Signals | null]>;
};

export type Answered = { status: number; body: Record<string, unknown> };

export async function serve(
  t: TestContext,
  environment: ServerEnvironment,
  more: Record<string, string> = {},
): Promise<Serving> {
  const started = run(t, environment, ['serve'], more);
  const { child, said, ended } = started;
  const url = await Promise.race([readyAddress(started), ended.then(() => Promise.reject(new Error(said.error)))]);
  return {
    ...started,
    async call(method, path, { body, token } = {}) {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(url + path, { method, headers, ...sent });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

async function readyAddress({ child, said }: Run): Promise<string> {
  for (;;) {
    const address = /^listening on (\S+)\n/.exec(said.out)?.[1];
    if (address !== undefined) return address;
    if (child.stdout !== null) await once(child.stdout, 'data');
  }
}

/** Waits until a condition is true, 45 s at most. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 45_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not within 45 s: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
