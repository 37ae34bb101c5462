import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Tool } from '../../../fakes/box-environment.ts';
import { parseDotenv } from '../../../fakes/docker/compose/files/dotenv.ts';
import type { ContainerView } from '../../../fakes/docker-view.ts';
import { CheckFailed, ensure } from '../../kernel/expect.ts';
import type { BoxContext } from './context.ts';

const run = promisify(execFile);

export const installedFolder = (box: BoxContext, name: string) => join(box.environment.installedApps, name);

export const envText = (box: BoxContext, name: string) =>
  readFileSync(join(installedFolder(box, name), '.env'), 'utf8');

/** An app's `.env` as Compose reads it. */
export function env(box: BoxContext, name: string): Record<string, string> {
  const file = join(installedFolder(box, name), '.env');
  if (!existsSync(file)) throw new CheckFailed(`${name} has a .env`, true, false);
  return Object.fromEntries(parseDotenv(readFileSync(file, 'utf8'), () => undefined));
}

export const isInstalled = (box: BoxContext, name: string) => existsSync(installedFolder(box, name));

/** The container of an app's service. Fails if it does not run. */
export async function runningContainer(box: BoxContext, name: string, service = 'web'): Promise<ContainerView> {
  const found = (await box.environment.docker.project(name))[service];
  ensure(`the service ${service} of ${name} has a container that runs`, found?.running === true, found);
  return found;
}

/** Whether a service has a running container. */
export async function isRunning(box: BoxContext, name: string, service = 'web'): Promise<boolean> {
  return (await box.environment.docker.project(name))[service]?.running === true;
}

export async function containersOf(box: BoxContext, name: string): Promise<ContainerView[]> {
  return Object.values(await box.environment.docker.project(name));
}

/** Runs a tool of the environment in a folder and returns its standard output. */
export async function byHand(box: BoxContext, tool: Tool, folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...box.environment.env() };
  // Runs asynchronously, because the registry that it pulls from is in this process.
  return (await run(tool, args, { cwd: folder, env })).stdout;
}
