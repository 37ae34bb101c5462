import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import type { CommandResult } from '../../lib/command-result.ts';
import { readRegularFile } from '../../lib/files/read-file.ts';
import { writeFileAtomic } from '../../lib/files/write-file.ts';
import { parseJson } from '../../lib/json.ts';
import { acquireLock } from '../../lib/process/lock.ts';
import { packageRoot } from '../../package-root.ts';
import { isNewer } from '../../self-update/rules/release.ts';
import { certificateFor } from '../adapters/setup/certificate.ts';
import { interfaceAddresses, observeMachine } from '../adapters/setup/machine.ts';
import { lookUp, proveAddresses } from '../adapters/setup/names.ts';
import { runStep } from '../adapters/setup/programs.ts';
import { asOwnerOf } from '../backup/folders.ts';
import { places, projectFolder, setUp, takeBack } from './setup.ts';
import { SetupFailed, type SetupPorts, type SetupRequest } from './setup-ports.ts';

/** The name of the Compose project in deploy/gateway/parts.yaml. */
const project = 'boxgate-gateway-parts';
const largestFileBytes = 256 * 1024;
/** It belongs to the user of the gateway, who could lead root elsewhere by a link. */
const stateFolder = '/var/lib/boxgate';
const setupLock = '/run/boxgate-gateway-setup.lock';
const anotherRuns =
  'another gateway setup runs on this server, and this one has changed nothing: run it again when that one has ended';

type Outside = Pick<SetupPorts, 'doctor' | 'say'> & { dnsServers: readonly string[] };

/** Why this archive sets nothing up: a newer version is installed, which it would replace. `null` if it may. */
export function newerInstalled(version: string, folder = '/opt/boxgate'): CommandResult | null {
  const { version: installed } = (parseJson(readText(join(folder, 'current', 'package.json')) ?? '') ?? {}) as {
    version?: unknown;
  };
  if (typeof installed !== 'string' || !isNewer(installed, version)) return null;
  const text = `boxgate ${installed} is installed, this archive is ${version}, and nothing has been changed: run the installed one, sudo ${folder}/current/bin/boxgate gateway setup`;
  return { status: 1, text };
}

/** @param request - `null` to take back what setup has made */
export function setupCommand(request: SetupRequest | null, outside: Outside): Promise<CommandResult> {
  const ports = realPorts(outside);
  return request === null ? takeBack(ports) : setUp(ports, request);
}

/** Runs one setup or removal at a time on this server. The kernel ends the turn of a process that ends. */
export async function inTurn(work: () => Promise<CommandResult>, lockFile = setupLock): Promise<CommandResult> {
  const lock = await acquireLock(lockFile, { wait: false });
  if (lock === null) return { status: 1, text: anotherRuns };
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** The variables of an earlier setup. The domain in the example of settings does not count. */
export function savedVariables(): Record<string, string | undefined> {
  const { GATEWAY_DOMAIN: domain } = parseEnv(readText(places.settings) ?? '');
  const { GATEWAY_TUNNEL_PASSWORD: _, ...saved } = parseEnv(readText(places.variables) ?? '');
  return { ...(domain === undefined || domain === 'example.org' ? {} : { GATEWAY_DOMAIN: domain }), ...saved };
}

function realPorts({ doctor, say, dnsServers }: Outside): SetupPorts {
  const script = join(packageRoot, 'deploy', 'install.sh');
  return {
    observe: (authority) => observeMachine(authority, project),
    lookUp: (names) => lookUp(names, dnsServers),
    ownAddresses: interfaceAddresses,
    prove: proveAddresses,
    files: {
      read: readText,
      write,
      remove: (path) => rm(path, { force: true }),
      newSecret: () => randomBytes(32).toString('base64url'),
      shipped: (name) => readFileSync(join(packageRoot, name), 'utf8'),
    },
    installSoftware: async () => void (await runStep(['sh', script, 'gateway'], packageRoot)),
    // The folder of the release may be what is removed.
    removeSoftware: () => runStep(['sh', script, 'gateway', '--uninstall'], '/'),
    compose: (...argv) => runStep(['docker', 'compose', ...argv], projectFolder),
    managerAnswers: () =>
      fetch('http://127.0.0.1:51821/', { redirect: 'manual', signal: AbortSignal.timeout(5000) }).then(
        ({ status }) => status < 500,
        () => false,
      ),
    certificate: (host) => certificateFor(host),
    doctor,
    pause: (ms) => pause(ms),
    now: () => performance.now(),
    say,
  };
}

/** Root follows no link, because one of the folders belongs to the user of the gateway. */
function readText(path: string): string | null {
  const bytes = readRegularFile(path, largestFileBytes, 'refused');
  if (bytes === 'nothing') return null;
  if (bytes === 'no file') throw new SetupFailed(`${path} is not a regular file: move it away`);
  return bytes.toString('utf8');
}

async function write(path: string, text: string, mode: number): Promise<void> {
  const folder = dirname(path);
  try {
    if (path.startsWith(`${stateFolder}/`)) {
      await asOwnerOf(stateFolder, () => writeFileAtomic(path, text, mode));
      return;
    }
    if (!existsSync(folder)) await mkdir(folder, { recursive: true, mode: folder === projectFolder ? 0o700 : 0o755 });
    await writeFileAtomic(path, text, mode);
  } catch (error) {
    throw new SetupFailed(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
