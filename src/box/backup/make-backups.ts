import { makeRepository } from '../../restic/repository.ts';
import { makeBackupTimer } from '../adapters/backup-timer.ts';
import type { BoxSettings } from '../box-settings.ts';
import { makeWaitingWork } from '../change/adapters/exchange-folders.ts';
import type { Base } from '../make-base.ts';
import { makeBackupFiles } from './adapters/backup-files.ts';
import { makeBackupRuns } from './adapters/backup-runs.ts';
import { makeOwnPlaces } from './adapters/own-places.ts';
import { makeRehearsal } from './adapters/rehearsal.ts';
import { makeVolumes } from './adapters/volumes.ts';
import type { BackupPorts } from './ports.ts';

type Settings = Pick<BoxSettings, 'backupRepository' | 'backupVariables' | 'backupBeforeUpdate' | 'catalogue'>;

export function makeBackups({ directories, work, changes, environment }: Base, settings: Settings): BackupPorts {
  const { state } = directories;
  const place = {
    address: settings.backupRepository,
    stateDirectory: state,
    variablesFile: settings.backupVariables,
  };
  const repository = makeRepository(place, environment, changes.lend);
  return {
    repository,
    volumes: makeVolumes(environment, changes.lend),
    files: makeBackupFiles(directories, work),
    waiting: makeWaitingWork(state),
    runs: makeBackupRuns(state, repository.shownAddress),
    rehearsal: makeRehearsal(state, environment),
    timer: makeBackupTimer(),
    beforeUpdate: settings.backupBeforeUpdate,
    own: makeOwnPlaces(settings.catalogue, state),
  };
}
