import { join } from 'node:path';
import { makeStateFile } from '../../lib/files/state-file.ts';
import { makeRepository } from '../../restic/repository.ts';
import { makeBackupTimer } from '../adapters/backup-timer.ts';
import type { BoxSettings } from '../box-settings.ts';
import { makeWaitingWork } from '../change/adapters/exchange-folders.ts';
import type { Base } from '../make-base.ts';
import { makeBackupFiles } from './adapters/backup-files.ts';
import { makeOwnPlaces } from './adapters/own-places.ts';
import { makeRehearsal } from './adapters/rehearsal.ts';
import { makeVolumes } from './adapters/volumes.ts';
import type { BackupPorts } from './ports.ts';
import { atPlace, parseRuns } from './rules/backup-runs.ts';

const largestRunsBytes = 16 * 1024 * 1024;

type Settings = Pick<
  BoxSettings,
  'backupRepository' | 'backupVariables' | 'backupBeforeUpdate' | 'catalogue' | 'softwareDir'
>;

export function makeBackups({ directories, work, changes, environment }: Base, settings: Settings): BackupPorts {
  const { state } = directories;
  const place = {
    address: settings.backupRepository,
    stateDirectory: state,
    variablesFile: settings.backupVariables,
  };
  const repository = makeRepository(place, environment, changes.lend);
  const runsOf = (text: string) => atPlace(parseRuns(text), repository.shownAddress);
  return {
    repository,
    volumes: makeVolumes(environment, changes.lend),
    files: makeBackupFiles(directories, work),
    waiting: makeWaitingWork(directories, async () => {
      const { makeSoftwareFolder } = await import('../../self-update/adapters/software-folder.ts');
      return (await makeSoftwareFolder(settings.softwareDir).previous()) !== null;
    }),
    runs: makeStateFile(join(state, 'backup-runs.json'), largestRunsBytes, runsOf),
    rehearsal: makeRehearsal(state, environment),
    timer: makeBackupTimer(),
    beforeUpdate: settings.backupBeforeUpdate,
    own: makeOwnPlaces(settings.catalogue, state),
  };
}
