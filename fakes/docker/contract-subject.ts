import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeEngine } from './engine.ts';
import { openResident, type Resident } from './resident/resident.ts';

/**
 * The Docker that contract tests run on: the fake, with `BOXGATE_DOCKER=resident` the fake in a thread, with
 * `BOXGATE_DOCKER=real` the `docker` on `PATH`. Real Docker needs `BOXGATE_TEST_IMAGE`, an image in a local registry
 * whose repository also has the tags 2, 3 and stops (exits at once with status 3).
 */
export type Subject = {
  isReal: boolean;
  run(argv: readonly string[], options?: RunOptions): Run;
  /** Starts a command that runs until it is killed. */
  begin(argv: readonly string[]): ChildProcessByStdio<null, Readable, null>;
  /** A new tag in the registry, not yet pulled. */
  freshTag(): Promise<string>;
  /** Publishes other content for the tag in the registry. */
  moveTag(reference: string): Promise<void>;
  /** A reference that the registry does not have. */
  missing(): Promise<string>;
  /** An image that exits at once with status 3. */
  stopping(): Promise<string>;
  /** An image that never becomes healthy with this health check. */
  sick(): Promise<{ reference: string; healthcheck: string }>;
  withoutEngine(argv: readonly string[], options?: RunOptions): Promise<Run>;
  close(): void;
};
export type RunOptions = { cwd?: string; env?: Record<string, string> };
export type Run = { status: number | null; out: string; err: string };

let made = 0;

/** With `BOXGATE_DOCKER=resident` a thread executes the calls. */
export const residentOfTests = () =>
  process.env.BOXGATE_DOCKER === 'resident' ? openResident() : Promise.resolve(null);

export async function openSubject(): Promise<Subject> {
  return process.env.BOXGATE_DOCKER === 'real' ? realSubject() : fakeSubject(await residentOfTests());
}

function beginner(program: string, env: NodeJS.ProcessEnv): Subject['begin'] {
  return (argv) => spawn(program, argv, { env, stdio: ['ignore', 'pipe', 'ignore'] });
}

function runner(program: string, environment: NodeJS.ProcessEnv) {
  return (argv: readonly string[], { cwd = '/', env = {} }: RunOptions = {}): Run => {
    const done = spawnSync(program, argv, { cwd, env: { ...environment, ...env }, encoding: 'utf8' });
    if (done.error) throw done.error;
    // Real Docker prints this on machines without IP forwarding.
    const err = done.stderr.replace(/^.*IPv4 forwarding is disabled.*\n/gm, '');
    return { status: done.status, out: done.stdout, err };
  };
}

function fakeSubject(resident: Resident | null): Subject {
  const root = mkdtempSync(join(tmpdir(), 'fake-docker-contract-'));
  const engine = makeEngine(root, resident);
  const program = join(engine.bin, 'docker');
  const environment = { PATH: process.env.PATH, HOME: root };
  const run = runner(program, environment);
  const named = (tag: string) => `127.0.0.1:5000/web:${tag}-${++made}`;
  return {
    isReal: false,
    run,
    begin: beginner(program, environment),
    freshTag: async () => named('tag'),
    moveTag: async (reference) => void (await engine.advance(reference)),
    async missing() {
      const reference = named('missing');
      await engine.fail({ on: 'pull', match: reference, kind: 'not-found' });
      return reference;
    },
    async stopping() {
      const reference = named('stops');
      const lines = [{ to: 'stdout' as const, text: 'cannot start' }];
      await engine.behave({ image: reference, does: 'exit', exitCode: 3, lines });
      return reference;
    },
    async sick() {
      const reference = named('sick');
      await engine.behave({ image: reference, does: 'unhealthy' });
      return { reference, healthcheck: '["CMD", "false"]' };
    },
    async withoutEngine(argv, options) {
      await engine.stopDaemon();
      const done = run(argv, options);
      await engine.startDaemon();
      return done;
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function realSubject(): Subject {
  const image = process.env.BOXGATE_TEST_IMAGE;
  if (!image) throw new Error('BOXGATE_TEST_IMAGE is not set');
  const repository = image.slice(0, image.lastIndexOf(':'));
  const run = runner('docker', process.env);
  const versions = new Map<string, number>();
  return {
    isReal: true,
    run,
    begin: beginner('docker', process.env),
    async freshTag() {
      const reference = `${repository}:contract-${process.pid}-${++made}`;
      await putTag(repository, '2', reference);
      return reference;
    },
    async moveTag(reference) {
      const version = versions.get(reference) === 3 ? 2 : 3;
      versions.set(reference, version);
      await putTag(repository, String(version), reference);
    },
    missing: async () => `${repository}:nosuch`,
    stopping: async () => `${repository}:stops`,
    sick: async () => ({ reference: image, healthcheck: '["CMD", "false"]' }),
    withoutEngine: async (argv, options) => run(argv, { ...options, env: { DOCKER_HOST: 'unix:///nowhere.sock' } }),
    close: () => {},
  };
}

const manifestTypes =
  'application/vnd.docker.distribution.manifest.v2+json, application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json';

/** Copies the manifest of one tag to another through the registry API. */
async function putTag(repository: string, from: string, to: string): Promise<void> {
  const [host, ...path] = repository.split('/');
  const base = `http://${host}/v2/${path.join('/')}/manifests`;
  const found = await fetch(`${base}/${from}`, { headers: { accept: manifestTypes } });
  if (!found.ok) throw new Error(`the registry has no ${repository}:${from}: ${found.status}`);
  const headers = { 'content-type': found.headers.get('content-type') ?? '' };
  const tag = to.slice(to.lastIndexOf(':') + 1);
  const stored = await fetch(`${base}/${tag}`, { method: 'PUT', headers, body: await found.arrayBuffer() });
  if (stored.status !== 201) throw new Error(`the registry did not take ${to}: ${stored.status}`);
}

/** A Compose project with a unique name and its own folder. */
export type CaseProject = {
  name: string;
  folder: string;
  write(file: string, text: string): void;
  compose(...argv: string[]): Run;
  remove(): void;
};

export function openProject(subject: Subject): CaseProject {
  const name = `contract${process.pid}x${++made}`;
  const folder = join(mkdtempSync(join(tmpdir(), 'fake-docker-project-')), name);
  mkdirSync(folder);
  return {
    name,
    folder,
    write: (file, text) => writeFileSync(join(folder, file), text),
    compose: (...argv) => subject.run(['compose', ...argv], { cwd: folder }),
    remove() {
      subject.run(['compose', '-p', name, 'down', '-v', '-t', '0']);
      rmSync(dirname(folder), { recursive: true, force: true });
    },
  };
}
