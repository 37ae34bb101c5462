import type { components } from '../gateway/api.gen.ts';
import { isJsonObject, parseJson } from '../lib/json.ts';
import { boundedBytes } from '../lib/network/bounded-bytes.ts';
import { clockHint } from '../lib/network/clock-hint.ts';
import { trustSystemCertificates } from '../lib/network/system-certificates.ts';
import { isRegisterResult, isRotateResult, isRoute, isRouteList, wordsOf } from './answers.ts';

export type RegisterResult = components['schemas']['RegisterResult'];
export type Route = components['schemas']['PublishedRoute'];
export type PublishRequest = components['schemas']['PublishRequest'];

export type BoxIdentity = { boxId: string; boxToken: string };

export type GatewayClient = ReturnType<typeof makeGatewayClient>;

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

/** Far more than the longest list that the usual limits of a gateway allow. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * The gateway's API for a box. A method succeeds, or throws GatewayRefused or GatewayLost.
 * @param gateway - its URL, which may have a path if a proxy serves the API under one
 */
export function makeGatewayClient(gateway: string) {
  if (gateway.startsWith('https:')) trustSystemCertificates();
  const ask = <Body>(method: Method, path: string, isBody: (data: unknown) => data is Body, more: More = {}) =>
    askGateway(gateway, method, path, isBody, more);
  const ofBox = ({ boxId }: BoxIdentity, operation: string) => `/v1/boxes/${encodeURIComponent(boxId)}/${operation}`;
  return {
    register(registrationToken: string, boxName: string) {
      const body = { registration_token: registrationToken, box_name: boxName };
      return ask('POST', '/v1/boxes/register', isRegisterResult, { body, success: 201 });
    },
    /** @param bootId - tells two machines with one token apart */
    async heartbeat(box: BoxIdentity, bootId = '') {
      await ask('POST', ofBox(box, 'heartbeat'), isJsonObject, { box, headers: { 'Boxgate-Boot': bootId } });
    },
    async rotateToken(box: BoxIdentity) {
      return (await ask('POST', ofBox(box, 'rotate-token'), isRotateResult, { box })).box_token;
    },
    async deregister(box: BoxIdentity) {
      await ask('POST', ofBox(box, 'deregister'), isJsonObject, { box });
    },
    async listRoutes(box: BoxIdentity) {
      return (await ask('GET', '/v1/routes', isRouteList, { box })).routes;
    },
    publish: (box: BoxIdentity, route: PublishRequest) =>
      ask('POST', '/v1/routes', isRoute, { box, body: route, success: 201 }),
    async unpublish(box: BoxIdentity, routeId: string) {
      await ask('DELETE', `/v1/routes/${encodeURIComponent(routeId)}`, isJsonObject, { box, mayLack: true });
    },
  };
}

type Method = 'GET' | 'POST' | 'DELETE';

type More = {
  box?: BoxIdentity;
  headers?: Record<string, string>;
  body?: object;
  /** The status of a success. */
  success?: 201;
  /** Whether the gateway answers 404 for a route that it does not have. */
  mayLack?: true;
};

async function askGateway<Body>(
  gateway: string,
  method: Method,
  path: string,
  isBody: (data: unknown) => data is Body,
  more: More,
): Promise<Body> {
  const { box, success, mayLack } = more;
  const { response, text } = await send(gateway, method, path, more);
  const { ok, status } = response;
  if (isRedirect(response)) throw noGateway(gateway, redirectOf(gateway, response));
  const data = parseJson(text);
  if (!isJsonObject(data)) throw unlike(gateway, status);
  if (ok && isBody(data)) return data;
  const isForeign =
    (status === 404 && !mayLack) || status === 405 || (ok && success !== undefined && status !== success);
  if (isForeign) throw noGateway(gateway, `it answered ${status}`);
  const words = ok ? null : wordsOf(data);
  if (words === null) throw ok ? withoutBody(gateway, status) : unlike(gateway, status);
  throw new GatewayRefused(status, status === 401 && box !== undefined ? `${words}: ${unknownBox}` : words);
}

/** The text is empty for a redirect: one that is followed could send the token to another host. */
async function send(gateway: string, method: Method, path: string, { box, headers, body }: More) {
  try {
    const response = await fetch(`${gateway}${path}`, {
      method,
      headers: {
        ...(box === undefined ? {} : { Authorization: `Bearer ${box.boxToken}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    });
    const bytes = await boundedBytes(isRedirect(response) ? null : response.body, maxAnswerBytes);
    if (bytes === null) throw new Error(`an answer of more than ${maxAnswerBytes} bytes`);
    return { response, text: new TextDecoder().decode(bytes) };
  } catch (cause) {
    const reason = reasonOf(cause as Error);
    throw new GatewayLost(`no answer from ${gateway}: ${reason}${clockHint(reason)}`, !notDone.test(reason), cause);
  }
}

const isRedirect = ({ status }: Response) => status >= 300 && status < 400;

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
