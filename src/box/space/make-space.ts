import { join } from 'node:path';
import { makeStateFile } from '../../lib/files/state-file.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { BoxSettings } from '../box-settings.ts';
import { trashPlaces } from '../change/adapters/trash.ts';
import type { Base } from '../make-base.ts';
import { disksOf, folderBytes } from './adapters/disk-usage.ts';
import { dataRoot, makeEngineSpace } from './adapters/engine-space.ts';
import type { SpacePorts } from './ports.ts';
import { parseReplaced } from './rules/replaced-images.ts';
import { spaceSubject } from './space-subject.ts';

const largestFileBytes = 4 * 1024 * 1024;

type Settings = Pick<BoxSettings, 'keepImagesDays'>;

export function makeSpace(base: Base, box: AppsBox, settings: Settings, fakes: Partial<SpacePorts> = {}) {
  const { directories, work, changes, environment } = base;
  const { keepImagesDays } = settings;
  const { folder: backups } = box.backup.place;
  const folders = () => [
    { use: 'Docker', path: dataRoot() },
    { use: 'the apps', path: directories.installed },
    { use: "boxgate's state", path: directories.state },
    ...[backups()].flatMap((path) => (path === null ? [] : [{ use: 'the backups', path }])),
  ];
  const space: SpacePorts = {
    ...makeEngineSpace(environment, changes.lend),
    disks: () => disksOf(folders()),
    folderBytes,
    replaced: makeStateFile(join(directories.state, 'replaced-images.json'), largestFileBytes, parseReplaced),
    keepImagesDays,
    trash: trashPlaces(directories, work),
    backups,
    low: { text: null },
    ...fakes,
  };
  box.subjects.push(spaceSubject({ ...box, space }));
  return { space };
}
