import packageFile from '../../../package.json' with { type: 'json' };
import { serveUntilSignal } from '../../http/serve.ts';
import { whileServingMetrics } from '../../http/serve-metrics.ts';
import { makeStateDirectory } from '../../lib/files/storage.ts';
import type { Journal } from '../../lib/journal.ts';
import { ownUnit } from '../../self-update/adapters/systemd.ts';
import { correctInterruptedUpdate } from '../../self-update/status.ts';
import { makeChanges } from '../adapters/changes.ts';
import { makeEngineEvents } from '../adapters/docker/engine-events.ts';
import { keepHouse, keepRetryingImages, makeBackground } from '../background.ts';
import type { BoxSettings } from '../box-settings.ts';
import { checkReadable, closeToOthers, recover } from '../change/adapters/recovery.ts';
import { makeWorkFolder } from '../change/adapters/work-folder.ts';
import { makeNameFollower } from '../https/follow-names.ts';
import { directoriesOf } from '../make-base.ts';
import { ownNames } from '../own-names.ts';
import { cutOffLine } from '../rules/text/past-changes.ts';
import { type Box, makeBox } from '../server.ts';
import { makeHandlers } from './handlers.ts';
import { boxService } from './service.ts';

const { version } = packageFile;

export async function serveBox(settings: BoxSettings): Promise<void> {
  const box = makeBox(settings);
  if (settings.metrics === null) return serveApi(box, settings);
  const { makeBoxMetrics } = await import('./metrics.ts');
  const address = { ...settings.metrics, setting: 'BOX_METRICS in /etc/boxgate/box.env (or --metrics)' };
  const metrics = makeBoxMetrics(box, version);
  const journal: Journal = (entry) => {
    box.journal(entry);
    metrics.changed(entry);
  };
  await whileServingMetrics(address, metrics, version, () => serveApi({ ...box, journal }, settings));
}

async function serveApi(box: Box, settings: BoxSettings): Promise<void> {
  const directories = directoriesOf(settings);
  makeStateDirectory(directories.state);
  for (const place of [...directories.bundled(), directories.installed]) checkReadable(place);
  closeToOthers(directories.installed, box.warn);
  // Without Docker, as `box.changes` may need it to finish a backup.
  const changes = makeChanges(settings.stateDir);
  await recover(directories, makeWorkFolder(settings.installedApps), changes, box.warn, (cutOff) => {
    box.history.add(cutOffLine(cutOff, cutOff.way === 'forth'));
  });
  const versionBefore = async () => {
    const { makeSoftwareFolder } = await import('../../self-update/adapters/software-folder.ts');
    return makeSoftwareFolder(settings.softwareDir).previous();
  };
  await unlessFull(correctInterruptedUpdate(box.selfUpdate, versionBefore), box.warn);

  const own = ownNames(settings, box);
  const background = makeBackground(box, makeEngineEvents(process.env));
  const followNames = makeNameFollower(box);
  box.observer.onPicture(followNames);
  const journal: Journal = (entry) => {
    box.journal(entry);
    followNames();
  };
  const service = boxService(makeHandlers(box), own, version, journal);
  const stopRetrying = keepRetryingImages(box);
  await serveUntilSignal({
    host: settings.host,
    port: settings.port,
    setting: 'BOX_PORT in /etc/boxgate/box.env (or --port)',
    service,
    async onListening({ port, url }) {
      own.port = port;
      const running = { address: url, version, unit: ownUnit(), pid: process.pid };
      await unlessFull(box.selfUpdate.updateFiles.writeRunning(running), box.warn);
      box.states.expectPicture();
      // Runs after the ready line, which does not wait for it.
      setImmediate(() => {
        keepHouse(box, followNames);
        background.start();
      });
    },
    onClosed: async () => stopRetrying(),
    onStopping: background.stop,
  });
}

/** A box also starts on a full disk: only its next update needs the file, and a rolled-back one has to start. */
async function unlessFull(work: Promise<void>, warn: (text: string) => void): Promise<void> {
  await work.catch((error: Error) => {
    const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
    if (!['ENOSPC', 'EDQUOT'].includes(code)) throw error;
    warn(`${error.message}; the next update of the box may fail`);
  });
}
