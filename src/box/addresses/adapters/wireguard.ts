import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { adminEnv } from '../../../lib/admin-env.ts';
import { readTextIfThere } from '../../../lib/files/read-file.ts';
import { ignore } from '../../../lib/ignore.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { type Peer, TunnelProblem, type WireGuard } from '../ports.ts';
import { type TunnelEnds, tunnelInterface } from '../rules/firewall.ts';
import { firstTable, type KernelRoute } from '../rules/own-networks.ts';
import { isSameDirectory } from './app-directories.ts';

/** Units of `deploy/`, the file with their variables, and their state directory without it. */
const tunnelUnit = 'boxgate-tunnel.service';
const enabledUnits = [tunnelUnit, 'boxgate-heartbeat.timer'];
const units = [...enabledUnits, 'boxgate-heartbeat.service'];
const unitVariables = '/etc/boxgate/box.env';
const usualStateDir = '/var/lib/boxgate';

/** The packages of Debian with the programs that the tunnel needs. */
const packageOf = { wg: 'wireguard-tools', 'wg-quick': 'wireguard-tools', nft: 'nftables', ip: 'iproute2' };

const largestConfigBytes = 64 * 1024;
const commandTimeoutMs = 30_000;
const startTimeoutMs = 60_000;
/** A stop of a unit may take the 90 s that systemd gives it. */
const stopTimeoutMs = 120_000;

/**
 * WireGuard confirms data after at most 10 s, even if the inner packet is dropped. If a restarted gateway does not
 * know the session any more, a new handshake begins 15 s after the first packet without an answer.
 */
const answerTimeoutMs = 20_000;
const probeEveryMs = 500;
/** The UDP port "discard". No program has to listen there. */
const probePort = 9;

export const wireGuard: WireGuard = { missingPackages, interfaceWith, peer, mtu, routeTo, answers, bringUp, takeDown };

/** Two gateways may give the same address, so another interface may have it too. */
function interfaceWith(address: string): string | null {
  const names = Object.entries(networkInterfaces()).flatMap(([name, own]) =>
    own?.some((entry) => entry.address === address) ? [name] : [],
  );
  return names.find((name) => name === tunnelInterface) ?? names[0] ?? null;
}

async function peer(name: string, publicKey: string): Promise<Peer | null> {
  const line = (await wgShow(name, 'dump')).split('\n').find((text) => text.startsWith(`${publicKey}\t`));
  if (line === undefined) return null;
  const [, , endpoint = '', allowed = '', handshake, received] = line.split('\t');
  const seconds = Number(handshake);
  return {
    gatewayAddress: allowed.split('/', 1).join(),
    endpoint,
    handshakeAt: seconds > 0 ? new Date(seconds * 1000) : null,
    receivedBytes: Number(received),
  };
}

function mtu(name: string): number | null {
  const text = readTextIfThere(`/sys/class/net/${name}/mtu`, largestConfigBytes);
  return text === null ? null : Number(text);
}

async function routeTo(address: string, from?: string): Promise<KernelRoute | null> {
  const [route] = (await ipShow(['route', 'get', address, ...(from === undefined ? [] : ['from', from])])) ?? [];
  if (!isJsonObject(route) || typeof route.dev !== 'string') return null;
  const rules = route.table === undefined ? [] : await ipShow(['rule']);
  return { dev: route.dev, firstTable: firstTable(route.table, rules) };
}

/** A list as `ip` shows it; `null` if it fails, as for a route that is not there or that refuses packets. */
async function ipShow(words: readonly string[]): Promise<unknown[] | null> {
  const shown = await run(['ip', '-j', ...words], commandTimeoutMs).catch(ignore(TunnelProblem, () => null));
  const found = parseJson(shown?.stdout ?? '');
  return Array.isArray(found) ? found : null;
}

function missingPackages(): string[] {
  const folders = adminEnv.PATH.split(delimiter).filter((folder) => folder !== '');
  const isThere = (program: string) => folders.some((folder) => existsSync(join(folder, program)));
  const missing = Object.entries(packageOf).filter(([program]) => !isThere(program));
  return [...new Set(missing.map(([, name]) => name))];
}

async function answers(name: string, publicKey: string, { box, gateway }: TunnelEnds): Promise<boolean> {
  const socket = createSocket('udp4');
  socket.on('error', () => undefined); // A gateway without a packet filter rejects the packet.
  socket.bind({ address: box });
  try {
    let before = await peer(name, publicKey);
    const end = Date.now() + answerTimeoutMs;
    while (Date.now() < end && before !== null) {
      socket.send('.', probePort, gateway, () => undefined);
      await pause(probeEveryMs);
      const now = await peer(name, publicKey);
      if (now !== null && isAnswer(before, now)) return true;
      before = now; // deploy/tunnel.sh may have set the counter back to 0.
    }
    return false;
  } finally {
    socket.close();
  }
}

function isAnswer(before: Peer, now: Peer): boolean {
  return now.receivedBytes > before.receivedBytes && now.handshakeAt?.getTime() === before.handshakeAt?.getTime();
}

async function wgShow(name: string, what: 'dump' | 'private-key'): Promise<string> {
  return (await run(['wg', 'show', name, what], commandTimeoutMs)).stdout;
}

async function bringUp(): Promise<void> {
  await run(['systemctl', 'enable', '--now', ...enabledUnits], startTimeoutMs);
}

async function takeDown(configFile: string, address: string): Promise<boolean> {
  // The units use only the configuration file in this folder, which may have another path too.
  const { BOX_STATE_DIR } = parseEnv(readTextIfThere(unitVariables, largestConfigBytes) ?? '');
  if (isSameDirectory(dirname(configFile), BOX_STATE_DIR || usualStateDir) && (await hasUnits())) {
    await run(['systemctl', 'disable', '--now', ...enabledUnits], stopTimeoutMs);
    // The timer may have started a heartbeat, which fails without the registration.
    await run(['systemctl', 'stop', ...units], stopTimeoutMs);
    // Fails if systemd has unloaded one of the units. Then that unit has no failure to clear.
    await run(['systemctl', 'reset-failed', ...units], commandTimeoutMs).catch(() => undefined);
  }
  if (interfaceWith(address) === tunnelInterface && (await hasKeyOf(configFile)))
    await run(['wg-quick', 'down', configFile], commandTimeoutMs);
  return !existsSync(`/sys/class/net/${tunnelInterface}`);
}

/** An interface with another key is the tunnel of another state directory: two gateways may give the same address. */
async function hasKeyOf(configFile: string): Promise<boolean> {
  const [, ownKey] = /^PrivateKey = (\S+)$/m.exec(readTextIfThere(configFile, largestConfigBytes) ?? '') ?? [];
  return (await wgShow(tunnelInterface, 'private-key')).trim() === ownKey;
}

async function hasUnits(): Promise<boolean> {
  if (!existsSync('/run/systemd/system')) return false; // This machine runs another init system than systemd.
  const show = ['systemctl', 'show', '--property=LoadState', '--value', tunnelUnit];
  return (await run(show, commandTimeoutMs)).stdout.trim() === 'loaded';
}

function run(argv: readonly string[], timeoutMs: number): Promise<{ stdout: string }> {
  return runCommand(argv, { env: adminEnv, timeoutMs }).catch(
    ignore(CommandFailed, (error) => {
      throw new TunnelProblem(error.message, { cause: error });
    }),
  );
}
