import { join } from 'node:path';
import { onStorage, readRegularFile, tryReadRegularFile } from '../../lib/files/storage.ts';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { acquireLock, type Lock } from '../../lib/process/lock.ts';
import type { RunningServer, UpdateFiles } from '../ports.ts';
import { readUpdateState } from '../rules/update-state.ts';

/** Larger than any valid state, so that a truncated one counts as damaged. */
const largestStateBytes = 256 * 1024;

/**
 * The files of an update in the state directory. The reverse proxy publishes the state, so anybody may read it.
 * An update waits for its lock longer than a test of the lock takes.
 */
export function makeUpdateFiles(stateDir: string, testedWithinSeconds = 2): UpdateFiles {
  const statePath = join(stateDir, 'update-state.json');
  const lockPath = join(stateDir, 'update.lock');
  const runningPath = join(stateDir, 'running.json');
  return {
    async readState() {
      try {
        const found = tryReadRegularFile(statePath, largestStateBytes, 'refused');
        if (found === 'nothing') return readUpdateState(null);
        // A directory, a link or a pipe in its place counts as damaged.
        return readUpdateState(found === 'no file' ? '' : Buffer.from(found).toString('utf8'));
      } catch {
        return readUpdateState(''); // An unreadable file counts as damaged: the status operation has no errors.
      }
    },
    writeState: (state) => write(statePath, state, 0o644),
    tryLock: () => onStorage('cannot test the update lock', () => acquireLock(lockPath, { wait: false })),
    lock: () =>
      onStorage('cannot take the update lock', () => acquireLock(lockPath, { wait: { seconds: testedWithinSeconds } })),
    writeRunning: (running) => write(runningPath, running, 0o600),
    async readRunning() {
      try {
        const found = readRegularFile(runningPath, largestStateBytes, 'refused');
        return found === null ? null : runningServer(Buffer.from(found).toString('utf8'));
      } catch {
        return null; // An unreadable file counts as missing: the update does not know which server to ask.
      }
    },
  };
}

async function write(path: string, value: object, mode: number): Promise<void> {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  await onStorage(`cannot write ${path}`, () => writeFileAtomic(path, text, mode));
}

/** The lock that the box holds while it changes an app. choice/box/365 */
export function lockChanges(stateDir: string, seconds: number): Promise<Lock | null> {
  return onStorage('cannot wait for the change of an app', () =>
    acquireLock(join(stateDir, 'change.lock'), { wait: { seconds } }),
  );
}

function runningServer(text: string): RunningServer | null {
  const found = parseJson(text);
  if (!isJsonObject(found)) return null;
  const { address, version, unit, pid } = found;
  if (typeof address !== 'string' || typeof version !== 'string' || typeof pid !== 'number') return null;
  return { address, version, unit: typeof unit === 'string' ? unit : null, pid };
}
