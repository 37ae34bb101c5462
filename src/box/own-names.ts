import { hostname, networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { readTunnelAddresses } from './addresses/adapters/tunnel-addresses.ts';
import type { BoxSettings } from './box-settings.ts';
import type { EngineBox } from './engine/ports.ts';

/** The names under which a server of this box may be asked. */
export function ownNames({ allowedHosts, port, stateDir }: BoxSettings, { https }: Pick<EngineBox, 'https'>) {
  return {
    machineName: hostname(),
    /** The domain of `boxgate box https` is read on each use, because that command changes it. */
    get allowedHosts() {
      const setting = https.setting();
      return setting === null ? allowedHosts : [...allowedHosts, setting.domain];
    },
    port,
    /** Read on each use, because a machine's addresses change while it runs. */
    get addresses() {
      return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
    },
    get tunnelAddresses() {
      return readTunnelAddresses(resolve(stateDir));
    },
  };
}

export function onFirstUse<Made>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
