import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { takeOver } from './machines.ts';
import { onFault, type RepositoryPlace, ResticFailed, type ResticFault } from './ports.ts';
import { readOwn, readRecord, writeRecord } from './record.ts';
import { type LendLock, makeRestic, type RunRestic } from './restic.ts';
import { shownAddress } from './restic-failure.ts';
import { parseRepositoryId, parseSnapshots } from './restic-output.ts';

/** Faults of a disk that cannot take restic's lock, and can be read all the same. */
const lockless: readonly ResticFault[] = ['no-room', 'read-only'];
export type RepositorySettings = {
  /** Asked anew for each operation, so that another place needs no restart. */
  place(): RepositoryPlace;
  /** Where the key, the record of repositories and restic's cache are. */
  stateDirectory: string;
};

/** `variablesFile`: a file with further variables for restic, such as credentials. */
export type NamedRepository = { address: string; stateDirectory: string; variablesFile: string };

/** The place of any address. The file may be missing, and is read at each call, so that an edit needs no restart. */
export function placeAt(address: string, variablesFile: string): RepositoryPlace {
  return { address, options: [], ready: async () => parseEnv(readOwn(variablesFile) ?? '') };
}

export type Place = ReturnType<typeof openPlace>;

export function openPlace(
  { place, stateDirectory }: RepositorySettings,
  environment: Readonly<Record<string, string | undefined>>,
  lend?: LendLock,
) {
  const state = resolve(stateDirectory);
  const keyFile = join(state, 'backup.key');
  const present = place();
  const { address } = present;
  const cacheDirectory = join(state, 'backup-cache');
  const callsWith = (key: string, ready = present.ready) =>
    makeRestic({ ...present, ready }, { keyFile: key, cacheDirectory }, environment, lend);
  const { run: restic, stream } = callsWith(keyFile);
  const reading: RunRestic = (args, kind) =>
    restic(args, kind).catch(onFault(lockless, () => restic([...args, '--no-lock'], kind)));
  return {
    address,
    shown: shownAddress(address),
    isLocal: address.startsWith('/'),
    state,
    keyFile,
    recordFile: join(state, 'backup.json'),
    restic,
    resticWith: (key: string) => callsWith(key).run,
    /** Also answers while the place is away. */
    version: () => callsWith(keyFile, async () => ({})).run(['version']),
    reading,
    stream,
  };
}

/** `null` if there is no repository. */
export function findId(restic: RunRestic): Promise<string | null> {
  return restic(['cat', 'config']).then(
    ({ stdout }) => parseRepositoryId(stdout),
    onFault(['no-repository'], () => null),
  );
}

export async function listed({ reading }: Place, tag?: string) {
  const { stdout } = await reading(['snapshots', '--json', ...(tag === undefined ? [] : ['--tag', tag])]);
  const snapshots = parseSnapshots(stdout);
  if (snapshots === null) throw notUnderstood('snapshots');
  return snapshots;
}

/** Notes the repository, and takes over the backups that it has. */
export function remember({ address, recordFile }: Place, id: string, snapshots: Awaited<ReturnType<typeof listed>>) {
  const { repositories, machines } = readRecord(recordFile);
  const taken = takeOver(snapshots, machines, new Date());
  return writeRecord(recordFile, { repositories: new Map([...repositories, [address, id]]), machines: taken });
}

/** Empty without one. */
export function presentKey(file: string): string {
  return readOwn(file)?.trim() ?? '';
}

export function notUnderstood(command: string): ResticFailed {
  return new ResticFailed(`restic ${command} answered in a form that is not understood`, 'failed');
}
