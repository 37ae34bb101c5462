import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Tool } from '../../../fakes/box-environment.ts';
import { parseDotenv } from '../../../fakes/docker/compose/files/dotenv.ts';
import type { ContainerView } from '../../../fakes/docker-view.ts';
import { CheckFailed, holds } from '../../kernel/expect.ts';
import type { Box } from './context.ts';

const run = promisify(execFile);

/** What an owner finds on the disk and in the engine. */
export const installedFolder = (box: Box, name: string) => join(box.world.installedApps, name);

export const envText = (box: Box, name: string) =>
  readFileSync(join(installedFolder(box, name), '.env'), 'utf8');

/** An app's `.env` as Compose reads it. */
export function env(box: Box, name: string): Record<string, string> {
  const file = join(installedFolder(box, name), '.env');
  if (!existsSync(file)) throw new CheckFailed(`${name} has a .env`, true, false);
  return Object.fromEntries(parseDotenv(readFileSync(file, 'utf8'), () => undefined));
}

export const isInstalled = (box: Box, name: string) => existsSync(installedFolder(box, name));

/** The one container of an app's service; it has to run. */
export async function runningContainer(box: Box, name: string, service = 'web'): Promise<ContainerView> {
  const found = (await box.world.docker.project(name))[service];
  holds(`the service ${service} of ${name} has a container that runs`, found?.running === true, found);
  return found;
}

/** Whether a service has a container that runs, for waiting until it does. */
export async function isRunning(box: Box, name: string, service = 'web'): Promise<boolean> {
  return (await box.world.docker.project(name))[service]?.running === true;
}

/** The calls of `docker` so far, without those by which an implementation watches the engine. */
export function callsOf(box: Box): string[][] {
  const isWatching = (argv: readonly string[]) =>
    argv[0] === 'events' || (argv[0] === 'ps' && argv.includes('-q')) || argv.includes('--type');
  return box.world.docker.calls().flatMap(({ argv }) => (isWatching(argv) ? [] : [argv]));
}

export async function containersOf(box: Box, name: string): Promise<ContainerView[]> {
  return Object.values(await box.world.docker.project(name));
}

/** Somebody calls a tool of the world in a folder; its standard output. */
export async function byHand(box: Box, tool: Tool, folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...box.world.environment() };
  // Not waited for at once: the registry that it may pull from is in this process.
  return (await run(tool, args, { cwd: folder, env })).stdout;
}
