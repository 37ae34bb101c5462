import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure } from '../../../kernel/expect.ts';
import { startExpectingExit } from '../../../kernel/process.ts';
import type { GatewayContext } from '../context.ts';

/** The codes with which a client of PostgreSQL begins: protocol 3.0 or 3.2, and requests for TLS or GSSAPI. */
const firstCodes = [196608, 196610, 80877103, 80877104];

/** A server that notes whether its clients speak PostgreSQL, and then closes their connections. */
async function openListener() {
  const firsts: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => {
      firsts.push(bytes);
      socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    wasAsked: () => firsts.some((bytes) => bytes.length >= 8 && firstCodes.includes(bytes.readUInt32BE(4))),
    close: () => server.close(),
  };
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/store/postgres',
    ['gateway/process/36'],
    'connects to the PostgreSQL server that GATEWAY_STORE names',
    async (gateway) => {
      const listener = await openListener();
      const secret = gateway.secret();
      const env = { GATEWAY_STORE: `postgres://somebody:${secret}@127.0.0.1:${listener.port}/boxes?sslmode=disable` };
      try {
        const ended = await startExpectingExit(gateway.start, { env }).catch(() => null);
        ensure(
          'the server is asked (a gateway without this store declares --without postgres)',
          listener.wasAsked(),
          ended,
        );
      } finally {
        listener.close();
      }
    },
    { timeoutMs: 60_000, needs: 'postgres' },
  ),
];
