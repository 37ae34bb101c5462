import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { lstatIfThere, onStorage } from '../lib/files/storage.ts';
import { writeFileAtomic } from '../lib/files/write-file.ts';
import { CommandFailed } from '../lib/process/run-command.ts';
import { machineTag, makeIsOwn, takeOver } from './machines.ts';
import { type MadeSnapshot, type Repository, ResticFailed, type ResticFault, type SnapshotPlan } from './ports.ts';
import { readOwn, readRecord, writeRecord } from './record.ts';
import { type LendLock, makeRestic, type RunRestic } from './restic.ts';
import { noRestic, shownAddress } from './restic-failure.ts';
import { asPattern, parseRepositoryId, parseSnapshots, parseSummary } from './restic-output.ts';

/** Faults of a disk that cannot take restic's lock, and can be read all the same. */
const lockless: ReadonlySet<ResticFault> = new Set(['no-room', 'read-only']);
/** Restic's status if it made a snapshot without some files. */
const partly = 3;

export type RepositorySettings = {
  /** Any address that restic takes. */
  address: string;
  /** Where the key, the record of repositories and restic's cache are. */
  stateDirectory: string;
  /** A file with further variables for restic, such as credentials; it may be missing. */
  variablesFile: string;
};

/**
 * A repository of restic, with its key in `backup.key`. `backup.json` has the id of each repository that was made or
 * found, by address, so that a missing one is an error and never made again.
 */
export function makeRepository(
  settings: RepositorySettings,
  environment: Readonly<Record<string, string | undefined>>,
  lend?: LendLock,
): Repository {
  const state = resolve(settings.stateDirectory);
  const keyFile = join(state, 'backup.key');
  const recordFile = join(state, 'backup.json');
  const { address } = settings;
  const isLocal = address.startsWith('/');
  // The variables are read at each call, so that an edit needs no restart.
  const resticWith =
    (file: string): RunRestic =>
    (args, kind) => {
      const variables = parseEnv(readOwn(settings.variablesFile) ?? '');
      const place = { address, keyFile: file, cacheDirectory: join(state, 'backup-cache'), variables };
      return makeRestic(place, environment, lend)(args, kind);
    };
  const restic = resticWith(keyFile);

  const key = async (): Promise<string> => {
    const known = presentKey(keyFile);
    if (known !== '') return known;
    if (readRecord(recordFile).repositories.size > 0) {
      throw new ResticFailed(`the key of the backups is gone: put it back into ${keyFile} (mode 0600)`, 'no-key');
    }
    const made = randomBytes(32).toString('base64url');
    await onStorage(`cannot write ${keyFile}`, () => writeFileAtomic(keyFile, `${made}\n`, 0o600));
    return made;
  };

  /** Notes the repository, and takes over the backups that it has. */
  const remember = (id: string, snapshots: Awaited<ReturnType<typeof listed>>) => {
    const { repositories, machines } = readRecord(recordFile);
    const taken = takeOver(snapshots, machines, new Date());
    return writeRecord(recordFile, { repositories: new Map([...repositories, [address, id]]), machines: taken });
  };

  const findId = async (run = restic): Promise<string | null> => {
    try {
      return parseRepositoryId((await run(['cat', 'config'])).stdout);
    } catch (error) {
      if (error instanceof ResticFailed && error.fault === 'no-repository') return null;
      throw error;
    }
  };

  const reading: RunRestic = (args, kind) =>
    restic(args, kind).catch((error: unknown) => {
      if (!(error instanceof ResticFailed && lockless.has(error.fault))) throw error;
      return restic([...args, '--no-lock'], kind);
    });

  const listed = async (tags: readonly string[]) => {
    const { stdout } = await reading(['snapshots', '--json', ...(tags.length > 0 ? ['--tag', tags.join(',')] : [])]);
    const snapshots = parseSnapshots(stdout);
    if (snapshots === null) throw notUnderstood('snapshots');
    return snapshots;
  };

  const init = async (): Promise<void> => {
    if (isLocal) refuseWithoutParent(address, state);
    const isNew = isLocal && lstatIfThere(address) === null;
    await restic(['init']).catch(async (error: unknown) => {
      // The configuration is written last, so without it this is no repository.
      if (isNew && lstatIfThere(join(address, 'config')) === null) await rm(address, { recursive: true, force: true });
      throw error;
    });
  };

  const repository: Repository = {
    shownAddress: shownAddress(address),
    async isAvailable() {
      try {
        await restic(['version']);
        return true;
      } catch (error) {
        if (error instanceof ResticFailed && error.fault === 'no-restic') return false;
        throw error;
      }
    },
    key,
    async prepare() {
      const hadKey = presentKey(keyFile) !== '';
      await key();
      const record = readRecord(recordFile);
      const known = record.repositories.get(address);
      if (known !== undefined) {
        // A backup would try for a quarter of an hour to reach a server that is away.
        if (!isLocal && (await findId()) !== known) throw missing(repository.shownAddress);
        if (record.isRenamed) await writeRecord(recordFile, record);
        return false;
      }
      let found: string | null;
      try {
        found = await findId();
        if (found === null) await init();
      } catch (error) {
        // A key without a repository is of no use, and would have to be moved away for another one.
        if (!hadKey && record.repositories.size === 0) await rm(keyFile, { force: true });
        throw error;
      }
      await remember(found ?? (await findId()) ?? '', found === null ? [] : await listed([]));
      return found === null;
    },
    async backUp(plan) {
      try {
        const { self } = readRecord(recordFile).machines;
        const tags = [...plan.tags, ...(self === '' ? [] : [machineTag(self)])];
        const { stdout, stderr } = await restic(backUpArguments({ ...plan, tags }), plan.isUrgent ? 'urgent' : 'long');
        return summaryOf(stdout, stderr);
      } catch (error) {
        const { cause } = error as ResticFailed;
        if (!(cause instanceof CommandFailed) || cause.status !== partly) throw error;
        return summaryOf(cause.stdout, cause.stderrTail);
      }
    },
    async snapshots(tags) {
      const all = await listed(tags);
      const isOwn = makeIsOwn(all, readRecord(recordFile).machines);
      return all.map((one) => ({ ...one, isOwn: isOwn(one) }));
    },
    async read(id, path) {
      return (await reading(['dump', id, path])).stdout;
    },
    async restore(id, target, path) {
      const only = path === undefined ? [] : ['--include', asPattern(path)];
      const args = ['restore', id, '--target', target, ...only];
      await reading([...args, '--sparse'], 'long').catch((error: ResticFailed) => {
        if (!error.message.includes('unknown flag: --sparse')) throw error;
        return reading(args, 'long'); // Before 0.15 the holes of files are filled.
      });
    },
    async addTags(id, tags) {
      await restic(['tag', ...tags.flatMap((tag) => ['--add', tag]), id]);
      const tagged = (await repository.snapshots(tags)).findLast(({ original }) => original?.startsWith(id));
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
    async adopt(given) {
      const own = [...readRecord(recordFile).repositories.keys()].map(shownAddress);
      if (own.length > 0 && ![given, ''].includes(presentKey(keyFile))) {
        const text = `this box has backups of its own at ${own.join(', ')}, with another key; move ${keyFile} and ${recordFile} away first`;
        throw new ResticFailed(text, 'wrong-key');
      }
      const trial = `${keyFile}.new`;
      try {
        await onStorage(`cannot write ${trial}`, () => writeFileAtomic(trial, `${given}\n`, 0o600));
        const id = await findId(resticWith(trial)).catch((error: unknown) => {
          if (!(error instanceof ResticFailed) || error.fault !== 'wrong-key') throw error;
          const text = `the repository at ${shownAddress(address)} has another key than the one that was given`;
          throw new ResticFailed(text, 'wrong-key', error);
        });
        if (id === null) {
          throw new ResticFailed(`there is no repository of backups at ${shownAddress(address)}`, 'no-repository');
        }
        await onStorage(`cannot write ${keyFile}`, () => rename(trial, keyFile));
        const snapshots = await listed([]);
        const isOwn = makeIsOwn(snapshots, readRecord(recordFile).machines);
        await remember(id, snapshots);
        const latest = new Map(snapshots.filter((one) => !isOwn(one)).map(({ host, time }) => [host, time]));
        return [...latest].map(([host, time]) => ({ host, latest: time }));
      } finally {
        await rm(trial, { force: true });
      }
    },
  };
  return withRestic(repository);
}

/** Names the missing program also where only files would be read. */
function withRestic(repository: Repository): Repository {
  return {
    ...repository,
    async prepare() {
      if (!(await repository.isAvailable())) throw new ResticFailed(noRestic, 'no-restic');
      return repository.prepare();
    },
  };
}

function backUpArguments({ paths, excludes, tags }: SnapshotPlan): string[] {
  return [
    ...['backup', '--json', '--quiet'],
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

function missing(address: string): ResticFailed {
  return new ResticFailed(`the repository of the backups is not at ${address}`, 'no-repository');
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
