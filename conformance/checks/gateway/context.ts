import type { GatewayEnvironment } from '../../../fakes/gateway-environment.ts';
import type { ClientView } from '../../../fakes/wg-easy/conditions.ts';
import type { CheckContext } from '../../kernel/context.ts';
import { bearer, type Exchange } from '../../kernel/exchange.ts';
import { CheckFailed, record, status } from '../../kernel/expect.ts';

import { type Caller, findRouteId, hideSecrets, learnBox, shownId } from './results.ts';

export type { Caller } from './results.ts';

/** The context of a gateway's check. */
export type GatewayContext = CheckContext<GatewayEnvironment> & {
  /** Sends a valid registration in which the given fields are replaced. `undefined` omits a field. */
  register: (fields?: Record<string, unknown>) => Promise<Exchange>;
  /** Registers a box. Fails if the registration does. */
  box: (name?: string) => Promise<LiveBox>;
  heartbeat: (box: Caller) => Promise<Exchange>;
  rotate: (box: Caller) => Promise<Exchange>;
  deregister: (box: Caller) => Promise<Exchange>;
  list: (box: Caller) => Promise<Exchange>;
  /** The routes of a box, oldest first if the implementation keeps that order. */
  routes: (box: Caller) => Promise<Record<string, unknown>[]>;
  /** Sends a valid publication with a new subdomain, in which the given fields are replaced. */
  publish: (box: Caller, fields?: Record<string, unknown>) => Promise<Exchange>;
  /** Publishes a route. Fails if the publication does. */
  route: (box: Caller, fields?: Partial<RouteRequest>) => Promise<LiveRoute>;
  unpublish: (box: Caller, routeId: string) => Promise<Exchange>;
  /** Returns a subdomain that was never used. */
  label: () => string;
};

export type LiveBox = Caller & {
  name: string;
  answer: Exchange;
  /** The peer that the registration created. Only valid if no other box registers at the same time. */
  peer: () => ClientView;
};

export type RouteRequest = { app_name: string; subdomain: string; port: number };
export type LiveRoute = RouteRequest & {
  /** Not applicable if the implementation shows none. */
  readonly id: string;
  host: string;
  answer: Exchange;
};

let labels = 0;

export function openGatewayContext(held: CheckContext<GatewayEnvironment>): GatewayContext {
  const { environment, get, post, request } = held;
  for (const secret of [environment.registrationToken, environment.manager.password]) held.hide(secret);

  const act = (action: string) => (box: Caller) => post(`/v1/boxes/${box.id}/${action}`, undefined, bearer(box.token));
  const label = () => `berth-${process.pid.toString(36)}-${(labels++).toString(36)}`;
  const gateway: GatewayContext = {
    ...held,
    register: async (fields = {}) => {
      const body = { registration_token: environment.registrationToken, box_name: 'Sørens bøx', ...fields };
      const answer = await post('/v1/boxes/register', body);
      hideSecrets(held.hide, answer.json);
      return answer;
    },
    box: async (name = 'Sørens bøx') => {
      const before = new Set(environment.manager.clients().map((client) => client.id));
      const answer = await gateway.register({ box_name: name });
      status(answer, 201);
      const added = environment.manager.clients().filter((client) => !before.has(client.id));
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
      post('/v1/routes', { app_name: 'lantern', subdomain: label(), port: 3000, ...fields }, bearer(box.token)),
    route: async (box, fields = {}) => {
      const asked = { app_name: 'lantern', subdomain: label(), port: 3000, ...fields };
      const answer = await gateway.publish(box, asked);
      status(answer, 201);
      const id = await findRouteId(gateway, box, { result: record(answer), subdomain: asked.subdomain });
      return {
        ...asked,
        get id() {
          return shownId(id);
        },
        host: `${asked.subdomain}.${environment.domain}`,
        answer,
      };
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
