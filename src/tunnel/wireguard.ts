import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { adminEnv } from '../lib/admin-env.ts';
import { readTextIfThere } from '../lib/files/read-file.ts';
import { CommandFailed, runCommand } from '../lib/process/run-command.ts';
import { tunnelInterface } from './rules/firewall.ts';
import { TunnelProblem, type WireGuard } from './tunnel.ts';

/** Units of `deploy/`, and the configuration that they use. */
const tunnelUnit = 'boxgate-tunnel.service';
const enabledUnits = [tunnelUnit, 'boxgate-heartbeat.timer'];
const units = [...enabledUnits, 'boxgate-heartbeat.service'];
const unitConfigFile = '/var/lib/boxgate/tunnel.conf';

const largestConfigBytes = 64 * 1024;
const commandTimeoutMs = 30_000;
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

export function makeWireGuard(): WireGuard {
  return { interfaceWith, peer, answers, takeDown };
}

function interfaceWith(address: string): string | null {
  for (const [name, own] of Object.entries(networkInterfaces())) {
    if (own?.some((entry) => entry.address === address)) return name;
  }
  return null;
}

async function peer(name: string) {
  const [allowed, handshake] = [await wgShow(name, 'allowed-ips'), await wgShow(name, 'latest-handshakes')];
  const seconds = Number(handshake[1]);
  return {
    gatewayAddress: String(allowed[1]?.split('/', 1)[0]),
    handshakeAt: seconds > 0 ? new Date(seconds * 1000) : null,
  };
}

async function answers(name: string, gatewayAddress: string): Promise<boolean> {
  const socket = createSocket('udp4');
  socket.on('error', () => undefined); // A gateway without a packet filter rejects the packet.
  try {
    let before = await receivedBytes(name);
    const end = Date.now() + answerTimeoutMs;
    while (Date.now() < end) {
      socket.send('.', probePort, gatewayAddress, () => undefined);
      await pause(probeEveryMs);
      const now = await receivedBytes(name);
      if (now > before) return true;
      before = now; // deploy/tunnel.sh may have set the counter back to 0.
    }
    return false;
  } finally {
    socket.close();
  }
}

async function receivedBytes(name: string): Promise<number> {
  return Number((await wgShow(name, 'transfer'))[1]);
}

/** Fields that `wg show` prints: the peer's public key and a value, or one value of the interface. */
async function wgShow(
  name: string,
  what: 'allowed-ips' | 'latest-handshakes' | 'private-key' | 'transfer',
): Promise<string[]> {
  const { stdout } = await run(['wg', 'show', name, what], commandTimeoutMs);
  return stdout.trim().split('\t');
}

async function takeDown(configFile: string, address: string): Promise<boolean> {
  // The units use only this configuration file.
  if (configFile === unitConfigFile && (await hasUnits())) {
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
  const [key] = await wgShow(tunnelInterface, 'private-key');
  return key === ownKey;
}

async function hasUnits(): Promise<boolean> {
  if (!existsSync('/run/systemd/system')) return false; // This machine runs another init system than systemd.
  const show = ['systemctl', 'show', '--property=LoadState', '--value', tunnelUnit];
  return (await run(show, commandTimeoutMs)).stdout.trim() === 'loaded';
}

async function run(argv: readonly string[], timeoutMs: number): Promise<{ stdout: string }> {
  try {
    return await runCommand(argv, { env: adminEnv, timeoutMs });
  } catch (error) {
    if (error instanceof CommandFailed) throw new TunnelProblem(error.message, { cause: error });
    throw error;
  }
}
