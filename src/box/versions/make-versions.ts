import { makeTimer } from '../adapters/backup-timer.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { Base } from '../make-base.ts';
import { makeKnownVersions } from './adapters/known-versions.ts';
import { makeRegistry } from './adapters/registry.ts';
import type { VersionPorts } from './ports.ts';
import { versionsSubject } from './versions-subject.ts';

/** @param fakes - of a test */
export function makeVersions({ directories }: Base, box: AppsBox, fakes: Partial<VersionPorts> = {}) {
  const timer = makeTimer('boxgate-app-updates.timer');
  const versions: VersionPorts = {
    known: makeKnownVersions(directories.state),
    askRegistry: makeRegistry(),
    timer: { enable: () => timer.enable(null), disable: timer.disable },
    ...fakes,
  };
  box.subjects.push(versionsSubject({ ...box, versions }));
  return { versions };
}
