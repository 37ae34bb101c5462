import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { BoxEnvironment } from '../../fakes/box-environment.ts';
import { appName, request, serveCommandOf, startBox, worldOf } from '../box.ts';
import { askOnce, openConnection, runLoad } from '../load.ts';
import type { Group } from '../measure-row.ts';
import { residentMiB, startServer } from '../processes.ts';

const bytesPerSecond = 5_000_000;
const bytes = request('GET', '/api/apps');

/** The box's API while the console follows a log of 5 MB/s, and while it follows none. */
export async function logRows(): Promise<Group> {
  const { box, follow, close } = await startLogs(100);
  const load = { requests: 2000, connections: 1, bytes };
  const row = {
    name: 'GET /api/apps while the console follows a log of 5 MB/s: time per request',
    floor: 'the same while it follows none',
    goal: 1.1,
    unit: 'µs',
    round: async () => {
      const before = await runLoad(box, load);
      const log = await follow();
      const ours = await runLoad(box, load);
      const isFast = log.end();
      // A box gets faster with its requests, so the floor is measured on both sides.
      const floor = (before.wallMicros + (await runLoad(box, load)).wallMicros) / 2;
      return { ours: ours.wallMicros, floor, disturbed: !isFast };
    },
  };
  return { rows: [row], close };
}

/** Resident memory of a console in MiB after 1 000 requests, while it follows a log of 5 MB/s and before. */
export async function logMemory(lineBytes: number): Promise<{ ours: number; floor: number }> {
  const { console, follow, close } = await startLogs(lineBytes);
  await runLoad(console, { requests: 1000, connections: 4, bytes: request('GET', '/settings/') });
  await askOnce(console.port, request('GET', `/settings/api/rooms/apps/${appName(0)}`));
  const floor = residentMiB(console.pid);
  const log = await follow();
  await log.came(5 * bytesPerSecond);
  const ours = residentMiB(console.pid);
  log.end();
  await close();
  return { ours, floor };
}

/** A box whose one app prints into its log without end, and the console of the box. */
async function startLogs(lineBytes: number) {
  const world = worldOf(1);
  floodLogs(world, lineBytes);
  const box = await startBox(world, '0,1');
  while (!(await askOnce(box.port, bytes)).includes('"state":"running"')) await pause(50);
  const environment = { ...world.env(), BOX_CONSOLE_PORT: '0' };
  const console = await startServer([...serveCommandOf('box').slice(0, -1), 'console'], environment, '0,1');
  const close = async () => {
    await console.stop();
    await box.stop();
    world.dispose();
  };
  return { box, console, follow: () => followLog(console.port, lineBytes), close };
}

/** Puts a program before the fake `docker` that carries out `docker logs`. The image is there, so that the app starts. */
function floodLogs(world: BoxEnvironment, lineBytes: number): void {
  const docker = join(world.bin, 'docker');
  const fake = join(world.bin, 'fake-docker');
  writeFileSync(fake, readFileSync(docker), { mode: 0o755 });
  execFileSync(fake, ['pull', '--quiet', `example.org/${appName(0)}:1`], { env: { ...process.env, ...world.env() } });
  const flood = join(import.meta.dirname, '..', 'subjects', 'flood.cjs');
  const variables = `FLOOD_BYTES=${bytesPerSecond} FLOOD_LINE=${lineBytes}`;
  writeFileSync(
    docker,
    `#!/bin/sh\n[ "$1" = logs ] && ${variables} exec '${process.execPath}' '${flood}'\nexec '${fake}' "$@"\n`,
  );
}

/**
 * Follows the log of the app as a browser does. `came` waits for so many bytes of it, shown or left out. `end` returns
 * whether at least half of what the container prints came; less means that the machine is busy with something else.
 */
async function followLog(port: number, lineBytes: number) {
  const socket = await openConnection(port);
  let lines = 0;
  let text = '';
  socket.on('data', (chunk: string) => {
    const parts = (text + chunk).split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      lines += part.split('"text":"x').length - 1 + Number(/"left_out":(\d+)/.exec(part)?.[1] ?? 0);
    }
  });
  socket.write(request('GET', `/settings/api/logs/${appName(0)}`));
  const came = async (bytesOfLog: number) => {
    while (lines * lineBytes < bytesOfLog) await once(socket, 'data');
  };
  await came(1);
  const begin = performance.now();
  lines = 0;
  const end = () => {
    socket.destroy();
    return (lines * lineBytes) / ((performance.now() - begin) / 1000) > bytesPerSecond / 2;
  };
  return { came, end };
}
