import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfThere } from '../../../lib/files/read-file.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { waitForLock } from '../../../lib/process/lock.ts';
import type { OpenPort, OpenPorts } from '../ports.ts';

const largestBytes = 1024 * 1024;

export const openPortsName = 'tunnel-ports.json';

export function makeOpenPorts(stateDir: string): OpenPorts {
  const file = join(stateDir, openPortsName);
  return {
    read: () => openPortsOf(file, readTextIfThere(file, largestBytes)),
    stamp() {
      try {
        const { ino, size, mtimeMs } = statSync(file);
        return `${ino} ${size} ${mtimeMs}`;
      } catch {
        return '';
      }
    },
    async write(ports) {
      await writeFileAtomic(file, `${JSON.stringify({ ports: ports.map(rowOf) }, null, 2)}\n`, 0o600);
    },
    lock: () => waitForLock(join(stateDir, 'tunnel-ports.lock')),
  };
}

/** Absent fields are `null` or false, so that the file of a box without apps is short. */
function rowOf({ id, host, port, appDirectory, service, containerPort, isClosed, shut, movesTo, ...row }: OpenPort) {
  return {
    ...{ id, host, port },
    ...(appDirectory === null ? {} : { app_directory: appDirectory }),
    ...(service === null ? {} : { service }),
    ...(containerPort === null ? {} : { container_port: containerPort }),
    ...(isClosed ? { closed: true } : {}),
    ...(shut === null ? {} : { shut }),
    ...(movesTo === null ? {} : { moves_to: movesTo }),
    ...(row.isTaken ? { taken: true } : {}),
    ...(row.access === undefined ? {} : { access: row.access }),
  };
}

/** The rows of the file's text; `null` means that there is no file. */
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
  const { id, host, port, app_directory: directory, service, container_port: containerPort, shut } = row;
  if (row.access !== undefined && !isJsonObject(row.access)) return null;
  if (typeof id !== 'string' || typeof host !== 'string' || !isPort(port)) return null;
  const hasService = typeof service === 'string' && isPort(containerPort);
  return {
    ...{ id, host, port },
    appDirectory: typeof directory === 'string' ? directory : null,
    service: hasService ? service : null,
    containerPort: hasService ? containerPort : null,
    isClosed: row.closed === true,
    shut: shut === 'changing' || shut === 'unverified' || shut === 'missing' ? shut : null,
    movesTo: isPort(row.moves_to) ? row.moves_to : null,
    isTaken: row.taken === true,
    ...(row.access === undefined ? {} : { access: row.access }),
  };
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65535;
}
