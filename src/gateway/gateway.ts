import type { Heartbeats } from './boxes/heartbeats.ts';
import type { RefusedTokens } from './boxes/refused-tokens.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { GatewayPorts } from './ports.ts';
import type { RouteFileSync } from './routes/route-file-sync.ts';
import type { RegistrationGuard } from './rules/registration-guard.ts';

type Terms = 'mode' | 'boxToken' | 'boxLimit' | 'routeLimit' | 'reservedSubdomains' | 'domain';

/** What the use cases share. */
export type Gateway = GatewayPorts &
  Pick<GatewaySettings, Terms> & {
    guard: RegistrationGuard;
    refusedTokens: RefusedTokens;
    routeFileSync: RouteFileSync;
    heartbeats: Heartbeats;
  };
