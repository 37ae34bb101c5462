import createClient from 'openapi-fetch';
import type { components, paths } from '../gateway/api.gen.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import { clockHint } from '../lib/network/clock-hint.ts';
import { bounded, isRegisterResult, isRotateResult, isRoute, isRouteList, wordsOf } from './answers.ts';

export type RegisterResult = components['schemas']['RegisterResult'];
export type Route = components['schemas']['PublishedRoute'];
export type RouteAccess = NonNullable<PublishRequest['access']>;
export type PublishRequest = components['schemas']['PublishRequest'];

export type BoxIdentity = { boxId: string; boxToken: string };

/** The gateway's API for a box. A method succeeds, or throws GatewayRefused or GatewayLost. */
export type GatewayClient = {
  register(registrationToken: string, boxName: string): Promise<RegisterResult>;
  /** @param bootId - tells two machines with one token apart */
  heartbeat(box: BoxIdentity, bootId?: string): Promise<void>;
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

/** Codes of errors that occur before a request is sent, or because no HTTP server answers. */
const notDone =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|bad port|UNABLE_TO_.*|.*CERT.*|ERR_TLS_.*|ERR_SSL_.*|it speaks no HTTP)$/;

/** A gateway's success that was damaged, or a proxy whose gateway ended the connection or took too long (or 520 to 529). */
const mayHideGateway = (status: number) => [201, 500, 502, 504].includes(status) || status >= 520;

/** A registration may take the gateway 25 s. */
const answerMs = 30_000;

/** @param gateway - its URL, which may have a path if a proxy serves the API under one */
export function makeGatewayClient(gateway: string): GatewayClient {
  const api = createClient<paths>({
    baseUrl: gateway,
    // A redirect that is followed could send the token to another host.
    fetch: async (request) =>
      answerOfGateway(gateway, await fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) })),
  });
  const answer = <Body>(asked: Promise<Answer>, isBody: (data: unknown) => data is Body, expected?: Expected) =>
    answerOf(gateway, asked, isBody, expected);
  return {
    register: (registrationToken, boxName) =>
      answer(
        api.POST('/v1/boxes/register', { body: { registration_token: registrationToken, box_name: boxName } }),
        isRegisterResult,
        { success: 201, hasToken: false },
      ),
    async heartbeat(box, bootId = '') {
      const { headers, params } = forBox(box);
      const options = { params, headers: { ...headers, 'Boxgate-Boot': bootId } };
      await answer(api.POST('/v1/boxes/{box_id}/heartbeat', options), isJsonObject);
    },
    async rotateToken(box) {
      const { box_token: token } = await answer(
        api.POST('/v1/boxes/{box_id}/rotate-token', forBox(box)),
        isRotateResult,
      );
      return token;
    },
    async deregister(box) {
      await answer(api.POST('/v1/boxes/{box_id}/deregister', forBox(box)), isJsonObject);
    },
    async listRoutes(box) {
      const { routes } = await answer(api.GET('/v1/routes', { headers: bearer(box) }), isRouteList);
      return routes;
    },
    publish: (box, route) =>
      answer(api.POST('/v1/routes', { headers: bearer(box), body: route }), isRoute, { success: 201 }),
    async unpublish(box, routeId) {
      const path = { route_id: routeId };
      await answer(api.DELETE('/v1/routes/{route_id}', { headers: bearer(box), params: { path } }), isJsonObject, {
        mayLack: true,
      });
    },
  };
}

function bearer({ boxToken }: BoxIdentity) {
  return { Authorization: `Bearer ${boxToken}` };
}

function forBox(box: BoxIdentity) {
  return { headers: bearer(box), params: { path: { box_id: box.boxId } } };
}

/** Returns the same answer, read to its end. Throws if a website, a proxy or a page with a challenge gave it. */
async function answerOfGateway(gateway: string, response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) throw noGateway(gateway, redirectOf(gateway, response));
  const text = await bounded(response).text();
  if (isJsonObject(parseJson(text))) return new Response(text, { status, headers });
  throw unlike(gateway, status);
}

/** An answer that is not of the API: of something else, or of a proxy before the gateway. */
function unlike(gateway: string, status: number): GatewayLost {
  if (mayHideGateway(status)) return withoutBody(gateway, status);
  return noGateway(gateway, `it answered ${status}, with no body of the gateway's API`);
}

function withoutBody(gateway: string, status: number): GatewayLost {
  return new GatewayLost(`${gateway} answered ${status} without a body of the gateway's API`, true);
}

function noGateway(gateway: string, found: string): GatewayLost {
  return new GatewayLost(`no gateway answers at ${gateway}: ${found}`, false);
}

/** Shows a redirect's target without its query, which may be secret, and without the path that was asked for. */
function redirectOf(gateway: string, { status, headers }: Response): string {
  const target = URL.parse(headers.get('location') ?? '', gateway);
  if (target === null || !/^https?:$/.test(target.protocol)) return `it answered ${status}, a redirect to no address`;
  const address = `${target.origin}${target.pathname}`.replace(/\/(?:v1\/.*)?$/, '').slice(0, 200);
  return `it leads to ${address} (${status}); if the gateway is there, use that address`;
}

type Answer = { data?: unknown; error?: unknown; response: Response };

type Expected = {
  /** The status of a success. */
  success?: 201;
  /** Whether the gateway answers 404 for a route that it does not have. */
  mayLack?: true;
  /** Whether a 401 is about the box's token. */
  hasToken?: false;
};

async function answerOf<Body>(
  gateway: string,
  asked: Promise<Answer>,
  isBody: (data: unknown) => data is Body,
  { success, mayLack, hasToken }: Expected = {},
): Promise<Body> {
  const { data, error, response } = await asked.catch((cause: Error) => {
    if (cause instanceof GatewayLost) throw cause;
    const reason = reasonOf(cause);
    throw new GatewayLost(`no answer from ${gateway}: ${reason}${clockHint(reason)}`, !notDone.test(reason), cause);
  });
  const { ok, status } = response;
  if (ok && isBody(data)) return data;
  const isForeign =
    (status === 404 && !mayLack) || status === 405 || (ok && success !== undefined && status !== success);
  if (isForeign) throw noGateway(gateway, `it answered ${status}`);
  const text = wordsOf(error);
  if (text === null) throw ok ? withoutBody(gateway, status) : unlike(gateway, status);
  throw new GatewayRefused(status, status === 401 && hasToken !== false ? `${text}: ${unknownBox}` : text);
}

/** What to do if the gateway refuses the box's token. */
const unknownBox =
  'this gateway does not know the box any more, because its operator removed it, or put back a store from before it joined ' +
  'or got a new token. Run `boxgate tunnel leave`, then `boxgate tunnel join`, and publish its apps again';

/** The reason of a failed `fetch`, which is the cause of its error. */
function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `it took longer than ${answerMs / 1000} s`;
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  if (cause?.name === 'HTTPParserError') return 'it speaks no HTTP';
  return cause?.code || cause?.message || error.message;
}
