import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { forget } from './docker.ts';
import { required } from './required.ts';
import { until } from './until.ts';

const launcher = join(import.meta.dirname, '..', '..', 'src', 'cli', 'boxgate.cjs');

export type Answer = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what these tests are there to find out.
  body: any;
};

/** An app's files by path; `manifest` and `compose` are required, so they have names of their own. */
export type AppFiles = {
  compose: string;
  manifest?: Record<string, unknown>;
  files?: Record<string, string>;
};

/**
 * One `boxgate box serve` with folders of its own, on the engine of the environment. It keeps its port over
 * restarts. Its apps' containers, networks and volumes are taken away when the test ends.
 */
export class Box {
  readonly folder = mkdtempSync(join(required('BOXGATE_REAL'), 'box-'));
  readonly bundled = join(this.folder, 'bundled');
  readonly installed = join(this.folder, 'installed');
  readonly state = join(this.folder, 'state');
  /** Added to the environment of the next start. */
  env: Record<string, string> = {};
  port = 0;
  stderr = '';
  process: ChildProcess | undefined;
  readonly #names = new Set<string>();

  constructor() {
    for (const folder of [this.bundled, this.installed, this.state]) mkdirSync(folder, { recursive: true });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Puts an app into the bundled-apps directory. */
  bundle(name: string, app: AppFiles): void {
    this.#names.add(name);
    const manifest = { name, version: '1.0.0', display_name: name, ...app.manifest };
    const files = { 'manifest.json': JSON.stringify(manifest), 'compose.yaml': app.compose, ...app.files };
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.bundled, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  async start(): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    const child = spawn(process.execPath, [launcher, 'box', 'serve'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        BOX_PORT: String(this.port),
        BOX_BUNDLED_APPS: this.bundled,
        BOX_INSTALLED_APPS: this.installed,
        BOX_STATE_DIR: this.state,
        ...this.env,
      },
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
    });
    await until('the ready line', () => {
      if (child.exitCode !== null) throw new Error(`box serve ended with ${child.exitCode}: ${this.stderr}`);
      return stdout.includes(`listening on ${this.url}\n`);
    });
  }

  /** SIGTERM, and the exit status. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    child.kill(signal);
    await once(child, 'exit');
    return child.exitCode;
  }

  async get(path: string): Promise<Answer> {
    return answer(await fetch(this.url + path));
  }

  async post(path: string, body: unknown = {}): Promise<Answer> {
    return answer(await fetch(this.url + path, { method: 'POST', body: JSON.stringify(body) }));
  }

  install(name: string, settings?: Record<string, unknown>): Promise<Answer> {
    return this.post('/api/apps/install', settings === undefined ? { name } : { name, settings });
  }

  change(name: string, settings: Record<string, unknown>): Promise<Answer> {
    return this.post(`/api/apps/${name}/settings`, { settings });
  }

  update(name: string): Promise<Answer> {
    return this.post(`/api/apps/${name}/update`);
  }

  remove(name: string): Promise<Answer> {
    return this.post('/api/apps/remove', { name });
  }

  /** A file of an installed app. */
  read(name: string, path: string): string {
    return readFileSync(join(this.installed, name, path), 'utf8');
  }

  has(name: string, path = ''): boolean {
    return existsSync(join(this.installed, name, path));
  }

  async close(): Promise<void> {
    await this.kill();
    forget([...this.#names]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A started box that ends with its test. */
export async function startBox(context: TestContext, apps: Record<string, AppFiles>): Promise<Box> {
  const box = new Box();
  context.after(() => box.close());
  for (const [name, app] of Object.entries(apps)) box.bundle(name, app);
  await box.start();
  return box;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function answer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
