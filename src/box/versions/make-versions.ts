import { makeTimer } from '../adapters/backup-timer.ts';
import type { Base } from '../make-base.ts';
import { makeKnownVersions } from './adapters/known-versions.ts';
import { makeRegistry } from './adapters/registry.ts';
import type { VersionPorts } from './ports.ts';

export function makeVersions({ directories }: Base): VersionPorts {
  const timer = makeTimer('boxgate-app-updates.timer');
  return {
    known: makeKnownVersions(directories.state),
    askRegistry: makeRegistry(),
    timer: { enable: () => timer.enable(null), disable: timer.disable },
  };
}
