import { join } from 'node:path';
import { readTextIfThere } from '../lib/files/read-file.ts';
import { writeFileAtomic } from '../lib/files/write-file.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';

const largestBytes = 1024 * 1024;

/** A port of this box that its owner published: the gateway may open connections to it. `id` is the route's. */
export type OpenPort = {
  id: string;
  host: string;
  port: number;
  /**
   * The app's directory. The route is withdrawn once the directory is gone. `null` if the port belongs to no
   * installed app, or if an older version wrote the row.
   */
  appDirectory: string | null;
  /** Whether the app was removed: the port is closed, and the route waits to be withdrawn. */
  isClosed: boolean;
};

/** The published ports as this box knows them. The gateway is not asked: it could name ports that nobody published. */
export type OpenPorts = {
  /** Empty if nothing was ever published. Throws if the file cannot be read or is damaged. */
  read(): OpenPort[];
  /** Replaces the rows. The file is on disk when the promise resolves. */
  write(ports: readonly OpenPort[]): Promise<void>;
};

export const openPortsName = 'tunnel-ports.json';

export function makeOpenPorts(stateDir: string): OpenPorts {
  const file = join(stateDir, openPortsName);
  return {
    read: () => openPortsOf(file, readTextIfThere(file, largestBytes)),
    async write(ports) {
      const rows = ports.map(({ id, host, port, appDirectory, isClosed }) => ({
        ...{ id, host, port },
        ...(appDirectory === null ? {} : { app_directory: appDirectory }),
        ...(isClosed ? { closed: true } : {}),
      }));
      await writeFileAtomic(file, `${JSON.stringify({ ports: rows }, null, 2)}\n`, 0o600);
    },
  };
}

function openPortsOf(file: string, text: string | null): OpenPort[] {
  if (text === null) return [];
  const found = parseJson(text);
  const rows = isJsonObject(found) && Array.isArray(found.ports) ? found.ports.map(openPortOf) : [null];
  if (rows.every((row) => row !== null)) return rows;
  throw new Error(
    `${file}: expected the published ports as boxgate wrote them; delete the file, then unpublish and publish each app again`,
  );
}

function openPortOf(row: unknown): OpenPort | null {
  if (!isJsonObject(row)) return null;
  const { id, host, port, app_directory: directory, closed } = row;
  const isPort = Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65535;
  if (typeof id !== 'string' || typeof host !== 'string' || !isPort) return null;
  const appDirectory = typeof directory === 'string' ? directory : null;
  return { id, host, port: Number(port), appDirectory, isClosed: closed === true };
}
