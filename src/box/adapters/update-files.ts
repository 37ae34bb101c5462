import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../../lib/lock.ts';
import { writeFileAtomic, writeVolatileFile } from '../../lib/write-file.ts';
import type { UpdateFiles } from '../update-ports.ts';

/** The files of an update in the state directory. The reverse proxy publishes the state, so anybody may read it. */
export function makeUpdateFiles(stateDir: string): UpdateFiles {
  const statePath = join(stateDir, 'update-state.json');
  return {
    async readState() {
      try {
        return readFileSync(statePath, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        // A directory in its place, or a file that may not be read: the status has no errors, so it counts as damaged.
        return '';
      }
    },
    async writeState(state) {
      await writeFileAtomic(statePath, `${JSON.stringify(state, null, 2)}\n`, 0o644);
    },
    tryLock: () => acquireLock(join(stateDir, 'update.lock'), { wait: false }),
    async writeRunning(running) {
      writeVolatileFile(join(stateDir, 'running.json'), `${JSON.stringify(running, null, 2)}\n`, 0o600);
    },
  };
}
