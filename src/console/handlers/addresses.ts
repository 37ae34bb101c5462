import type { BoxPorts } from '../../box/ports.ts';
import type { ConsoleHandlers } from '../service.ts';

export function addressesHandlers({
  addresses,
}: Pick<BoxPorts, 'addresses'>): Pick<
  ConsoleHandlers,
  'showTunnel' | 'listAppAddresses' | 'joinGateway' | 'publishApp' | 'withdrawRoute'
> {
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
    listAppAddresses: async ({ name }) => {
      const routes = await addresses.ofApp(name);
      return { status: 200 as const, body: { is_joined: routes !== null, routes: routes ?? [] } };
    },
    publishApp: async ({ app, subdomain, port = 0, login = '', allow = '', open_paths: openPaths = '' }) => {
      const rules = { login: login || null, allow: allow || null, openPaths: openPaths || null };
      return { status: 200 as const, body: await addresses.publish({ app, subdomain, port: port || null, ...rules }) };
    },
    withdrawRoute: async ({ host }) => ({ status: 200 as const, body: await addresses.withdraw(host) }),
  };
}
