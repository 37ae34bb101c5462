import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A program of the demo failed; it has printed the error itself. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
}

export type DemoServer = ReturnType<typeof startServer>;

/**
 * Starts a command of boxgate in its own process group, so that only the demo receives Ctrl-C.
 * @param env - the whole environment: variables of the caller that name folders would leave something behind
 */
export function startServer(words: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit').then(() => undefined);
  return {
    address: readyAddress(child.stdout, words),
    /** Settles when the server ends, for any reason. */
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export async function runCommandOfBoxgate(words: readonly string[], env: Record<string, string>) {
  const argv = [process.argv[1] ?? '', ...words];
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new ProgramFailed(`boxgate ${words.join(' ')} ended with status ${status}`);
}

/** Waits for the ready line and returns its URL. If the server ends first, its standard error shows the reason. */
async function readyAddress(output: Readable, words: readonly string[]): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address !== undefined) return forBrowser(address);
  }
  throw new ProgramFailed(`${words.join(' ')} did not start`);
}

/** Replaces the wildcard address by a loopback address, which a browser can open. */
export function forBrowser(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** The usual port if it is free, else any free one. */
export async function usualOrFreePort(usual: number, host = '127.0.0.1'): Promise<number> {
  const probe = createServer();
  await once(probe.listen(usual, host), 'listening').catch(() => once(probe.listen(0, host), 'listening'));
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
