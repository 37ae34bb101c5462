import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { serveUntilSignal } from '../http/serve.ts';
import { whileServingMetrics } from '../http/serve-metrics.ts';
import type { CommandResult } from '../lib/command-result.ts';
import { makeFolders } from '../lib/files/make-folders.ts';
import { packageRoot } from '../package-root.ts';
import { ownUnit } from '../self-update/adapters/systemd.ts';
import { makeUpdateFiles } from '../self-update/adapters/update-files.ts';
import { isUndone } from '../self-update/rules/update-state.ts';
import { correctInterruptedUpdate } from '../self-update/status.ts';
import { type Removal, serveRemovals, socketOf } from './adapters/operator-socket.ts';
import { storeProblem } from './adapters/traefik/disk-room.ts';
import { readTrafficText } from './adapters/traefik/traefik-api.ts';
import { makeAuthenticate } from './boxes/authenticate.ts';
import { noBox, removeByOperator } from './boxes/boxes.ts';
import { makeJanitor } from './boxes/janitor.ts';
import { pendingMs } from './boxes/register-box.ts';
import type { Gateway } from './gateway.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import { makeHandlers } from './handlers.ts';
import { makeGateway } from './make-gateway.ts';
import { type GatewayPorts, type Store, StoreFailed, TunnelFailed } from './ports.ts';
import { type BackOff, backOffMs } from './rules/back-off.ts';
import { gatewayService } from './service.ts';
import { openStore } from './store/open-store.ts';

const { version } = packageFile;

export async function serveGateway(settings: GatewaySettings): Promise<void> {
  // The threads wait for the disk. More simultaneous syncs share one write of the file system's journal. Node reads
  // this variable when it first needs a thread.
  process.env.UV_THREADPOOL_SIZE ??= '16';
  // Readable by all, because the proxy's user needs the routes directory in it. Secret files in it have mode 0600.
  if (makeFolders(settings.stateDir, 0o755)) chmodSync(settings.stateDir, 0o755);
  // Whether a failed update has switched back to this version. choice/gateway/391
  const isRollingBack = async () => isUndone(await makeUpdateFiles(settings.stateDir).readState(), version);
  const store = await openStore(settings.store, isRollingBack);
  try {
    await serveWith(store, settings);
  } finally {
    await store.close();
  }
}

async function serveWith(store: Store, settings: GatewaySettings): Promise<void> {
  const gateway = await makeGateway(store, settings);
  if (settings.metrics === null) return serveApi(gateway, settings);
  const { makeGatewayMetrics } = await import('./metrics.ts');
  const address = { ...settings.metrics, setting: 'GATEWAY_METRICS in /etc/boxgate/gateway.env (or --metrics)' };
  const looks = {
    storeProblem: () => storeProblem(settings.store),
    trafficText: () => readTrafficText(settings.proxyApi),
  };
  const metrics = makeGatewayMetrics(gateway, looks, version);
  await whileServingMetrics(address, metrics, version, () => serveApi(metrics.observed(gateway), settings));
}

async function serveApi(gateway: Gateway, settings: GatewaySettings): Promise<void> {
  const { store, routeFileSync, heartbeats, refusedTokens } = gateway;
  const updates = updateRecord(settings.stateDir, gateway.warn);
  await updates.endInterrupted();
  await routeFileSync.updateAll();
  await store.onRoutesChanged((boxId) => (boxId === null ? routeFileSync.updateAll() : routeFileSync.update(boxId)));
  const service = gatewayService(makeHandlers(gateway), makeAuthenticate(gateway), version);
  const janitor = makeJanitor(gateway);
  // On a store of one process, the pending registrations are those of an earlier run.
  await janitor.start(settings.store.kind === 'postgres' ? 0 : pendingMs);
  const managerReport = reportManager(gateway);
  const removals = await takeRemovals(gateway, settings);
  try {
    await serveUntilSignal({
      host: settings.host,
      port: settings.port,
      setting: 'GATEWAY_PORT in /etc/boxgate/gateway.env (or --port)',
      service,
      async onListening({ url }) {
        await updates.recordServer(url);
        managerReport.begin();
      },
      onStopping: () => managerReport.end(),
      async onClosed() {
        refusedTokens.flush();
        await heartbeats.flush();
      },
    });
  } finally {
    await removals?.close();
    await janitor.stop();
  }
}

/** A store in a file belongs to this process, so the operator's command asks it. */
async function takeRemovals(gateway: Gateway, { store: address }: GatewaySettings) {
  if (address.kind !== 'file') return null;
  const path = socketOf(address.path);
  return serveRemovals(path, (removal) => removeForOperator(gateway, removal)).catch(({ message }: Error) => {
    gateway.warn(`boxes can be removed only while this gateway is stopped: ${message}`);
    return null;
  });
}

async function removeForOperator(gateway: Gateway, { id, by }: Removal): Promise<CommandResult> {
  const beganAt = performance.now();
  try {
    const isThere = (await gateway.store.listBoxes()).some((box) => box.id === id);
    if (!(isThere && (await removeByOperator(gateway, { id }))))
      return { status: 1, text: await noBox(gateway.store, id) };
    const durationMs = performance.now() - beganAt;
    gateway.journal({ operation: 'remove', subject: id, by, outcome: 'ok', detail: '', durationMs });
    return {
      status: 0,
      text: `${id} is removed, with its routes and names; its peer goes as soon as the tunnel manager lets it`,
    };
  } catch (error) {
    if (!(error instanceof StoreFailed)) gateway.warn(String((error as Error).stack));
    return { status: 1, text: `${id} is not removed: ${(error as Error).message}` };
  }
}

/** A box that joins right after the start does not wait for a look at the tunnel manager. */
const quietMs = 5_000;
/** Version 15 of the tunnel manager may be locked, and each login makes that longer. */
const managerAttempts: BackOff = { firstMs: 10_000, mostMs: 300_000 };
const longestEndMs = 2_000;

/**
 * Warns once, as soon as the tunnel manager answers, if the operator has to correct something. Otherwise the next box that
 * joins would be the first to notice. Once the manager was used, the log has the outcome, and no look is taken.
 */
function reportManager({ tunnelManager, warn, pause }: Gateway) {
  const stopped = Promise.withResolvers<boolean>();
  let running = Promise.resolve();

  async function untilItAnswers(): Promise<void> {
    for (let attempts = 0; ; attempts += 1) {
      const waitMs = attempts === 0 ? quietMs : backOffMs(attempts, managerAttempts);
      const isStopping = await Promise.race([pause(waitMs).then(() => false), stopped.promise]);
      if (isStopping || tunnelManager.wasUsed()) return;
      try {
        const mistake = await tunnelManager.findMistake();
        if (mistake !== null) warn(`tunnel manager: ${mistake}`);
        return;
      } catch (error) {
        if (!(error instanceof TunnelFailed || error instanceof StoreFailed)) throw error;
      }
    }
  }

  return {
    begin(): void {
      running = untilItAnswers();
    },
    /** @returns `false` if a look goes on: a slow login, or one that another process began, may take half a minute */
    end(): Promise<boolean> {
      stopped.resolve(true);
      return Promise.race([running.then(() => true), pause(longestEndMs).then(() => false)]);
    },
  };
}

/** Notes the server for software updates. A failure is only a warning: the gateway works without these files. */
function updateRecord(stateDir: string, warn: GatewayPorts['warn']) {
  const updateFiles = makeUpdateFiles(stateDir);
  const orWarn = (work: Promise<void>) =>
    work.catch((error: Error) => warn(`an update of the gateway could fail: ${error.message}`));
  return {
    endInterrupted: () =>
      orWarn(correctInterruptedUpdate({ updateFiles, version, now: () => new Date() }, versionBefore)),
    recordServer: (address: string) =>
      orWarn(updateFiles.writeRunning({ address, version, unit: ownUnit(), pid: process.pid })),
  };
}

/** The version that ran before an uncommitted switch to this one; `null` without one. */
async function versionBefore(): Promise<string | null> {
  const { makeSoftwareFolder } = await import('../self-update/adapters/software-folder.ts');
  return makeSoftwareFolder(dirname(packageRoot)).previous();
}
