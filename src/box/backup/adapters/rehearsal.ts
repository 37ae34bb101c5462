import { createHash } from 'node:crypto';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { namesIn, onStorage } from '../../../lib/files/storage.ts';
import { writeFileAtomic } from '../../../lib/files/write-file.ts';
import { acquireLock } from '../../../lib/process/lock.ts';
import { runCommand } from '../../../lib/process/run-command.ts';
import { composeMemoryKib, dockerEnvironment } from '../../adapters/docker/docker-environment.ts';
import { throwContainersFailed } from '../../adapters/docker/docker-failure.ts';
import { recordKey } from '../../change/adapters/install-records.ts';
import { ContainersFailed } from '../../core.ts';
import type { Rehearsal, Rehearsals } from '../ports.ts';

const queryMs = 30_000;
const removeMs = 5 * 60_000;
const projectLabel = 'com.docker.compose.project';

/** The rehearsals in a state directory. Their projects have names that no other box on the engine has. */
export function makeRehearsal(
  stateDirectory: string,
  environment: Readonly<Record<string, string | undefined>>,
): Rehearsals {
  const state = resolve(stateDirectory);
  const root = join(state, 'rehearsal');
  const env = dockerEnvironment(environment);
  const docker = async (args: readonly string[], timeoutMs: number, cwd = '/') => {
    const memoryKib = args[0] === 'compose' ? composeMemoryKib : undefined;
    const options = { cwd, env: { ...env, PWD: cwd }, timeoutMs, memoryKib };
    return (await runCommand(['docker', ...args], options).catch(throwContainersFailed)).stdout;
  };
  const removeAll = async (project: string, list: readonly string[], remove: readonly string[]) => {
    const found = (await docker([...list, '--filter', `label=${projectLabel}=${project}`], queryMs)).split(/\s+/);
    const ids = found.filter((id) => id !== '');
    if (ids.length > 0) await docker([...remove, ...ids], removeMs);
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
    lock: () =>
      onStorage('cannot begin a rehearsal', () => acquireLock(join(state, 'rehearsal.lock'), { wait: false })),
    of: (app) => place(join(root, recordKey(app))),
    left: () => namesIn(root).map((name) => place(join(root, name))),
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
  };
}
