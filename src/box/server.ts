import { hostname, networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { reportFault } from '../http/report.ts';
import { serveUntilSignal } from '../http/serve.ts';
import { whileServingMetrics } from '../http/serve-metrics.ts';
import { makeStateDirectory } from '../lib/files/storage.ts';
import { changeLine, type Journal } from '../lib/journal.ts';
import { logLine } from '../lib/log-line.ts';
import { makeNotifyFiles } from '../notify/notify-files.ts';
import { sendMessage } from '../notify/send-message.ts';
import { packageRoot } from '../package-root.ts';
import { makeRepository } from '../restic/repository.ts';
import { makeKeys } from '../self-update/adapters/keys.ts';
import { makeReleaseFeed } from '../self-update/adapters/release-feed.ts';
import { makeJobs, ownUnit } from '../self-update/adapters/systemd.ts';
import { makeUpdateFiles } from '../self-update/adapters/update-files.ts';
import { correctInterruptedUpdate } from '../self-update/status.ts';
import { makeBackupTimer, makeTimer } from './adapters/backup-timer.ts';
import { makeChanges } from './adapters/changes.ts';
import { makeComposeContainers } from './adapters/docker/compose.ts';
import { dockerEnvironment } from './adapters/docker/docker-environment.ts';
import { makeEngineEvents } from './adapters/docker/engine-events.ts';
import { makeRehearsal } from './adapters/docker/rehearsal.ts';
import { makeVolumes } from './adapters/docker/volumes.ts';
import { makeAppFolders } from './adapters/files/app-folders.ts';
import { makeBackupFiles, makeWaitingWork } from './adapters/files/backup-files.ts';
import { makeBackupRuns } from './adapters/files/backup-runs.ts';
import { makeChangeHistory } from './adapters/files/change-history.ts';
import { makeDiskMemory } from './adapters/files/disks.ts';
import { makeInstallFiles } from './adapters/files/install-files.ts';
import { makeKeptFiles } from './adapters/files/kept-files.ts';
import { makeOwnPlaces } from './adapters/files/own-places.ts';
import { makeReconcileRecords } from './adapters/files/reconcile-records.ts';
import { checkReadable, closeToOthers, recover } from './adapters/files/recovery.ts';
import { makeTrash, trashPlaces } from './adapters/files/trash.ts';
import { makeWorkFolder } from './adapters/files/work-folder.ts';
import { makeSockets } from './adapters/sockets.ts';
import { readTunnelAddresses } from './addresses/adapters/tunnel-addresses.ts';
import { withHeldPorts } from './addresses/held-ports.ts';
import { makeAddresses } from './addresses/make-addresses.ts';
import { makeHandlers } from './api/handlers.ts';
import { boxService } from './api/service.ts';
import { makeCatalogue } from './app-files/catalogue.ts';
import type { CatalogueDirectory } from './app-files/catalogue-check.ts';
import { withoutSecrets } from './app-files/secrets.ts';
import { showOperations } from './apps/operations.ts';
import { keepHouse, keepRetryingImages, makeBackground } from './background.ts';
import { isUnfinished } from './backup/backup-problems.ts';
import { withKeptVolumes } from './backup/kept-volumes.ts';
import type { BoxSettings } from './box-settings.ts';
import { makeMachine } from './doctor/adapters/machine.ts';
import { makeAppStates } from './engine/app-states.ts';
import { makeObserver } from './engine/observer.ts';
import { makeHttps } from './https/adapters/https-files.ts';
import { withClosedPorts } from './https/closed-ports.ts';
import { makeNameFollower } from './https/follow-names.ts';
import { makeContainerLogs } from './logs/adapters/container-logs.ts';
import { makeFolderSizes } from './logs/adapters/folder-sizes.ts';
import { makeUsage } from './logs/adapters/usage.ts';
import { makeNotifier } from './notify/notifier.ts';
import { noticeOf } from './notify/watch-box.ts';
import { renderPage } from './page/render.ts';
import type { BoxPorts } from './ports.ts';
import { cutOffLine } from './rules/text/past-changes.ts';
import { disksOf, folderBytes } from './space/adapters/disk-usage.ts';
import { dataRoot, makeEngineSpace } from './space/adapters/engine-space.ts';
import { makeReplacedImages } from './space/adapters/replaced-images.ts';
import { makeKnownVersions } from './versions/adapters/known-versions.ts';
import { makeRegistry } from './versions/adapters/registry.ts';

const { version } = packageFile;

/** Runs the app manager of a box until a signal comes. */
export async function serveBox(settings: BoxSettings): Promise<void> {
  const box = makeBox(settings);
  if (settings.metrics === null) return serveApi(box, settings);
  const { makeBoxMetrics } = await import('./api/metrics.ts');
  const address = { ...settings.metrics, setting: 'BOX_METRICS in /etc/boxgate/box.env (or --metrics)' };
  const metrics = makeBoxMetrics(box, version);
  const journal: Journal = (entry) => {
    box.journal(entry);
    metrics.changed(entry);
  };
  await whileServingMetrics(address, metrics, version, () => serveApi({ ...box, journal }, settings));
}

async function serveApi(box: BoxPorts, settings: BoxSettings): Promise<void> {
  const directories = directoriesOf(settings);
  makeStateDirectory(directories.state);
  for (const place of [...directories.bundled, directories.installed]) checkReadable(place);
  closeToOthers(directories.installed, box.warn);
  // Without Docker, as `box.changes` may need it to finish a backup.
  const changes = makeChanges(settings.stateDir);
  await recover(directories, makeWorkFolder(settings.installedApps), changes, box.warn, (app) => {
    // A backup that is to be put back too gets the line.
    if (box.backup.files.journal()?.app !== app) box.room.history.add(cutOffLine({ app, step: 'updating' }, false));
  });
  const versionBefore = async () => {
    const { makeSoftwareFolder } = await import('../self-update/adapters/software-folder.ts');
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
    async onListening({ host, port }) {
      own.port = port;
      const address = `http://${addressText({ host, port })}`;
      const running = { address, version, unit: ownUnit(), pid: process.pid };
      await unlessFull(box.selfUpdate.updateFiles.writeRunning(running), box.warn);
      box.states.expectSnapshot();
      // Runs after the ready line, which does not wait for it.
      setImmediate(() => {
        keepHouse(box, followNames);
        background.start();
      });
    },
    async onClosed() {
      stopRetrying();
    },
    onStopping: background.stop,
  });
}

/**
 * A box must also start on a full disk: only its next update needs the file. Otherwise an update stopped by a full disk
 * could not bring the previous version back.
 */
async function unlessFull(work: Promise<void>, warn: (text: string) => void): Promise<void> {
  await work.catch((error: Error) => {
    const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
    if (!['ENOSPC', 'EDQUOT'].includes(code)) throw error;
    warn(`${error.message}; the next update of the box may fail`);
  });
}

/** The ports of every command of the box, on real files, Docker and systemd. */
export function makeBox(settings: BoxSettings): BoxPorts {
  const directories = directoriesOf(settings);
  const folders = makeAppFolders(directories, dockerEnvironment(process.env));
  const work = makeWorkFolder(settings.installedApps);
  const changes = makeChanges(settings.stateDir);
  const apps = makeCatalogue(folders, reportFault);
  const records = makeReconcileRecords(settings.stateDir);
  const disks = makeDiskMemory(settings.stateDir);
  const now = () => new Date();
  const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  const failedUps: BoxPorts['failedUps'] = new Map();
  const states = makeAppStates({ folders, apps, records, disks, failedUps, report: reportFault }, { now, pause });
  const shown = showOperations(changes, changes.told, now, states.refresh);
  const https = makeHttps(
    {
      stateDirectory: directories.state,
      template: join(packageRoot, 'deploy/proxy/Caddyfile'),
      consoleAddress: addressText(settings.console),
    },
    process.env,
  );
  const rehearsal = makeRehearsal(settings.stateDir, process.env);
  const compose = makeComposeContainers(process.env, undefined, changes.lend);
  const closed = withClosedPorts(compose, { apps, https, config: rehearsal.config, warn: logLine });
  const files = makeBackupFiles(directories, work);
  const kept = withKeptVolumes(closed, { files, rehearsal });
  const updateFiles = makeUpdateFiles(settings.stateDir);
  const addresses = makeAddresses(
    {
      ...{ apps, states, changes, warn: logLine, selfUpdate: { updateFiles } },
      observer: { look: () => observer.look() },
      stateDirectory: directories.state,
    },
    settings.port,
  );
  const containers = withoutSecrets(withHeldPorts(kept, addresses), { folders, apps, report: reportFault });
  const observer = makeObserver({ containers, folders, states, report: reportFault });
  const repository = makeRepository(
    {
      address: settings.backupRepository,
      stateDirectory: directories.state,
      variablesFile: settings.backupVariables,
    },
    process.env,
    changes.lend,
  );
  const backup = {
    repository,
    volumes: makeVolumes(process.env, changes.lend),
    files,
    waiting: makeWaitingWork(settings.stateDir),
    runs: makeBackupRuns(settings.stateDir, repository.shownAddress),
    rehearsal,
    timer: makeBackupTimer(),
    beforeUpdate: settings.backupBeforeUpdate,
    own: makeOwnPlaces(settings.catalogue, settings.stateDir),
  };
  const notifications: BoxPorts['notifications'] = {
    machine: hostname(),
    send: sendMessage,
    ...makeNotifyFiles(directories.state, settings.notify),
  };
  const later = (ms: number, run: () => void) => setTimeout(run, ms);
  const notifier = makeNotifier({ notifications, now, later, warn: logLine, report: reportFault });
  const room = {
    logs: makeContainerLogs(process.env),
    usage: makeUsage(process.env),
    sizes: makeFolderSizes(),
    history: makeChangeHistory(settings.stateDir, now),
    keptFiles: makeKeptFiles(directories),
  };
  const box: BoxPorts = {
    apps,
    states,
    folders,
    installFiles: makeInstallFiles(directories, work),
    trash: makeTrash(directories, work, now),
    containers,
    observer,
    sockets: makeSockets(),
    disks,
    heldForDisk: new Set(),
    records,
    room,
    failedUps,
    sinceStart: { isReconciled: false },
    retryImages: () => undefined,
    backup,
    changes: {
      ...shown.changes,
      run: (change, of) =>
        shown.changes.run(async () => {
          if (isUnfinished(backup)) {
            const { finishWaiting } = await import('./backup/finish-backup.ts');
            const hindered = await finishWaiting(box, of?.app ?? null);
            if (hindered !== null) throw hindered;
          }
          return change();
        }, of),
    },
    operations: shown.operations,
    page: onFirstUse(() => renderPage(version)),
    addresses,
    https,
    selfUpdate: {
      releaseFeed: makeReleaseFeed(settings.releaseFeed, 'box'),
      keys: makeKeys(settings.releaseKey, 'box'),
      platform: `${process.platform}-${process.arch}`,
      jobs: makeJobs(),
      updateFiles,
      version,
      now,
      command: [process.execPath, process.argv[1] ?? '', 'box', 'update', 'apply'],
      variables: variablesOf(settings),
    },
    notifications,
    ...notifier,
    machine: makeMachine(process.env),
    names: settings.allowedHosts,
    installedApps: directories.installed,
    stateDirectory: directories.state,
    keepRemovedDays: settings.keepRemovedDays,
    versions: {
      known: makeKnownVersions(settings.stateDir),
      askRegistry: makeRegistry(),
      timer: appUpdatesTimer(),
    },
    space: spaceOf(settings, directories, work, changes.lend),
    now,
    pause,
    warn: logLine,
    journal(entry) {
      logLine(changeLine(entry));
      room.history.add(entry);
      const notice = noticeOf(entry);
      if (notice !== null) notifier.notify(notice);
    },
    report: reportFault,
  };
  return box;
}

function appUpdatesTimer(): BoxPorts['versions']['timer'] {
  const timer = makeTimer('boxgate-app-updates.timer');
  return { enable: () => timer.enable(null), disable: timer.disable };
}

function spaceOf(
  { backupRepository, keepImagesDays, stateDir }: BoxSettings,
  directories: ReturnType<typeof directoriesOf>,
  work: ReturnType<typeof makeWorkFolder>,
  lend: ReturnType<typeof makeChanges>['lend'],
): BoxPorts['space'] {
  const { engineUsage, images } = makeEngineSpace(process.env, lend);
  const backups = backupRepository.startsWith('/') ? backupRepository : null;
  const folders = [
    { use: 'Docker', path: dataRoot() },
    { use: 'the apps', path: directories.installed },
    { use: "boxgate's state", path: directories.state },
    ...(backups === null ? [] : [{ use: 'the backups', path: backups }]),
  ];
  return {
    disks: () => disksOf(folders),
    folderBytes,
    engineUsage,
    images,
    replaced: makeReplacedImages(stateDir),
    keepImagesDays,
    trash: trashPlaces(directories, work),
    backups,
    low: { text: null },
  };
}

export { makeAskCompose } from './adapters/docker/ask-compose.ts';

/** One set of folders for each directory of apps that can be installed, in order. */
export function catalogueDirectories(settings: BoxSettings): CatalogueDirectory[] {
  return directoriesOf(settings).bundled.map((path) => {
    const folders = makeAppFolders({ installed: path, bundled: [] }, dockerEnvironment(process.env));
    return { path, folders, apps: makeCatalogue(folders, reportFault) };
  });
}

function directoriesOf({ catalogue, bundledApps, installedApps, stateDir }: BoxSettings) {
  return {
    bundled: [...catalogue, bundledApps].map((directory) => resolve(directory)),
    installed: resolve(installedApps),
    state: resolve(stateDir),
  };
}

/** The names under which a server of this box may be asked. */
export function ownNames({ allowedHosts, port, stateDir }: BoxSettings, { https }: Pick<BoxPorts, 'https'>) {
  return {
    machineName: hostname(),
    /** The domain of `boxgate box https` is read on each use, because that command changes it. */
    get allowedHosts() {
      const setting = https.setting();
      return setting === null ? allowedHosts : [...allowedHosts, setting.domain];
    },
    port,
    /** Read on each use, because a machine's addresses change while it runs. */
    get addresses() {
      return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
    },
    get tunnelAddresses() {
      return readTunnelAddresses(resolve(stateDir));
    },
  };
}

/** The environment variables for an update, which runs outside this process and needs the same settings. */
function variablesOf(settings: BoxSettings): Record<string, string> {
  const variables: Record<string, string> = {
    BOX_HOST: settings.host,
    BOX_PORT: String(settings.port),
    BOX_CATALOGUE: settings.catalogue.map((directory) => resolve(directory)).join(':'),
    BOX_BUNDLED_APPS: resolve(settings.bundledApps),
    BOX_INSTALLED_APPS: resolve(settings.installedApps),
    BOX_STATE_DIR: resolve(settings.stateDir),
    BOX_ALLOWED_HOSTS: settings.allowedHosts.join(','),
    BOX_KEEP_REMOVED_DAYS: String(settings.keepRemovedDays),
    BOX_KEEP_IMAGES_DAYS: String(settings.keepImagesDays),
    BOX_RELEASE_KEY: resolve(settings.releaseKey),
    BOX_SOFTWARE_DIR: resolve(settings.softwareDir),
    BOX_UPDATE_WAIT: String(settings.updateWaitSeconds),
  };
  const unit = settings.unit ?? ownUnit();
  if (unit !== null) variables.BOX_UNIT = unit;
  if (settings.metrics !== null) variables.BOX_METRICS = addressText(settings.metrics);
  if (settings.releaseFeed !== null) variables.BOX_RELEASE_FEED = settings.releaseFeed;
  return variables;
}

function addressText({ host, port }: { host: string; port: number }): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function onFirstUse<Made>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
