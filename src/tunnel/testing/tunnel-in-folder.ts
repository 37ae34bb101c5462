import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeGatewayClient } from '../../client/gateway-client.ts';
import type { TunnelPorts } from '../tunnel.ts';
import { makeTunnelFiles } from '../tunnel-files.ts';
import { type FakeGateway, startFakeGateway } from './fake-gateway.ts';

export type TunnelInFolder = {
  folder: string;
  gateway: FakeGateway;
  tunnel: TunnelPorts;
  /** The warnings that the owner saw. */
  warnings: string[];
  /** Transactions that the packet filter received. */
  transactions: string[];
};

/** A box's side of a tunnel in a folder of its own, with a gateway to talk to; gone when the test is over. */
export async function tunnelInFolder(t: { after(end: () => unknown): void }): Promise<TunnelInFolder> {
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-tunnel-'));
  const gateway = await startFakeGateway();
  const warnings: string[] = [];
  const transactions: string[] = [];
  t.after(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const tunnel: TunnelPorts = {
    files: makeTunnelFiles(folder),
    client: makeGatewayClient,
    networkFacts: () => ({ interfaces: [], routes: '', resolvers: '' }),
    packetFilter: {
      async apply(transaction) {
        transactions.push(transaction);
        return transaction.startsWith('list ') ? 'drop\n' : '';
      },
    },
    wireGuard: {
      interfaceWith: () => null,
      peer: async () => ({ gatewayAddress: '10.8.0.1', handshakeAt: null }),
      answers: async () => false,
      takeDown: async () => true,
    },
    now: () => new Date('2026-01-02T03:04:05Z'),
    warn: (text) => warnings.push(text),
  };
  return { folder, gateway, tunnel, warnings, transactions };
}
