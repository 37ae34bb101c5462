import { join } from 'node:path';
import { makeStateFile } from '../../lib/files/state-file.ts';
import { placeAt } from '../../restic/open-place.ts';
import type { RepositoryPlace } from '../../restic/ports.ts';
import { makeRepository } from '../../restic/repository.ts';
import { makeBackupTimer } from '../adapters/backup-timer.ts';
import type { BoxSettings } from '../box-settings.ts';
import { makeJournals } from '../change/adapters/journals.ts';
import type { Base } from '../make-base.ts';
import { dataRoot } from '../space/adapters/engine-space.ts';
import { makeBackupFiles } from './adapters/backup-files.ts';
import { makeOwnPlaces } from './adapters/own-places.ts';
import { makePlaceFile } from './adapters/place-file.ts';
import { makePlaceTools } from './adapters/place-tools.ts';
import { makeRehearsal } from './adapters/rehearsal.ts';
import type { BackupPorts, BackupRunsFile } from './ports.ts';
import { atPlace, type BackupRuns, parseRuns } from './rules/backup-runs.ts';

const largestRunsBytes = 16 * 1024 * 1024;

type Settings = Pick<
  BoxSettings,
  'backupRepository' | 'backupVariables' | 'backupAt' | 'backupKeep' | 'backupBeforeUpdate' | 'catalogue'
>;

export function makeBackups(base: Base, settings: Settings): BackupPorts {
  const { directories, work, changes, environment, disks } = base;
  const { state } = directories;
  const repositoryAt = (place: () => RepositoryPlace) =>
    makeRepository({ place, stateDirectory: state }, environment, changes.lend);
  const { backupRepository: fixedAddress, backupVariables, backupKeep } = settings;
  const named = (address: string) => placeAt(address, backupVariables);
  const place = makePlaceFile(state, { fixedAddress, fixedKeep: backupKeep, disks, named, repositoryAt });
  const repository = repositoryAt(place.present);
  return {
    repository,
    place,
    placeTools: makePlaceTools(state, { disks, own: [directories.installed, dataRoot(), state] }),
    files: makeBackupFiles(directories, work),
    waiting: makeJournals(state).waiting,
    runs: runsAt(state, () => repository.shownAddress),
    rehearsal: makeRehearsal(state, environment),
    timer: makeBackupTimer(),
    fixedAt: settings.backupAt,
    beforeUpdate: settings.backupBeforeUpdate,
    own: makeOwnPlaces(settings.catalogue, state),
  };
}

/** What is remembered of the present place, which may change while the process runs. */
function runsAt(state: string, place: () => string): BackupRunsFile {
  const file = makeStateFile(join(state, 'backup-runs.json'), largestRunsBytes, parseRuns);
  let known: { read: BackupRuns; at: string; runs: BackupRuns } | null = null;
  const load = () => {
    const [read, at] = [file.load(), place()];
    if (known?.read !== read || known.at !== at) known = { read, at, runs: atPlace(read, at) };
    return known.runs;
  };
  return { load, change: (change) => file.save({ ...change(load()), place: place() }) };
}
