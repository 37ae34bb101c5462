import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from './until.ts';

export const launcher = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'boxgate.cjs');

export type Answer = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: these tests find out what a response contains.
  body: any;
};

/** One server that can be started again and again. It keeps its port over restarts. */
export class ServerProcess {
  port = 0;
  stdout = '';
  stderr = '';
  process: ChildProcess | undefined;
  readonly #command: readonly string[];
  readonly environment: (port: string) => Record<string, string | undefined>;

  constructor(
    words: string[],
    environment: (port: string) => Record<string, string | undefined>,
    program: readonly string[] = [process.execPath, launcher],
  ) {
    this.#command = [...program, ...words];
    this.environment = environment;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    const [program = '', ...words] = this.#command;
    const child = spawn(program, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: this.environment(String(this.port)),
    });
    this.process = child;
    child.stderr?.on('data', (bytes) => {
      this.stderr += bytes;
    });
    await this.#ready(child);
  }

  async #ready(child: ChildProcess): Promise<void> {
    let stdout = '';
    child.stdout?.on('data', (bytes) => {
      stdout += bytes;
      this.stdout += bytes;
    });
    await until('the ready line', () => {
      const ended = child.exitCode ?? child.signalCode;
      if (ended !== null) throw new Error(`${this.#command.join(' ')} ended with ${ended}: ${this.stderr}`);
      return stdout.includes(`listening on ${this.url}\n`);
    });
  }

  /** Sends SIGTERM. Returns the exit status. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }

  async ask(path: string, init: RequestInit = {}): Promise<Answer> {
    // While a test waits for a command, the server may close a connection that is kept, and this process not see it yet.
    const headers = { connection: 'close', ...init.headers };
    const response = await fetch(this.url + path, { ...init, headers });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
}

/**
 * Below the kernel's ephemeral ports and above 10080, which browsers and `fetch` refuse. Each test process starts at
 * another port.
 */
let nextPort = 10_240 + (process.pid % 1000) * 20;

/** A port that stays free: the kernel does not assign it to others. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort;
    nextPort += 1;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
