import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { forget } from './programs/docker.ts';
import { required } from './required.ts';
import { type Answer, launcher, ServerProcess } from './server-process.ts';

/** An app's files by path. `manifest` and `compose` are the two required files. */
export type AppFiles = { compose: string; manifest?: Record<string, unknown>; files?: Record<string, string> };

/**
 * A `boxgate box serve` process with its own folders, on the engine of the environment. It keeps its port over
 * restarts. Containers, networks and volumes of its apps are removed at the end of the test.
 */
export class Box extends ServerProcess {
  readonly folder = mkdtempSync(join(required('BOXGATE_REAL'), 'box-'));
  readonly bundled = join(this.folder, 'bundled');
  readonly installed = join(this.folder, 'installed');
  readonly state = join(this.folder, 'state');
  /** Added to the environment of the next start. */
  env: Record<string, string> = {};
  readonly #names = new Set<string>();

  constructor() {
    super(['box', 'serve'], (port) => ({
      ...process.env,
      BOX_PORT: port,
      BOX_BUNDLED_APPS: this.bundled,
      BOX_INSTALLED_APPS: this.installed,
      BOX_STATE_DIR: this.state,
      ...this.env,
    }));
    for (const folder of [this.bundled, this.installed, this.state]) mkdirSync(folder, { recursive: true });
  }

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

  get(path: string): Promise<Answer> {
    return this.ask(path);
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.ask(path, { method: 'POST', body: JSON.stringify(body) });
  }

  install(name: string, settings?: Record<string, unknown>): Promise<Answer> {
    return this.post('/api/apps/install', settings === undefined ? { name } : { name, settings });
  }

  change(name: string, settings: Record<string, unknown>): Promise<Answer> {
    return this.post(`/api/apps/${encodeURIComponent(name)}/settings`, { settings });
  }

  update(name: string): Promise<Answer> {
    return this.post(`/api/apps/${encodeURIComponent(name)}/update`);
  }

  remove(name: string): Promise<Answer> {
    return this.post('/api/apps/remove', { name });
  }

  /** Runs `boxgate box …` beside the server, as the owner does. */
  command(...words: string[]): { status: number | null; stdout: string; stderr: string } {
    const env = { ...process.env, BOX_INSTALLED_APPS: this.installed, BOX_STATE_DIR: this.state, ...this.env };
    return spawnSync(process.execPath, [launcher, 'box', ...words], { env, encoding: 'utf8', timeout: 120_000 });
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
    // Compose's project names are these names in lower case.
    forget([...this.#names].map((name) => name.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '')));
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
