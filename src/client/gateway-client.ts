import createClient from 'openapi-fetch';
import type { components, paths } from '../gateway/api.gen.ts';
import { bounded, isFields, isRegisterResult, isRotateResult, isRoute, isRouteList, wordsOf } from './answers.ts';

export type RegisterResult = components['schemas']['RegisterResult'];
export type Route = components['schemas']['PublishedRoute'];
export type RouteAccess = NonNullable<PublishRequest['access']>;
export type PublishRequest = components['schemas']['PublishRequest'];

export type BoxIdentity = { boxId: string; boxToken: string };

/** The gateway's API for a box. A method succeeds, or throws GatewayRefused or GatewayLost. */
export type GatewayClient = {
  register(registrationToken: string, boxName: string): Promise<RegisterResult>;
  heartbeat(box: BoxIdentity): Promise<void>;
  rotateToken(box: BoxIdentity): Promise<string>;
  deregister(box: BoxIdentity): Promise<void>;
  listRoutes(box: BoxIdentity): Promise<Route[]>;
  publish(box: BoxIdentity, route: PublishRequest): Promise<Route>;
  unpublish(box: BoxIdentity, routeId: string): Promise<void>;
};

/** The gateway refused the request. The message is the gateway's. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The gateway sent no valid answer. */
export class GatewayLost extends Error {
  override readonly name = 'GatewayLost';
  /** Whether the gateway may have carried out the request. `false` if no connection was established. */
  readonly maybeDone: boolean;

  constructor(message: string, maybeDone: boolean, cause?: unknown) {
    super(message, { cause });
    this.maybeDone = maybeDone;
  }
}

/** Whether the gateway may have carried out a request that failed: its answer is missing, or is a 500. */
export function mayBeDone(error: unknown): error is GatewayLost | GatewayRefused {
  return error instanceof GatewayRefused ? error.status === 500 : error instanceof GatewayLost && error.maybeDone;
}

/** Codes of errors that occur before a request is sent. */
const notSent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|bad port|UNABLE_TO_.*|.*CERT.*|ERR_TLS_.*|ERR_SSL_.*)$/;

/** A registration may take the gateway 25 s. */
const answerMs = 30_000;

/** @param gateway - its URL, which may have a path if a proxy serves the API under one */
export function makeGatewayClient(gateway: string): GatewayClient {
  const api = createClient<paths>({
    baseUrl: gateway,
    // A redirect could send the token to another host.
    fetch: async (request) =>
      bounded(await fetch(request, { redirect: 'error', signal: AbortSignal.timeout(answerMs) })),
  });
  return {
    register: (registrationToken, boxName) =>
      answerOf(
        gateway,
        api.POST('/v1/boxes/register', { body: { registration_token: registrationToken, box_name: boxName } }),
        isRegisterResult,
      ),
    async heartbeat(box) {
      await answerOf(gateway, api.POST('/v1/boxes/{box_id}/heartbeat', forBox(box)), isFields);
    },
    async rotateToken(box) {
      const { box_token: token } = await answerOf(
        gateway,
        api.POST('/v1/boxes/{box_id}/rotate-token', forBox(box)),
        isRotateResult,
      );
      return token;
    },
    async deregister(box) {
      await answerOf(gateway, api.POST('/v1/boxes/{box_id}/deregister', forBox(box)), isFields);
    },
    async listRoutes(box) {
      const { routes } = await answerOf(gateway, api.GET('/v1/routes', { headers: bearer(box) }), isRouteList);
      return routes;
    },
    publish: (box, route) => answerOf(gateway, api.POST('/v1/routes', { headers: bearer(box), body: route }), isRoute),
    async unpublish(box, routeId) {
      const path = { route_id: routeId };
      await answerOf(
        gateway,
        api.DELETE('/v1/routes/{route_id}', { headers: bearer(box), params: { path } }),
        isFields,
      );
    },
  };
}

function bearer({ boxToken }: BoxIdentity) {
  return { Authorization: `Bearer ${boxToken}` };
}

function forBox(box: BoxIdentity) {
  return { headers: bearer(box), params: { path: { box_id: box.boxId } } };
}

type Answer = { data?: unknown; error?: unknown; response: Response };

async function answerOf<Body>(
  gateway: string,
  asked: Promise<Answer>,
  isBody: (data: unknown) => data is Body,
): Promise<Body> {
  const { data, error, response } = await asked.catch((cause: Error) => {
    const reason = reasonOf(cause);
    throw new GatewayLost(`no answer from ${gateway}: ${reason}`, !notSent.test(reason), cause);
  });
  if (response.ok && isBody(data)) return data;
  const text = wordsOf(error);
  if (text !== null) throw new GatewayRefused(response.status, text);
  throw new GatewayLost(`${gateway} answered ${response.status} without a body of the gateway's API`, true);
}

/** The reason of a failed `fetch`, which is the cause of its error. */
function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `it took longer than ${answerMs / 1000} s`;
  if (error instanceof SyntaxError) return 'an answer that is no JSON'; // The parser's message would quote the answer.
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.code ?? cause?.message ?? error.message;
}
