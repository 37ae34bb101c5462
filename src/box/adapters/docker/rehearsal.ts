import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lstatIfThere, onStorage } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import { acquireLock } from '../../../lib/process/lock.ts';
import { runCommand } from '../../../lib/process/run-command.ts';
import type { Rehearsal } from '../../backup-ports.ts';
import { ContainersFailed } from '../../ports.ts';
import { composeMemoryKib, dockerEnvironment } from './docker-environment.ts';
import { throwContainersFailed } from './docker-failure.ts';

const queryMs = 30_000;
const removeMs = 5 * 60_000;
const projectLabel = 'com.docker.compose.project';

/** The place of rehearsals in a state directory. Its project has a name that no other box on the engine has. */
export function makeRehearsal(
  stateDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Rehearsal {
  const state = resolve(stateDirectory);
  const folder = join(state, 'rehearsal');
  const directory = join(folder, 'app');
  const project = `boxgate-rehearsal-${createHash('sha256').update(state).digest('hex').slice(0, 8)}`;
  const env = dockerEnvironment(environment);
  const docker = async (args: readonly string[], timeoutMs: number, cwd = '/') => {
    const memoryKib = args[0] === 'compose' ? composeMemoryKib : undefined;
    const options = { cwd, env: { ...env, PWD: cwd }, timeoutMs, memoryKib };
    return (await runCommand(['docker', ...args], options).catch(throwContainersFailed)).stdout;
  };
  const removeAll = async (list: readonly string[], remove: readonly string[]) => {
    const found = (await docker([...list, '--filter', `label=${projectLabel}=${project}`], queryMs)).split(/\s+/);
    const ids = found.filter((id) => id !== '');
    if (ids.length > 0) await docker([...remove, ...ids], removeMs);
  };

  return {
    project,
    directory,
    lock: () =>
      onStorage('cannot begin a rehearsal', () => acquireLock(join(state, 'rehearsal.lock'), { wait: false })),
    isLeft: () => lstatIfThere(folder) !== null,
    begin: () =>
      onStorage(`cannot make ${folder}`, async () => {
        await mkdir(folder, { mode: 0o700 });
      }),
    async config({ directory: cwd, files, envFile }, name) {
      const named = files.flatMap((file) => ['-f', file]);
      const env = envFile === null ? [] : ['--env-file', envFile];
      const answer = await docker(
        ['compose', '-p', name, ...named, ...env, 'config', '--format', 'json'],
        queryMs,
        cwd,
      );
      try {
        return JSON.parse(answer);
      } catch (error) {
        throw new ContainersFailed('docker compose config answered in a form that is not understood', false, error);
      }
    },
    write: (model) =>
      onStorage('cannot write the project of the rehearsal', async () => {
        const file = join(folder, 'compose.json');
        await writeFileAtomic(file, JSON.stringify(model), 0o600);
        return file;
      }),
    async clear() {
      await removeAll(['ps', '-a', '-q'], ['rm', '-f', '-v']);
      await removeAll(['network', 'ls', '-q'], ['network', 'rm']);
      await removeAll(['volume', 'ls', '-q'], ['volume', 'rm']);
      await onStorage(`cannot remove ${folder}`, () => rm(folder, { recursive: true, force: true }));
    },
  };
}
