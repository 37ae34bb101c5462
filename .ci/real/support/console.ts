import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { Box } from './box.ts';
import { type Answer, ServerProcess } from './server-process.ts';

/** The console of a box, with further variables. */
export async function startConsole(
  t: TestContext,
  box: Box,
  variables: Record<string, string> = {},
): Promise<ServerProcess> {
  const server = new ServerProcess(['box', 'console'], (port) => ({
    ...box.environment(String(box.port)),
    ...variables,
    BOX_CONSOLE_PORT: port,
  }));
  t.after(() => server.kill());
  await server.start();
  return server;
}

/** Presses a button of the console. */
export function actOn(server: ServerProcess, act: string, fields: Record<string, string> = {}): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  return server.ask('/settings/api/acts', { method: 'POST', headers, body: JSON.stringify({ act, fields }) });
}

/** Mounts a further disk. It is in memory, and its source has the name of one. */
export function mountDisk(t: TestContext): string {
  const folder = `/mnt/boxgate-real-${process.pid}`;
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64M', '/dev/boxgate-real', folder]);
  t.after(() => {
    if (execFileSync('mount', { encoding: 'utf8' }).includes(folder)) execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}
