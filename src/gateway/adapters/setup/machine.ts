import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { networkInterfaces, totalmem } from 'node:os';
import { join } from 'node:path';
import { adminEnv } from '../../../lib/admin-env.ts';
import { ignore } from '../../../lib/ignore.ts';
import { probeHost } from '../../../lib/network/probe-host.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { containersOf, listenersOf, type Part, withContainers } from '../../setup/rules/listeners.ts';
import type { MachineFacts } from '../../setup/rules/machine.ts';

const commandMs = 30_000;
const neededPrograms = ['nft', 'flock', 'ss'];
/** The file systems of the software, and of Docker and the state. */
const disks = ['/opt', '/var'];

/** Looks at this server; changes nothing. */
export async function observeMachine(authority: string, project: string): Promise<MachineFacts> {
  const [engine, dataFolder, compose, modules, sockets, services, unit, ufw, packetFilter, own, containers] =
    await Promise.all([
      outputOf('docker', 'version', '--format', '{{.Server.Version}}'),
      outputOf('docker', 'info', '--format', '{{.DockerRootDir}}'),
      outputOf('docker', 'compose', 'version', '--short'),
      outputOf('modinfo', 'wireguard'),
      outputOf('ss', '-H', '-l', '-n', '-t', '-u', '-p'),
      outputOf('docker', 'compose', '-p', project, 'ps', '--services', '--status', 'running'),
      outputOf('systemctl', 'is-active', 'boxgate-gateway.service'),
      outputOf('ufw', 'status', 'verbose'),
      outputOf('nft', 'list', 'ruleset'),
      outputOf('docker', 'compose', '-p', project, 'ps', '-a', '--services'),
      outputOf('docker', 'ps', '--no-trunc', '--format', '{{.ID}}\t{{.Names}}\t{{.Ports}}'),
    ]);
  const parts = (services ?? '').split(/\s+/).filter((name): name is Part => name === 'traefik' || name === 'wg-easy');
  return {
    hasSystemd: existsSync('/run/systemd/system'),
    missingPrograms: neededPrograms.filter((name) => !isOnPath(name)),
    engine: versionIn(engine),
    dataFolder: dataFolder?.trim() ?? '',
    compose: versionIn(compose),
    hasWireguard: existsSync('/sys/module/wireguard') || modules !== null,
    listeners: withContainers(listenersOf(sockets ?? ''), containersOf(containers ?? ''), containerOf),
    running: new Set([...parts, ...(unit?.trim() === 'active' ? ['gateway' as const] : [])]),
    ufw: ufw ?? '',
    packetFilter: packetFilter ?? '',
    addresses: Object.entries(networkInterfaces()).flatMap(([name, list = []]) =>
      list.map(({ address }) => ({ name, address })),
    ),
    // A wg-easy that was killed leaves its interface.
    hasForeignWg0: existsSync('/sys/class/net/wg0') && !(own ?? '').split(/\s+/).includes('wg-easy'),
    freeBytes: Math.min(...(await Promise.all(disks.map(freeBytes)))),
    memoryBytes: totalmem(),
    authority: await askAuthority(authority),
  };
}

/** The standard output; null if the program is missing or fails. */
async function outputOf(...argv: string[]): Promise<string | null> {
  const asked = runCommand(argv, { cwd: '/', env: adminEnv, timeoutMs: commandMs });
  return asked.then(
    ({ stdout }) => stdout,
    ignore(CommandFailed, () => null),
  );
}

/** The kernel names the container of a process in the path of its control group. */
function containerOf(pid: number): string | null {
  try {
    return /\b[0-9a-f]{64}\b/.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[0] ?? null;
  } catch {
    // The process has ended.
    return null;
  }
}

function versionIn(output: string | null): string | null {
  return /\b\d{1,9}\.\d[\w.+~-]*/.exec(output ?? '')?.[0] ?? null;
}

function isOnPath(name: string): boolean {
  return adminEnv.PATH.split(':').some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(existsSync(folder) ? folder : '/');
  return bavail * bsize;
}

async function askAuthority(address: string): Promise<MachineFacts['authority']> {
  const { origin, host, pathname } = new URL(address);
  const { problem, date, status } = await probeHost(origin, host, { path: pathname, timeoutMs: 10_000 });
  if (problem !== null) return { problem: `${host} (${problem})` };
  if (status !== 200) return { problem: `${host} answers with status ${status}` };
  const aheadMs = Date.parse(date) - Date.now();
  return { aheadMs: Number.isNaN(aheadMs) ? 0 : aheadMs };
}

/** The addresses of the interfaces, without those that only this machine or its link knows. */
export function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list = []) => list.map(({ address }) => address))
    .filter((address) => !/^(?:127\.|::1$|fe80:)/i.test(address));
}
