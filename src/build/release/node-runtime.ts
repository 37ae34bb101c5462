import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import { ReleaseFailed } from './failure.ts';
import type { Lockfile } from './packages.ts';

export const platforms = ['linux-arm64', 'linux-x64'] as const;
export type Platform = (typeof platforms)[number];

export type NodeRuntime = {
  platform: Platform;
  /** The name of the npm package that contains Node for this platform. */
  name: string;
  version: string;
  /** The digest of the npm package in package-lock.json: `sha512-BASE64`. */
  integrity: string;
  binary: Buffer;
  licence: string;
};

const fetchTimeoutMs = 10 * 60_000;

/**
 * Node for a platform, in the version of package-lock.json. npm does not install packages of other platforms; these are
 * downloaded by npm and compared with package-lock.json. Throws ReleaseFailed.
 */
export async function readNode(root: string, lock: Lockfile, platform: Platform): Promise<NodeRuntime> {
  const name = `node-${platform}`;
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined) {
    throw new ReleaseFailed(`package-lock.json has no version and integrity of ${name}`);
  }
  const installed = join(root, 'node_modules', name);
  const files = existsSync(join(installed, 'bin/node'))
    ? readInstalled(installed, version)
    : await fetchPackage(root, name, version, integrity);
  return { platform, name, version, integrity, ...files };
}

type Files = Pick<NodeRuntime, 'binary' | 'licence'>;

function readInstalled(folder: string, version: string): Files {
  const installed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  if (installed !== version) {
    throw new ReleaseFailed(`${folder} has version ${installed}, package-lock.json ${version}: run npm ci`);
  }
  return { binary: readFileSync(join(folder, 'bin/node')), licence: readFileSync(join(folder, 'LICENSE'), 'utf8') };
}

async function fetchPackage(root: string, name: string, version: string, integrity: string): Promise<Files> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'boxgate-release-'));
  try {
    // Runs in the checkout, so that npm reads the same settings as `npm ci`.
    const argv = ['npm', 'pack', '--prefer-offline', '--ignore-scripts', '--pack-destination', folder.path];
    await runCommand([...argv, `${name}@${version}`], { cwd: root, timeoutMs: fetchTimeoutMs });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const reason = error.notFound ? 'npm is not installed' : reasonIn(error.stderrTail);
    throw new ReleaseFailed(`${name}@${version} cannot be fetched: ${reason}`);
  }
  const [file = ''] = readdirSync(folder.path);
  return readInstalled(await unpackPackage(join(folder.path, file), `${name}@${version}`, integrity), version);
}

/** The reason of a failure in npm's output. */
export function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').map((line) => /^npm error (?!code|syscall|errno|network$)(.+)/.exec(line)?.[1]);
  return lines.find((line) => line !== undefined) ?? stderr.replaceAll('\n', ' ');
}

/** Unpacks an npm package beside its file. Returns its folder. Throws ReleaseFailed if its digest is not the locked one. */
export async function unpackPackage(file: string, name: string, integrity: string): Promise<string> {
  const digest = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (digest !== integrity) {
    throw new ReleaseFailed(`${name} was fetched with ${digest}, package-lock.json expects ${integrity}`);
  }
  await runCommand(['tar', '-xzf', file], { cwd: dirname(file), timeoutMs: fetchTimeoutMs });
  return join(dirname(file), 'package');
}
