import type { BoxSettings } from '../box-settings.ts';
import { trashPlaces } from '../change/adapters/trash.ts';
import type { Base } from '../make-base.ts';
import { disksOf, folderBytes } from './adapters/disk-usage.ts';
import { dataRoot, makeEngineSpace } from './adapters/engine-space.ts';
import { makeReplacedImages } from './adapters/replaced-images.ts';
import type { SpacePorts } from './ports.ts';

export function makeSpace(
  { directories, work, changes, environment }: Base,
  { backupRepository, keepImagesDays }: Pick<BoxSettings, 'backupRepository' | 'keepImagesDays'>,
): SpacePorts {
  const backups = backupRepository.startsWith('/') ? backupRepository : null;
  const folders = [
    { use: 'Docker', path: dataRoot() },
    { use: 'the apps', path: directories.installed },
    { use: "boxgate's state", path: directories.state },
    ...(backups === null ? [] : [{ use: 'the backups', path: backups }]),
  ];
  return {
    ...makeEngineSpace(environment, changes.lend),
    disks: () => disksOf(folders),
    folderBytes,
    replaced: makeReplacedImages(directories.state),
    keepImagesDays,
    trash: trashPlaces(directories, work),
    backups,
    low: { text: null },
  };
}
