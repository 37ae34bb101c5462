import { join } from 'node:path';
import { acquireLock } from '../../lib/lock.ts';
import { writeFileAtomic, writeVolatileFile } from '../../lib/write-file.ts';
import type { UpdateFiles } from '../update-ports.ts';
import { look, onStorage, readRegularFile } from './storage.ts';

/** More than any state that counts, so that one that is cut off here counts as damaged. */
const largestStateBytes = 256 * 1024;

/** The files of an update in the state directory. The reverse proxy publishes the state, so anybody may read it. */
export function makeUpdateFiles(stateDir: string): UpdateFiles {
  const statePath = join(stateDir, 'update-state.json');
  return {
    async readState() {
      try {
        const bytes = readRegularFile(statePath, largestStateBytes, 'followed');
        if (bytes !== null) return Buffer.from(bytes).toString('utf8');
        // A directory or a pipe in its place counts as damaged.
        return look(statePath) === null ? null : '';
      } catch {
        return ''; // It may not be read: the status has no errors, so it counts as damaged.
      }
    },
    async writeState(state) {
      await writeFileAtomic(statePath, `${JSON.stringify(state, null, 2)}\n`, 0o644);
    },
    tryLock: () =>
      onStorage('cannot test the update lock', () =>
        acquireLock(join(stateDir, 'update.lock'), { wait: false }),
      ),
    async writeRunning(running) {
      writeVolatileFile(join(stateDir, 'running.json'), `${JSON.stringify(running, null, 2)}\n`, 0o600);
    },
  };
}
