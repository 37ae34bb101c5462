import type { PublicAddresses } from '../../box/public-addresses.ts';
import type { ConsoleHandlers } from '../service.ts';

export function addressesHandlers(
  addresses: PublicAddresses,
): Pick<ConsoleHandlers, 'showTunnel' | 'joinGateway' | 'publishApp' | 'withdrawRoute'> {
  return {
    showTunnel: async () => {
      const shown = await addresses.show();
      const { gateway = '', boxName = '', works = false, handshakeAt = null, problems = [], routes = [] } = shown ?? {};
      const body = {
        is_joined: shown !== null,
        ...{ gateway, box_name: boxName, works, handshake_at: handshakeAt, problems, routes },
      };
      return { status: 200 as const, body };
    },
    joinGateway: async (request) => ({ status: 200 as const, body: await addresses.join(request) }),
    publishApp: async ({ app, subdomain }) => ({ status: 200 as const, body: await addresses.publish(app, subdomain) }),
    withdrawRoute: async ({ host }) => ({ status: 200 as const, body: await addresses.withdraw(host) }),
  };
}
