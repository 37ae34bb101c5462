import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BoxContext } from './context.ts';

/** Where a file of an app belongs: below which folder, of which app, under which name. */
export type FilePlace = { parent: 'bundledApps' | 'installedApps'; app: string; file: string };

/** A named pipe to which nobody writes: whoever opens it to read waits for ever, unless he asks not to. */
export async function makePipe(box: BoxContext, place: FilePlace): Promise<void> {
  await promisify(execFile)('mkfifo', [pathOf(box, place)]);
  const commands = [`mkfifo "${shown(place)}"`];
  box.journal.push({ by: 'hand', description: `${shown(place)} is a named pipe`, commands });
}

/** The kernel takes no longer path for a socket. */
const longestSocketPath = 107;

/** A socket on which somebody listens, until it is closed; null where the path is too long for one. */
export async function makeSocket(box: BoxContext, place: FilePlace): Promise<Server | null> {
  const path = pathOf(box, place);
  if (Buffer.byteLength(path) > longestSocketPath) return null;
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  box.journal.push({ by: 'hand', description: `${shown(place)} is a socket` });
  return server;
}

const pathOf = ({ environment }: BoxContext, { parent, app, file }: FilePlace) =>
  join(environment[parent], app, file);

const shown = ({ parent, app, file }: FilePlace) =>
  `$${parent === 'bundledApps' ? 'BUNDLED_APPS' : 'INSTALLED_APPS'}/${app}/${file}`;
