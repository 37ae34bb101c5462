import type { GatewayEnvironment } from '../../../fakes/gateway-environment.ts';
import type { ClientView } from '../../../fakes/wg-easy/conditions.ts';
import type { Exchange } from '../../kernel/exchange.ts';
import { CheckFailed, record, status } from '../../kernel/expect.ts';
import type { Held } from '../../run/check-run.ts';
import { hideSecrets, idOfRoute, learnBox } from './results.ts';

/** What a check of the gateway holds in its hands. */
export type Gateway = Held<GatewayEnvironment> & {
  /** Asks for a registration: a right one, but for the given fields; undefined leaves one out. */
  register: (fields?: Record<string, unknown>) => Promise<Exchange>;
  /** Registers a box, which has to succeed. */
  box: (name?: string) => Promise<LiveBox>;
  heartbeat: (box: Caller) => Promise<Exchange>;
  rotate: (box: Caller) => Promise<Exchange>;
  deregister: (box: Caller) => Promise<Exchange>;
  list: (box: Caller) => Promise<Exchange>;
  /** The routes of a box, oldest first where the implementation keeps that order. */
  routes: (box: Caller) => Promise<Record<string, unknown>[]>;
  /** Asks for a route: a right one under a fresh subdomain, but for the given fields. */
  publish: (box: Caller, fields?: Record<string, unknown>) => Promise<Exchange>;
  /** Publishes a route, which has to succeed. */
  route: (box: Caller, fields?: Partial<Asked>) => Promise<LiveRoute>;
  unpublish: (box: Caller, routeId: string) => Promise<Exchange>;
  /** A subdomain that nobody has. */
  label: () => string;
};

/** Who asks: the box that a path names, and a token. */
export type Caller = { id: string; token: string };

export type LiveBox = Caller & {
  name: string;
  answer: Exchange;
  /** The peer that the manager got with the registration; only where no other box registers meanwhile. */
  peer: () => ClientView;
};

export type Asked = { app_name: string; subdomain: string; port: number };
export type LiveRoute = Asked & { id: string; host: string; answer: Exchange };

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

let labels = 0;

export function holdGateway(held: Held<GatewayEnvironment>): Gateway {
  const { world, get, post, request } = held;
  for (const secret of [world.registrationToken, world.manager.password]) held.hide(secret);

  const act = (action: string) => (box: Caller) =>
    post(`/v1/boxes/${box.id}/${action}`, undefined, bearer(box.token));
  const label = () => `berth-${process.pid.toString(36)}-${(labels++).toString(36)}`;
  const gateway: Gateway = {
    ...held,
    register: async (fields = {}) => {
      const body = { registration_token: world.registrationToken, box_name: 'Sørens bøx', ...fields };
      const answer = await post('/v1/boxes/register', body);
      hideSecrets(held.hide, answer.json);
      return answer;
    },
    box: async (name = 'Sørens bøx') => {
      const before = new Set(world.manager.clients().map((client) => client.id));
      const answer = await gateway.register({ box_name: name });
      status(answer, 201);
      const added = world.manager.clients().filter((client) => !before.has(client.id));
      const learned = await learnBox(gateway, record(answer));
      return { ...learned, name, answer, peer: () => onlyPeer(added) };
    },
    heartbeat: act('heartbeat'),
    rotate: async (box) => {
      const answer = await act('rotate-token')(box);
      const { box_token: token } = answer.status === 200 ? record(answer) : {};
      if (typeof token === 'string') held.hide(token);
      return answer;
    },
    deregister: act('deregister'),
    list: (box) => get('/v1/routes', bearer(box.token)),
    routes: async (box) => {
      const answer = await gateway.list(box);
      status(answer, 200);
      return record(answer).routes as Record<string, unknown>[];
    },
    publish: (box, fields = {}) =>
      post(
        '/v1/routes',
        { app_name: 'lantern', subdomain: label(), port: 3000, ...fields },
        bearer(box.token),
      ),
    route: async (box, fields = {}) => {
      const asked = { app_name: 'lantern', subdomain: label(), port: 3000, ...fields };
      const answer = await gateway.publish(box, asked);
      status(answer, 201);
      return { ...asked, id: idOfRoute(record(answer)), host: `${asked.subdomain}.${world.domain}`, answer };
    },
    unpublish: (box, routeId) =>
      request({ method: 'DELETE', path: `/v1/routes/${routeId}`, headers: bearer(box.token) }),
    label,
  };
  return gateway;
}

function onlyPeer(added: ClientView[]): ClientView {
  const [peer] = added;
  if (peer === undefined || added.length > 1)
    throw new CheckFailed('a registration makes one peer at the tunnel manager', 1, added.length);
  return peer;
}
