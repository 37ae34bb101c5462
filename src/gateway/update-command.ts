import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CommandResult } from '../lib/command-result.ts';
import { readRegularFile } from '../lib/files/storage.ts';
import { ignore } from '../lib/ignore.ts';
import { makeServiceManager } from '../self-update/adapters/systemd.ts';
import { makeUpdateFiles } from '../self-update/adapters/update-files.ts';
import {
  commandEnd,
  processStopwatch,
  type UpdateSettings,
  updateApplyCommand,
  updateCheckCommand,
} from '../self-update/commands.ts';
import { followUpdate } from '../self-update/follow.ts';
import { JobFailed } from '../self-update/ports.ts';
import { gatewayProduct, type Product } from '../self-update/product.ts';
import { fail } from '../self-update/rules/update-failed.ts';
import { storeSchema } from './store/schema.ts';

const mostProjectBytes = 256 * 1024;

export type GatewayUpdateSettings = UpdateSettings & {
  migrateStore: boolean;
};

/** Properties of this process and machine that an update depends on. */
export type Place = {
  isRoot: boolean;
  hasSystemd: boolean;
  version: string;
  program: readonly string[];
};

export const thisPlace = (version: string): Place => ({
  isRoot: process.getuid?.() === 0,
  hasSystemd: existsSync('/run/systemd/system'),
  version,
  program: [process.execPath, process.argv[1] ?? ''],
});

/** `gateway update check`: shows the running and the newest version, the changes, and whether the store is migrated. */
export async function checkUpdateCommand(
  settings: Pick<UpdateSettings, 'releaseFeed' | 'releaseKey'>,
  place: Place,
): Promise<CommandResult> {
  if (!place.hasSystemd) return { status: 1, text: elsewhere };
  return updateCheckCommand('gateway', settings, place.version, ({ storeSchema: to }) =>
    to > storeSchema ? [migrationText(to)] : [],
  );
}

/** `gateway update apply`: starts the update as a job that survives a closed terminal, and shows its stages. */
export async function applyUpdateCommand(
  settings: GatewayUpdateSettings,
  place: Place,
  show: (line: string) => void,
): Promise<CommandResult> {
  if (!place.hasSystemd) return { status: 1, text: elsewhere };
  if (!place.isRoot) return { status: 1, text: 'run this as root: sudo boxgate gateway update apply' };
  const updateFiles = makeUpdateFiles(resolve(settings.stateDir));
  const lock = await updateFiles.tryLock();
  lock?.release();
  const attempt = crypto.randomUUID();
  const { job } = gatewayProduct;
  const start = lock === null ? 'already running' : await startJob(settings, place, attempt);
  if (start instanceof JobFailed) return { status: 1, text: start.message };
  if (start === 'already running') return { status: 1, text: 'an update is already running' };
  show(`the update runs as ${job}; it goes on when this terminal is closed`);
  const ports = { updateFiles, manager: makeServiceManager(), stopwatch: processStopwatch };
  const end = await followUpdate(ports, { attempt, job }, show);
  if (end !== null) return commandEnd(end);
  return { status: 1, text: `the update ended without a result: journalctl -u ${job} shows why` };
}

/** Runs the update; the main function of the job. */
export function runUpdateJob(
  settings: GatewayUpdateSettings,
  { version }: Pick<Place, 'version'>,
  attempt: string,
): Promise<CommandResult> {
  const product: Product = {
    ...gatewayProduct,
    async admit({ storeSchema: to }) {
      if (to > storeSchema && !settings.migrateStore) fail(migrationText(to));
    },
    remarks: async (folder) => partsRemark('/etc/boxgate/gateway/compose.yaml', folder),
  };
  return updateApplyCommand(product, settings, version, attempt);
}

function migrationText(to: number): string {
  return (
    `the new version migrates the store of the gateway, from schema ${storeSchema} to ${to}. A store in a file is copied ` +
    'before, and the copy comes back if the update is rolled back. A database of PostgreSQL does not come back: make a ' +
    'backup of it first (pg_dump). Then run: boxgate gateway update apply --migrate-store'
  );
}

/** wg-easy and Traefik, where `gateway setup` has made them, are as its version has them until it runs again. */
export function partsRemark(project: string, release: string): string[] {
  const present = readRegularFile(project, mostProjectBytes, 'refused');
  const shipped = readRegularFile(join(release, 'deploy/gateway/parts.yaml'), mostProjectBytes, 'refused');
  if (present === null || shipped === null || `${Buffer.from(present)}`.endsWith(`${Buffer.from(shipped)}`)) return [];
  return ['wg-easy and Traefik are still those of the version before: sudo boxgate gateway setup brings them, too'];
}

function startJob(settings: GatewayUpdateSettings, { program }: Place, attempt: string) {
  const variables = { ...variablesOf(settings), GATEWAY_UPDATE_ATTEMPT: attempt };
  return makeServiceManager()
    .start(gatewayProduct.job, [...program, 'gateway', 'update', 'apply'], variables)
    .catch(ignore(JobFailed, (error) => error));
}

/** Passes the settings to the job, which has another environment. */
function variablesOf(settings: GatewayUpdateSettings): Record<string, string> {
  return {
    GATEWAY_STATE_DIR: resolve(settings.stateDir),
    GATEWAY_RELEASE_KEY: resolve(settings.releaseKey),
    GATEWAY_SOFTWARE_DIR: resolve(settings.softwareDir),
    GATEWAY_UPDATE_WAIT: String(settings.updateWaitSeconds),
    ...(settings.unit === null ? {} : { GATEWAY_UNIT: settings.unit }),
    ...(settings.releaseFeed === null ? {} : { GATEWAY_RELEASE_FEED: settings.releaseFeed }),
    ...(settings.migrateStore ? { GATEWAY_MIGRATE_STORE: '1' } : {}),
  };
}

const elsewhere =
  'nothing here can restart a gateway: this machine or container runs no systemd. Update a gateway of the Compose ' +
  'project in its folder: docker compose build --pull && docker compose pull && docker compose up -d';
