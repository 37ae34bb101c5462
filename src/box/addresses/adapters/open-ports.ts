import { join } from 'node:path';
import { makeStateFile } from '../../../lib/files/state-file.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { waitForLock } from '../../../lib/process/lock.ts';
import type { OpenPort, OpenPorts } from '../ports.ts';

const largestBytes = 1024 * 1024;

export const openPortsName = 'tunnel-ports.json';

export function makeOpenPorts(stateDir: string): OpenPorts {
  const file = join(stateDir, openPortsName);
  const { load, save } = makeStateFile(file, largestBytes, (text, isThere) => (isThere ? openPortsOf(file, text) : []));
  return {
    read: load,
    write: (ports) => save({ ports }),
    lock: () => waitForLock(join(stateDir, 'tunnel-ports.lock')),
  };
}

function openPortsOf(file: string, text: string): OpenPort[] {
  const found = parseJson(text);
  const rows: unknown[] = isJsonObject(found) && Array.isArray(found.ports) ? found.ports : [null];
  if (rows.every(isOpenPort)) return rows;
  throw new Error(
    `${file}: expected the published ports as boxgate wrote them; delete the file, then unpublish and publish each app again`,
  );
}

const fields = ['appDirectory', 'service', 'containerPort', 'isClosed', 'shut', 'movesTo', 'isTaken'];

function isOpenPort(row: unknown): row is OpenPort {
  if (!isJsonObject(row)) return false;
  const { id, host, port, access = {} } = row;
  const isPort = Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65535;
  const isRoute = typeof id === 'string' && typeof host === 'string' && isPort && isJsonObject(access);
  return isRoute && fields.every((field) => field in row);
}
