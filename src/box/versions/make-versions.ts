import { join } from 'node:path';
import { makeStateFile } from '../../lib/files/state-file.ts';
import { makeTimer } from '../adapters/backup-timer.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { Base } from '../make-base.ts';
import { makeRegistry } from './adapters/registry.ts';
import type { VersionPorts } from './ports.ts';
import { parseKnown } from './rules/known-versions.ts';
import { versionsSubject } from './versions-subject.ts';

const largestFileBytes = 4 * 1024 * 1024;

/** @param fakes - of a test */
export function makeVersions({ directories }: Base, box: AppsBox, fakes: Partial<VersionPorts> = {}) {
  const timer = makeTimer('boxgate-app-updates.timer');
  const versions: VersionPorts = {
    known: makeStateFile(join(directories.state, 'newer-versions.json'), largestFileBytes, parseKnown),
    askRegistry: makeRegistry(),
    timer: { enable: () => timer.enable(null), disable: timer.disable },
    ...fakes,
  };
  box.subjects.push(versionsSubject({ ...box, versions }));
  return { versions };
}
