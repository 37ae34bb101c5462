import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BoxContext } from './context.ts';

/** The place of an app's file: the directory, the app and the file name. */
export type FilePlace = { parent: 'bundledApps' | 'installedApps'; app: string; file: string };

/** Makes a named pipe without a writer, so that opening it blocks. */
export async function makePipe(box: BoxContext, place: FilePlace): Promise<void> {
  await promisify(execFile)('mkfifo', [pathOf(box, place)]);
  const commands = [`mkfifo "${shown(place)}"`];
  box.journal.push({ by: 'hand', description: `${shown(place)} is a named pipe`, commands });
}

/** The longest socket path that Linux supports. */
const longestSocketPath = 107;

/** Makes a listening socket. Returns `null` if the path is too long. */
export async function makeSocket(box: BoxContext, place: FilePlace): Promise<Server | null> {
  const path = pathOf(box, place);
  if (Buffer.byteLength(path) > longestSocketPath) return null;
  const server = createServer((socket) => socket.destroy()).listen(path);
  await once(server, 'listening');
  box.journal.push({ by: 'hand', description: `${shown(place)} is a socket` });
  return server;
}

const pathOf = ({ environment }: BoxContext, { parent, app, file }: FilePlace) => join(environment[parent], app, file);

const shown = ({ parent, app, file }: FilePlace) =>
  `$${parent === 'bundledApps' ? 'BUNDLED_APPS' : 'INSTALLED_APPS'}/${app}/${file}`;
