import { hostname } from 'node:os';
import packageFile from '../../package.json' with { type: 'json' };
import { changeLine } from '../lib/journal.ts';
import { logLine } from '../lib/log-line.ts';
import { makeComposeContainers } from './adapters/docker/compose.ts';
import { makeMachine } from './adapters/machine.ts';
import { makeAddresses } from './addresses/make-addresses.ts';
import { withHeldPorts } from './addresses/open-ports.ts';
import { makeApps } from './apps/make-apps.ts';
import type { AppsBox } from './apps/ports.ts';
import { backupSubject, isUnfinished } from './backup/backup-problems.ts';
import { withKeptVolumes } from './backup/kept-volumes.ts';
import { makeBackups } from './backup/make-backups.ts';
import type { BoxSettings } from './box-settings.ts';
import { makeDoctor } from './doctor/make-doctor.ts';
import { withClosedPorts } from './https/closed-ports.ts';
import { makeHttps } from './https/make-https.ts';
import { makeLogs } from './logs/make-logs.ts';
import { directoriesOf, makeBase, makeCore, outsideOf } from './make-base.ts';

import { makeSelfUpdate } from './make-self-update.ts';
import { makeNotify } from './notify/make-notify.ts';
import { makeOwnApps } from './own-apps/make-own-apps.ts';
import { onFirstUse } from './own-names.ts';
import { renderPage } from './page/render.ts';
import { makeSpace } from './space/make-space.ts';
import { makeStores } from './stores/make-stores.ts';
import { makeVersions } from './versions/make-versions.ts';

/** The box of every command and server, on real files, Docker and systemd: one line a subject. */
export function makeBox(settings: BoxSettings) {
  const base = makeBase(directoriesOf(settings), outsideOf(settings));
  const https = makeHttps(base, settings);
  const backup = makeBackups(base, settings);
  const compose = makeComposeContainers(base.environment, undefined, base.changes.lend);
  const closed = withClosedPorts(compose, { ...base, https });
  const selfUpdate = makeSelfUpdate(settings, base.now);
  const addresses = makeAddresses({ ...base, observer: { look: () => core.observer.look() } }, settings.port);
  const core = makeCore(base, withHeldPorts(withKeptVolumes(closed, backup.files), addresses));
  const apps = makeApps(base, settings);
  const box: AppsBox = {
    ...core,
    ...apps,
    ...{ addresses, https, backup },
    changes: {
      ...core.changes,
      run: (change, of) =>
        core.changes.run(async () => {
          if (isUnfinished(backup)) {
            const { finishWaiting } = await import('./change/finish.ts');
            const hindered = await finishWaiting(box, of?.app ?? null);
            if (hindered !== null) throw hindered;
          }
          return change();
        }, of),
    },
    journal(entry) {
      logLine(changeLine(entry));
      apps.history.add(entry);
      for (const subject of box.subjects) subject.changed?.(entry);
    },
  };
  const machine = { machine: makeMachine(base.environment), hostName: hostname(), names: settings.allowedHosts };
  const whole = {
    ...{ ...box, ...machine, selfUpdate },
    ...makeLogs(base),
    ...makeSpace(base, box, settings),
    ...makeVersions(base, box),
    ...makeNotify(base, { ...box, selfUpdate }, settings),
    ...makeStores(base, box),
    ...makeOwnApps(base, box, settings.catalogue),
    page: onFirstUse(() => renderPage(packageFile.version)),
  };
  box.subjects.push(backupSubject(box));
  makeDoctor(whole);
  return whole;
}

export type Box = ReturnType<typeof makeBox>;
