import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { lstatIfThere, onStorage } from '../lib/files/storage.ts';
import { writeFileAtomic } from '../lib/files/write-file.ts';
import { CommandFailed } from '../lib/process/run-command.ts';
import { lookInto } from './look-into.ts';
import { machineTag, makeIsOwn, takeOver } from './machines.ts';
import {
  type MadeSnapshot,
  onFault,
  type Repository,
  type RepositoryPlace,
  ResticFailed,
  type ResticFault,
  type Snapshot,
  type SnapshotPlan,
} from './ports.ts';
import { readOwn, readRecord, writeRecord } from './record.ts';
import { type LendLock, makeRestic, type RunRestic, streamRestic } from './restic.ts';
import { noRestic, shownAddress } from './restic-failure.ts';
import { asPattern, parseRepositoryId, parseSnapshots, parseSummary } from './restic-output.ts';

/** Faults of a disk that cannot take restic's lock, and can be read all the same. */
const lockless: readonly ResticFault[] = ['no-room', 'read-only'];
/** Restic's status if it made a snapshot without some files. */
const partly = 3;

export type RepositorySettings = {
  /** Asked anew for each operation, so that another place needs no restart. */
  place(): RepositoryPlace;
  /** Where the key, the record of repositories and restic's cache are. */
  stateDirectory: string;
};

/** `variablesFile`: a file with further variables for restic, such as credentials. */
export type NamedRepository = { address: string; stateDirectory: string; variablesFile: string };

/**
 * The place that the settings name.
 * @param variablesFile - may be missing; read at each call, so that an edit needs no restart
 */
export function placeAt(address: string, variablesFile: string): RepositoryPlace {
  return { address, options: [], ready: async () => parseEnv(readOwn(variablesFile) ?? '') };
}

/**
 * A repository of restic, with its key in `backup.key`. `backup.json` has the id of each repository that was made or
 * found, by address, so that a missing one is an error and never made again.
 */
export function makeRepository(
  settings: RepositorySettings,
  environment: Readonly<Record<string, string | undefined>>,
  lend?: LendLock,
): Repository {
  const open = () => openPlace(settings, environment, lend);
  const restic: RunRestic = (...call) => open().restic(...call);
  return {
    get shownAddress() {
      return shownAddress(settings.place().address);
    },
    isAvailable: () => isAvailable(open()),
    key: () => keyOf(open()),
    prepare: (how) => prepare(open(), how),
    async backUp(plan) {
      const place = open();
      try {
        const { self } = readRecord(place.recordFile).machines;
        const tags = [...plan.tags, ...(self === '' ? [] : [machineTag(self)])];
        const { stdout, stderr } = await place.restic(
          backUpArguments({ ...plan, tags }),
          plan.isUrgent ? 'urgent' : 'long',
        );
        return summaryOf(stdout, stderr);
      } catch (error) {
        const { cause } = error as ResticFailed;
        if (!(cause instanceof CommandFailed) || cause.status !== partly) throw error;
        return summaryOf(cause.stdout, cause.stderrTail);
      }
    },
    snapshots: (tags) => snapshotsOf(open(), tags),
    async read(id, path) {
      return (await open().reading(['dump', id, path])).stdout;
    },
    look: (id, path) => lookInto((args, signal) => open().stream(args, signal), id, path),
    dump: (id, path, gone) => open().stream(['dump', '--archive', 'tar', id, path], gone),
    async restore(id, target, path) {
      const only = path === undefined ? [] : ['--include', asPattern(path)];
      const args = ['restore', id, '--target', target, ...only];
      const place = open();
      await place.reading([...args, '--sparse'], 'long').catch((error: ResticFailed) => {
        if (!error.message.includes('unknown flag: --sparse')) throw error;
        return place.reading(args, 'long'); // Before 0.15 the holes of files are filled.
      });
    },
    async addTags(id, tags) {
      await restic(['tag', ...tags.flatMap((tag) => ['--add', tag]), id]);
      const tagged = (await snapshotsOf(open(), tags)).findLast(({ original }) => original?.startsWith(id));
      return tagged?.id ?? id;
    },
    async forget(ids, { prunes = false } = {}) {
      if (ids.length > 0) await restic(['forget', ...ids, ...(prunes ? ['--prune'] : [])], prunes ? 'long' : 'short');
    },
    async unlock() {
      await restic(['unlock']);
    },
    async check({ number, of }, how) {
      const locked = how === 'beside' ? ['--no-lock'] : [];
      await restic(['check', `--read-data-subset=${number}/${of}`, ...locked], 'long');
    },
    adopt: (key) => adopt(open(), key),
  };
}

type Place = ReturnType<typeof openPlace>;

function openPlace(
  { place, stateDirectory }: RepositorySettings,
  environment: Readonly<Record<string, string | undefined>>,
  lend?: LendLock,
) {
  const state = resolve(stateDirectory);
  const keyFile = join(state, 'backup.key');
  const { address, options, ready } = place();
  const placeWith = async (file: string) => {
    const variables = await ready();
    return { address, options, keyFile: file, cacheDirectory: join(state, 'backup-cache'), variables };
  };
  const resticWith =
    (file: string): RunRestic =>
    async (args, kind) =>
      makeRestic(await placeWith(file), environment, lend)(args, kind);
  const restic = resticWith(keyFile);
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
    resticWith,
    reading,
    async *stream(args: readonly string[], signal: AbortSignal) {
      yield* streamRestic(await placeWith(keyFile), environment, args, signal);
    },
  };
}

function isAvailable({ restic }: Place): Promise<boolean> {
  return restic(['version']).then(
    () => true,
    onFault(['no-restic'], () => false),
  );
}

async function keyOf({ keyFile, recordFile }: Place): Promise<string> {
  const known = presentKey(keyFile);
  if (known !== '') return known;
  if (readRecord(recordFile).repositories.size > 0) {
    throw new ResticFailed(`the key of the backups is gone: put it back into ${keyFile} (mode 0600)`, 'no-key');
  }
  const made = randomBytes(32).toString('base64url');
  await onStorage(`cannot write ${keyFile}`, () => writeFileAtomic(keyFile, `${made}\n`, 0o600));
  return made;
}

/** `null` if there is no repository. */
function findId(restic: RunRestic): Promise<string | null> {
  return restic(['cat', 'config']).then(
    ({ stdout }) => parseRepositoryId(stdout),
    onFault(['no-repository'], () => null),
  );
}

async function listed({ reading }: Place, tags: readonly string[]) {
  const { stdout } = await reading(['snapshots', '--json', ...(tags.length > 0 ? ['--tag', tags.join(',')] : [])]);
  const snapshots = parseSnapshots(stdout);
  if (snapshots === null) throw notUnderstood('snapshots');
  return snapshots;
}

async function snapshotsOf(place: Place, tags: readonly string[]): Promise<Snapshot[]> {
  const all = await listed(place, tags);
  const isOwn = makeIsOwn(all, readRecord(place.recordFile).machines);
  return all.map((one) => ({ ...one, isOwn: isOwn(one) }));
}

/** Notes the repository, and takes over the backups that it has. */
function remember({ address, recordFile }: Place, id: string, snapshots: Awaited<ReturnType<typeof listed>>) {
  const { repositories, machines } = readRecord(recordFile);
  const taken = takeOver(snapshots, machines, new Date());
  return writeRecord(recordFile, { repositories: new Map([...repositories, [address, id]]), machines: taken });
}

async function prepare(place: Place, { isChosen = false } = {}): Promise<boolean> {
  // Names the missing program also where only files would be read.
  if (!(await isAvailable(place))) throw new ResticFailed(noRestic, 'no-restic');
  const { address, keyFile, recordFile, restic } = place;
  const hadKey = presentKey(keyFile) !== '';
  await keyOf(place);
  const record = readRecord(recordFile);
  const known = isChosen ? undefined : record.repositories.get(address);
  if (known !== undefined) {
    // A backup would try for a quarter of an hour to reach a server that is away.
    if (!place.isLocal && (await findId(restic)) !== known) {
      throw new ResticFailed(`the repository of the backups is not at ${place.shown}`, 'no-repository');
    }
    if (record.isRenamed) await writeRecord(recordFile, record);
    return false;
  }
  let found: string | null;
  try {
    found = await findId(restic);
    if (found === null) await init(place);
  } catch (error) {
    // A key without a repository is of no use, and would have to be moved away for another one.
    if (!hadKey && record.repositories.size === 0) await rm(keyFile, { force: true });
    throw error;
  }
  await remember(place, found ?? (await findId(restic)) ?? '', found === null ? [] : await listed(place, []));
  return found === null;
}

async function init({ address, isLocal, state, restic }: Place): Promise<void> {
  if (isLocal) refuseWithoutParent(address, state);
  const isNew = isLocal && lstatIfThere(address) === null;
  await restic(['init']).catch(async (error: unknown) => {
    // The configuration is written last, so without it this is no repository.
    if (isNew && lstatIfThere(join(address, 'config')) === null) await rm(address, { recursive: true, force: true });
    throw error;
  });
}

async function adopt(place: Place, given: string): Promise<{ host: string; latest: Date }[]> {
  const { keyFile, recordFile, shown } = place;
  const own = [...readRecord(recordFile).repositories.keys()].map(shownAddress);
  if (own.length > 0 && ![given, ''].includes(presentKey(keyFile))) {
    const text = `this box has backups of its own at ${own.join(', ')}, with another key; move ${keyFile} and ${recordFile} away first`;
    throw new ResticFailed(text, 'wrong-key');
  }
  const trial = `${keyFile}.new`;
  try {
    await onStorage(`cannot write ${trial}`, () => writeFileAtomic(trial, `${given}\n`, 0o600));
    const refused = onFault(['wrong-key'], (error) => {
      throw new ResticFailed(
        `the repository at ${shown} has another key than the one that was given`,
        'wrong-key',
        error,
      );
    });
    const id = await findId(place.resticWith(trial)).catch(refused);
    if (id === null) throw new ResticFailed(`there is no repository of backups at ${shown}`, 'no-repository');
    await onStorage(`cannot write ${keyFile}`, () => rename(trial, keyFile));
    const snapshots = await listed(place, []);
    const isOwn = makeIsOwn(snapshots, readRecord(recordFile).machines);
    await remember(place, id, snapshots);
    const latest = new Map(snapshots.filter((one) => !isOwn(one)).map(({ host, time }) => [host, time]));
    return [...latest].map(([host, time]) => ({ host, latest: time }));
  } finally {
    await rm(trial, { force: true });
  }
}

function backUpArguments({ paths, excludes, tags }: SnapshotPlan): string[] {
  return [
    'backup',
    '--json',
    '--quiet',
    ...tags.flatMap((tag) => ['--tag', tag]),
    ...excludes.flatMap(({ folder, pattern }) => ['--exclude', `${asPattern(folder)}/${pattern}`]),
    '--',
    ...paths,
  ];
}

function summaryOf(stdout: string, stderr: string): MadeSnapshot {
  const summary = parseSummary(stdout, stderr);
  if (summary === null) throw notUnderstood('backup');
  return summary;
}

/** Empty without one. */
function presentKey(file: string): string {
  return readOwn(file)?.trim() ?? '';
}

function notUnderstood(command: string): ResticFailed {
  return new ResticFailed(`restic ${command} answered in a form that is not understood`, 'failed');
}

/** Restic would make every missing folder, also that of a disk that is not mounted. */
function refuseWithoutParent(address: string, state: string): void {
  const parent = join(address, '..');
  if (address.startsWith(`${state}/`) || lstatIfThere(parent) !== null) return;
  const text = `there is no folder ${parent} for the repository of the backups; mount its disk, or make the folder`;
  throw new ResticFailed(text, 'no-repository');
}
