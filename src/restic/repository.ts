import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lstatIfThere, onStorage } from '../lib/files/storage.ts';
import { writeFileAtomic } from '../lib/files/write-file.ts';
import { CommandFailed } from '../lib/process/run-command.ts';
import { adopt } from './adopt.ts';
import { lookInto } from './look-into.ts';
import { machineTag, makeIsOwn } from './machines.ts';
import {
  findId,
  listed,
  notUnderstood,
  openPlace,
  type Place,
  presentKey,
  type RepositorySettings,
  remember,
} from './open-place.ts';
import {
  type MadeSnapshot,
  onFault,
  type Repository,
  ResticFailed,
  type Snapshot,
  type SnapshotPlan,
} from './ports.ts';
import { readRecord, writeRecord } from './record.ts';
import type { LendLock, RunRestic } from './restic.ts';
import { noRestic, shownAddress } from './restic-failure.ts';
import { asPattern, parseSummary } from './restic-output.ts';

/** Restic's status if it made a snapshot without some files. */
const partly = 3;

/** A repository of restic. One that `backup.json` has and that is missing is an error, and never made again. */
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
    known: () => [...readRecord(open().recordFile).repositories.keys()].map(shownAddress),
    key: () => keyOf(open()),
    prepare: (isChosen) => prepare(open(), isChosen),
    async backUp(plan) {
      const place = open();
      try {
        const { self } = readRecord(place.recordFile).machines;
        const tags = [...plan.tags, ...(self === '' ? [] : [machineTag(self)])];
        const kind = plan.isUrgent ? 'urgent' : 'long';
        const { stdout, stderr } = await place.restic(backUpArguments({ ...plan, tags }), kind);
        return summaryOf(stdout, stderr);
      } catch (error) {
        const { cause } = error as ResticFailed;
        if (!(cause instanceof CommandFailed) || cause.status !== partly) throw error;
        return summaryOf(cause.stdout, cause.stderrTail);
      }
    },
    snapshots: (tag) => snapshotsOf(open(), tag),
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
      const tagged = (await snapshotsOf(open())).findLast(({ original }) => original?.startsWith(id));
      return tagged?.id ?? id;
    },
    async forget(ids, prunes) {
      if (ids.length > 0) await restic(['forget', ...ids, ...(prunes ? ['--prune'] : [])], prunes ? 'long' : 'short');
    },
    async unlock() {
      await restic(['unlock']);
    },
    async check({ number, of }, how) {
      const locked = how === 'beside' ? ['--no-lock'] : [];
      await restic(['check', `--read-data-subset=${number}/${of}`, ...locked], 'long');
    },
    adopt: (key, setsAside) => adopt(open(), key, setsAside),
  };
}

function isAvailable({ version }: Place): Promise<boolean> {
  return version().then(
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

async function snapshotsOf(place: Place, tag?: string): Promise<Snapshot[]> {
  const all = await listed(place, tag);
  const isOwn = makeIsOwn(all, readRecord(place.recordFile).machines);
  return all.map((one) => ({ ...one, isOwn: isOwn(one) }));
}

async function prepare(place: Place, isChosen = false): Promise<boolean> {
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
  await remember(place, found ?? (await findId(restic)) ?? '', found === null ? [] : await listed(place));
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

/** Restic would make every missing folder, also that of a disk that is not mounted. */
function refuseWithoutParent(address: string, state: string): void {
  const parent = join(address, '..');
  if (address.startsWith(`${state}/`) || lstatIfThere(parent) !== null) return;
  const text = `there is no folder ${parent} for the repository of the backups; mount its disk, or make the folder`;
  throw new ResticFailed(text, 'no-repository');
}
