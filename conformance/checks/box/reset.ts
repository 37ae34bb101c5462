import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BoxEnvironment } from '../../../fakes/box-environment.ts';
import type { BoxContext } from './context.ts';

const mostTries = 50;

/** The entries of an unused environment's folder. */
const stands = ['bin', 'bundled', 'docker', 'feed', 'home', 'installed', 'software', 'state', 'systemd'];

/**
 * Removes installed apps through the API, so that the implementation forgets them too. Removes bundled apps and the
 * state of an update from the disk, and resets the fake engine and the feed. Returns whether nothing else is left.
 */
export async function resetBox({ environment, remove }: BoxContext): Promise<boolean> {
  const { docker, systemd, feed, bundledApps, installedApps, stateDir } = environment;
  if (docker.forget === undefined || systemd.calls().length > 0) return false;
  await docker.setRunning(true);
  await docker.clearFaults();
  for (const tool of ['docker', 'systemd-run', 'systemctl'] as const) environment.setTool(tool, true);
  for (const name of readdirSync(installedApps)) {
    const { status } = await remove(name);
    if (status !== 200) return false;
  }
  for (const name of readdirSync(bundledApps)) rmSync(join(bundledApps, name), { recursive: true });
  rmSync(join(stateDir, 'catalogue'), { recursive: true, force: true });
  rmSync(join(stateDir, 'update-state.json'), { force: true });
  feed.reset();
  await untilForgotten(docker.forget);
  return isAsMade(environment);
}

/** The fake engine cannot be reset during a call, and an implementation may be watching it. */
async function untilForgotten(forget: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const isForgotten = await forget().then(
      () => true,
      () => false,
    );
    if (isForgotten) return;
    await pause(20);
  }
  await forget();
}

function isAsMade({ root, home, bundledApps, installedApps }: BoxEnvironment): boolean {
  const apps = [bundledApps, installedApps];
  return (
    [home, ...apps].every((folder) => readdirSync(folder).length === 0) &&
    apps.every((folder) => (statSync(folder).mode & 0o700) === 0o700) &&
    readdirSync(root).every((name) => stands.includes(name))
  );
}
