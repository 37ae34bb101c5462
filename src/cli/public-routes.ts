import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PublicRoutes } from '../box/ports.ts';
import { shownName } from '../lib/shown-text.ts';

/** Time limit for the gateway when an app is removed. */
const limitMs = 10_000;

/** The public routes of a box that may have joined a gateway: `boxgate tunnel publish` made them. */
export function makePublicRoutes(stateDir: string, withinMs = limitMs): PublicRoutes {
  return {
    async withdrawRemoved() {
      if (!existsSync(join(stateDir, 'tunnel-ports.json'))) return [];
      const { withdrawRemoved } = await import('../tunnel/withdraw.ts');
      const { makeTunnel } = await import('./make-tunnel.ts');
      const over = new AbortController();
      const late = pause(withinMs, null, { signal: over.signal, ref: false }).then(() => {
        throw new Error(`it takes longer than ${withinMs / 1000} s`);
      });
      try {
        const hosts = await Promise.race([withdrawRemoved(makeTunnel(stateDir)), late]);
        return hosts.map((host) => `${shownName(host)} is not published any more: its app was removed`);
      } catch (error) {
        const reason = shownName((error as Error).message);
        return [
          `the public route of a removed app is not withdrawn yet: ${reason}; boxgate-heartbeat.timer tries again`,
        ];
      } finally {
        late.catch(() => undefined);
        over.abort();
      }
    },
  };
}
