import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.ts';

/**
 * A gateway, a box and a host on the box's network: three network namespaces, and WireGuard in userspace between the
 * first two. The box is the namespace of the caller.
 */
export const gatewayAddress = '10.8.0.1';
export const boxAddress = '10.8.0.2';
export const lanHost = '192.168.77.2';

export type Target = { host: string; port: number };

/** Time limit of a probe. A probe of a port that the packet filter closes always takes this long. */
const probeMs = 3000;

export function sh(script: string): string {
  const done = spawnSync('sh', ['-euc', script], { encoding: 'utf8', timeout: 60_000 });
  assert.equal(done.status, 0, `${script}\n${done.stderr}`);
  return done.stdout.trim();
}

/** Creates the namespaces. @returns the WireGuard text that the gateway hands out, as wg-easy 15 writes it */
export function makeNetwork(): string {
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-network-'));
  const [gatewayKey, boxKey, sharedKey] = [sh('wg genkey'), sh('wg genkey'), sh('wg genpsk')];
  const publicKey = (key: string) => sh(`echo ${key} | wg pubkey`);
  const config = [
    '[Interface]',
    `PrivateKey = ${gatewayKey}`,
    'ListenPort = 51820',
    '[Peer]',
    `PublicKey = ${publicKey(boxKey)}`,
    `PresharedKey = ${sharedKey}`,
    // A hostile gateway that tries to reach the network behind the box.
    `AllowedIPs = ${boxAddress}/32, 192.168.77.0/24`,
  ];
  writeFileSync(join(folder, 'wg0.conf'), config.join('\n'), { mode: 0o600 });
  sh(`
    for name in gateway lan; do ip netns add $name; ip -n $name link set lo up; done
    ip link add wan type veth peer name wan netns gateway
    ip addr add 203.0.113.2/24 dev wan; ip link set wan up
    ip -n gateway addr add 203.0.113.1/24 dev wan; ip -n gateway link set wan up
    ip link add lan type veth peer name lan netns lan
    ip addr add 192.168.77.1/24 dev lan; ip link set lan up
    ip -n lan addr add ${lanHost}/24 dev lan; ip -n lan link set lan up
    ip -n lan route add default via 192.168.77.1
    ip netns exec gateway wireguard-go wg0
    ip netns exec gateway wg setconf wg0 ${folder}/wg0.conf
    ip -n gateway addr add ${gatewayAddress}/24 dev wg0; ip -n gateway link set wg0 up
    ip -n gateway route add 192.168.77.0/24 dev wg0
    rm -r ${folder}`);
  return [
    '[Interface]',
    `PrivateKey = ${boxKey}`,
    `Address = ${boxAddress}/32, fdcc:ad94:bacf:61a4::cafe:2/128`,
    'MTU = 1420',
    'DNS = 1.1.1.1',
    '',
    '[Peer]',
    `PublicKey = ${publicKey(gatewayKey)}`,
    `PresharedKey = ${sharedKey}`,
    'AllowedIPs = 0.0.0.0/0, ::/0',
    'PersistentKeepalive = 0',
    'Endpoint = 203.0.113.1:51820',
  ].join('\n');
}

/** Restarts WireGuard on the gateway, as a restart of wg-easy does: sessions and the box's endpoint are forgotten. */
export function restartGateway(): void {
  sh(`
    umask 077
    file=$(mktemp)
    ip netns exec gateway wg showconf wg0 | grep -v '^Endpoint' >"$file"
    ip -n gateway link delete dev wg0
    # All namespaces share the directory of its socket, which the old process removes when it ends.
    for pid in $(ip netns pids gateway); do
      while grep -qsx wireguard-go /proc/$pid/comm; do sleep 0.05; done
    done
    ip netns exec gateway wireguard-go wg0
    ip netns exec gateway wg setconf wg0 "$file"
    rm "$file"
    ip -n gateway addr add ${gatewayAddress}/24 dev wg0; ip -n gateway link set wg0 up`);
}

/** Ends everything that was started in the namespaces, and removes them. */
export function removeNetwork(): void {
  // The kernel removes a namespace's links some time after its name. Waits for that, because the next network uses
  // the same link names.
  sh(`
    for link in wan lan; do if ip link show dev $link >/dev/null 2>&1; then ip link delete $link; fi; done
    for name in $(ip netns list | cut -d " " -f 1); do
      while [ -n "$(ip netns pids $name)" ]; do ip netns pids $name | xargs -r kill -KILL || true; sleep 0.05; done
      ip netns del $name
    done`);
}

/**
 * Starts a server on all addresses of the box. It sends its name at once and again after each line that it receives.
 */
export function listenOnBox(port: number, name: string): void {
  const server = createServer((socket) => {
    socket.unref().on('error', () => undefined); // A blocked connection never closes.
    socket.write(name);
    socket.on('data', () => socket.write(name));
  });
  server.listen(port, '0.0.0.0').unref();
}

/** Starts a server in another namespace that answers its name once. Returns when the server listens. */
export async function listenIn(namespace: string, port: number, name: string): Promise<void> {
  const script = `require('net').createServer((s) => s.on('error', () => 0).end('${name}')).listen(${port}, '0.0.0.0')`;
  spawn('ip', ['netns', 'exec', namespace, process.execPath, '-e', script], { stdio: 'ignore' }).unref();
  const listening = () => sh(`ip netns exec ${namespace} cat /proc/net/tcp`).includes(hexPort(port));
  await until(`${name} listens`, listening);
}

const hexPort = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;

const probeScript = `
  const [host, port] = process.argv.slice(1);
  const socket = require('net').connect(Number(port), host);
  const end = (text) => { console.log(text); process.exit(); };
  socket.once('data', (bytes) => end(String(bytes))).on('error', () => end('')).on('end', () => end(''));
  setTimeout(() => end(''), ${probeMs});`;

/** The answer that the gateway gets from a server of the box; empty if it gets none. */
export async function fromGateway({ host, port }: Target): Promise<string> {
  const child = spawn('ip', ['netns', 'exec', 'gateway', process.execPath, '-e', probeScript, host, `${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (bytes) => {
    said += bytes;
  });
  await once(child, 'close');
  return said.trim();
}

/** The answer that the box gets from a server of the gateway; empty if it gets none. */
export function fromBox({ host, port }: Target): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    socket.once('data', (bytes) => end(`${bytes}`)).on('error', () => end(''));
    socket.setTimeout(probeMs, () => end(''));
  });
}
