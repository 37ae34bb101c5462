import { setTimeout } from 'node:timers/promises';
import { changeLine } from '../lib/journal.ts';
import { logLine } from '../lib/log-line.ts';
import { openRouteFiles } from './adapters/traefik/traefik-files.ts';
import { makeTunnelManager } from './adapters/wg-easy/tunnel-manager.ts';
import { makeHeartbeats } from './boxes/heartbeats.ts';
import { makeRefusedTokens } from './boxes/refused-tokens.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { GatewayPorts, Store } from './ports.ts';
import { makeRouteFileSync } from './routes/route-file-sync.ts';
import { makeInvalidFileReports } from './routes/unmanaged-files.ts';
import { makeRegistrationGuard } from './rules/registration-guard.ts';

/** A gateway from its store and settings. */
export async function makeGateway(store: Store, settings: GatewaySettings) {
  const { tunnelUrl: url, tunnelUsername: username, tunnelPassword: password, tunnelNetwork: network } = settings;
  const ports: GatewayPorts = {
    store,
    tunnelManager: makeTunnelManager({ url, username, password, network, store }),
    routeFiles: await openRouteFiles(settings.routesDir, store.id),
    now: Date.now,
    // A timer alone does not keep the process running; requests that wait have a connection that does.
    pause: (ms) => setTimeout(ms, undefined, { ref: false }),
    warn: logLine,
    journal: (entry) => logLine(changeLine(entry)),
  };
  return {
    ...settings,
    ...ports,
    routeFileSync: makeRouteFileSync(ports, settings, makeInvalidFileReports(ports)),
    heartbeats: makeHeartbeats(ports),
    guard: makeRegistrationGuard(),
    refusedTokens: makeRefusedTokens(ports),
  };
}
