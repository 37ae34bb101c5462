import { probeHost } from '../../lib/network/probe-host.ts';
import type { Health } from '../updater-ports.ts';

const answerMs = 3000;

/** Asks a server for its root page: the header `Server` of every answer names the version. choice/box/365 */
export function makeHealth(): Health {
  return {
    async ask(address) {
      const host = URL.parse(address)?.host ?? '';
      const { problem, server, status } = await probeHost(address, host, { timeoutMs: answerMs });
      return problem === null ? { status, server } : { problem };
    },
  };
}
