import { createHash } from 'node:crypto';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { namesIn, onStorage } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import { acquireLock } from '../../../lib/process/lock.ts';
import { makeCalls } from '../../adapters/docker/compose.ts';
import { recordKey } from '../../change/adapters/install-records.ts';
import type { Rehearsal, Rehearsals } from '../ports.ts';

const removeMs = 5 * 60_000;
const projectLabel = 'com.docker.compose.project';

/** The rehearsals in a state directory. Their projects have names that no other box on the engine has. */
export function makeRehearsal(
  stateDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Rehearsals {
  const state = resolve(stateDirectory);
  const root = join(state, 'rehearsal');
  const { query, change } = makeCalls(environment);
  const removeAll = async (project: string, list: readonly string[], remove: readonly string[]) => {
    const { stdout } = await query([...list, '--filter', `label=${projectLabel}=${project}`]);
    const ids = stdout.split(/\s+/).filter((id) => id !== '');
    if (ids.length > 0) await change([...remove, ...ids], removeMs);
  };

  const place = (folder: string): Rehearsal => {
    const project = `boxgate-rehearsal-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
    return {
      project,
      directory: join(folder, 'app'),
      begin: () =>
        onStorage(`cannot make ${folder}`, async () => {
          await mkdir(folder, { recursive: true, mode: 0o700 });
        }),
      write: (model) =>
        onStorage('cannot write the project of the rehearsal', async () => {
          const file = join(folder, 'compose.json');
          await writeFileAtomic(file, JSON.stringify(model), 0o600);
          return file;
        }),
      async clear() {
        await removeAll(project, ['ps', '-a', '-q'], ['rm', '-f', '-v']);
        await removeAll(project, ['network', 'ls', '-q'], ['network', 'rm']);
        await removeAll(project, ['volume', 'ls', '-q'], ['volume', 'rm']);
        await onStorage(`cannot remove ${folder}`, () => rm(folder, { recursive: true, force: true }));
        await rmdir(root).catch(() => undefined); // It stays while another rehearsal is left.
      },
    };
  };

  return {
    async alone(work) {
      const file = join(state, 'rehearsal.lock');
      const lock = await onStorage('cannot begin a rehearsal', () => acquireLock(file, { wait: false }));
      return lock === null ? null : work().finally(() => lock.release());
    },
    of: (app) => place(join(root, recordKey(app))),
    left: () => namesIn(root).map((name) => place(join(root, name))),
  };
}
