import { makeGatewayClient } from '../../../client/gateway-client.ts';
import type { HostAnswer } from '../../../lib/network/host-answer.ts';
import { noAnswer } from '../../../lib/network/probe-host.ts';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import type { Container } from '../../engine/rules/container.ts';
import { sampleContainer } from '../../testing/sample-container.ts';
import { appDirectories } from '../adapters/app-directories.ts';
import { newLogin } from '../adapters/new-login.ts';
import { makePacketFilter } from '../adapters/packet-filter.ts';
import { makeTunnelFiles } from '../adapters/tunnel-files.ts';
import type { AddressPorts } from '../ports.ts';
import { type PublishRequest, publish as publishApp } from '../publish.ts';
import { join } from '../registration.ts';
import { type FakeGateway, startFakeGateway } from './fake-gateway.ts';

/** A peer that was never heard of. */
export const silentPeer = {
  gatewayAddress: '10.8.0.1',
  endpoint: '203.0.113.1:51820',
  handshakeAt: null,
  receivedBytes: 0,
};

export type TunnelInFolder = {
  folder: string;
  gateway: FakeGateway;
  tunnel: AddressPorts;
  /** The warnings that the owner saw. */
  warnings: string[];
  transactions: string[];
  /** `ADDRESS:PORT` of each listening program, and of each one that shows the management page. */
  listening: Set<string>;
  pages: Set<string>;
  /** What ports speak; a port that is not listed speaks neither. */
  speaks: Map<number, 'http' | 'https'>;
  /** The proxy's answers, one for each call, with the last one repeated; and the requested hosts. */
  answers: Partial<HostAnswer>[];
  probed: string[];
  /** Docker and the box, as the tunnel sees them; `containers` is `null` if Docker does not answer. */
  apps: { containers: Container[] | null; isChanging: boolean; isBoxRunning: boolean };
};

/** A box that has joined its gateway. */
export async function joinedTunnel(t: { after(end: () => unknown): void }): Promise<TunnelInFolder> {
  const box = await tunnelInFolder(t);
  await joinGateway(box);
  return box;
}

export function joinGateway(
  { tunnel, gateway }: TunnelInFolder,
  registrationToken = gateway.registrationToken,
): ReturnType<typeof join> {
  return join(tunnel, { gateway: gateway.url, boxName: 'attic', registrationToken });
}

/** The files of a tunnel with locks in memory: a program for each lock would take most of the time of a test. */
function filesWithQuickLocks(folder: string): AddressPorts['files'] {
  const files = makeTunnelFiles(folder);
  return { ...files, lock: lockInMemory(), openPorts: { ...files.openPorts, lock: lockInMemory() } };
}

function lockInMemory() {
  let last = Promise.resolve();
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    return { release: resolve };
  };
}

/** Publishes an app as `boxgate tunnel publish` does, with defaults for the other options. */
export function publish(
  tunnel: AddressPorts,
  request: Pick<PublishRequest, 'app' | 'subdomain' | 'port'> & Partial<PublishRequest>,
): ReturnType<typeof publishApp> {
  return publishApp(tunnel, { appDirectory: null, proxy: null, ...request });
}

/** A running container that publishes the container's port 8080 at a port of the box, on all its addresses. */
export function appContainer(directory: string, hostPort: number, changed: Partial<Container> = {}): Container {
  const published = [{ address: '0.0.0.0', hostPort, containerPort: 8080, protocol: 'tcp' }];
  return sampleContainer('app', { workingDirectory: directory, published, ...changed });
}

/** A box's side of a tunnel in a temporary folder, and a gateway that runs until the end of the test. */
export async function tunnelInFolder(t: { after(end: () => unknown): void }): Promise<TunnelInFolder> {
  const folder = temporaryFolder();
  const gateway = await startFakeGateway();
  const warnings: string[] = [];
  const transactions: string[] = [];
  const [listening, pages] = [new Set<string>(), new Set<string>()];
  const speaks: TunnelInFolder['speaks'] = new Map();
  const answers: Partial<HostAnswer>[] = [{}];
  const probed: string[] = [];
  const apps: TunnelInFolder['apps'] = { containers: [], isChanging: false, isBoxRunning: false };
  let ms = Date.parse('2026-01-02T03:04:05Z');
  t.after(gateway.close);
  const tunnel: AddressPorts = {
    files: filesWithQuickLocks(folder),
    client: makeGatewayClient,
    networkFacts: () => ({ interfaces: [], routes: '', resolvers: [] }),
    packetFilter: makePacketFilter(async (transaction) => {
      transactions.push(transaction);
      return transaction.startsWith('list ') ? 'drop\n' : '';
    }),
    wireGuard: {
      interfaceWith: () => null,
      peer: async () => ({ ...silentPeer }),
      mtu: () => 1280,
      routeTo: async () => ({ dev: 'tunnel', firstTable: null }),
      missingPackages: () => [],
      answers: async () => false,
      bringUp: async () => undefined,
      takeDown: async () => true,
    },
    localPorts: {
      listens: async (address, port) => listening.has(`${address}:${port}`),
      isBoxgate: async (address, port) => pages.has(`${address}:${port}`),
      speaks: async (_, port) => speaks.get(port) ?? null,
    },
    appDirectories,
    newLogin,
    containers: async () => apps.containers,
    isChanging: async () => apps.isChanging,
    boxPort: async () => 0,
    isBoxRunning: async () => apps.isBoxRunning,
    async probe(proxy, host, { path = '' }) {
      probed.push(`${proxy} ${host}${path}`);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return { ...noAnswer, host, status: 200, ...answer };
    },
    bootId: () => '00000000-0000-0000-0000-000000000001',
    now: () => new Date(ms),
    async pause(waitMs) {
      ms += waitMs;
    },
    warn: (text) => warnings.push(text),
  };
  return { folder, gateway, tunnel, warnings, transactions, listening, pages, speaks, answers, probed, apps };
}
