import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = { status: number; body: object };

/** The gateway's API in memory. A test assigns to its fields to set its state and its failures. */
export type FakeGateway = {
  url: string;
  registrationToken: string;
  /** Box id to its token. */
  boxes: Map<string, string>;
  routes: {
    id: string;
    box_id: string;
    app_name: string;
    subdomain: string;
    port: number;
    host: string;
    access?: Record<string, unknown>;
  }[];
  /** Whether it knows access rules; an older gateway ignores them. */
  hasAccess: boolean;
  /** The hash of each published login, in order. */
  hashes: unknown[];
  /** The tunnel in the answer to a registration: the box's address, and the WireGuard configuration. */
  address: string;
  config: string;
  /** Method and path of requests that are executed, but whose connection is closed without an answer. */
  loseAnswerOf: string | null;
  /** A subdomain that another box has. */
  refuseSubdomain: string | null;
  /** The answer to every request; requests wait while it is a pending promise. */
  answerAll: Answer | Promise<Answer> | null;
  /** Called with method and path before a request is carried out. */
  before: (request: string) => void;
  close(): Promise<void>;
};

export async function startFakeGateway(): Promise<FakeGateway> {
  const server = createServer((request, response) => void serve(gateway, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const gateway: FakeGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    registrationToken: 'let me in',
    boxes: new Map(),
    routes: [],
    hasAccess: true,
    hashes: [],
    address: '10.8.0.2',
    config: wireGuardText(),
    loseAnswerOf: null,
    refuseSubdomain: null,
    answerAll: null,
    before: () => {},
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return gateway;
}

async function serve(gateway: FakeGateway, request: IncomingMessage, response: ServerResponse) {
  const asked = `${request.method} ${request.url}`;
  gateway.before(asked);
  const body = await textOf(request);
  const answer = (await gateway.answerAll) ?? answerTo(gateway, asked, request, body === '' ? {} : JSON.parse(body));
  if (gateway.loseAnswerOf !== null && asked.endsWith(gateway.loseAnswerOf)) {
    request.socket.destroy();
    return;
  }
  response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body));
}

function answerTo(
  gateway: FakeGateway,
  asked: string,
  { headers }: IncomingMessage,
  body: Record<string, unknown>,
): Answer {
  if (asked === 'POST /v1/boxes/register') return register(gateway, body);
  const token = headers.authorization?.replace('Bearer ', '');
  const boxId = [...gateway.boxes].find(([, good]) => good === token)?.[0];
  if (boxId === undefined) return refusal(401, 'invalid or expired box token');
  if (asked === 'GET /v1/routes') return { status: 200, body: { routes: gateway.routes } };
  if (asked === 'POST /v1/routes') return publish(gateway, boxId, body);
  if (asked.startsWith('DELETE ')) return unpublish(gateway, asked.slice('DELETE /v1/routes/'.length));
  const action = asked.slice(`POST /v1/boxes/${boxId}/`.length);
  if (action === 'deregister') gateway.boxes.delete(boxId);
  if (action !== 'rotate-token') return { status: 200, body: { status: 'ok' } };
  const rotated = `${token}+`;
  gateway.boxes.set(boxId, rotated);
  return { status: 200, body: { box_token: rotated } };
}

function register(gateway: FakeGateway, body: Record<string, unknown>): Answer {
  if (body.registration_token !== gateway.registrationToken) return refusal(401, 'invalid registration token');
  const boxId = `box_${gateway.boxes.size + 1}`;
  gateway.boxes.set(boxId, `token-of-${boxId}`);
  const { address, config } = gateway;
  const tunnel = { address, config };
  const made = {
    box_id: boxId,
    box_token: `token-of-${boxId}`,
    account_id: 'acc_1',
    box_name: body.box_name,
  };
  return { status: 201, body: { ...made, tunnel } };
}

function publish(gateway: FakeGateway, boxId: string, body: Record<string, unknown>): Answer {
  const subdomain = String(body.subdomain);
  const { password_hash: hash, ...access } = Object(gateway.hasAccess ? body.access : undefined);
  const rules = gateway.hasAccess && body.access !== undefined ? { access } : {};
  if (hash !== undefined) gateway.hashes.push(hash);
  const own = gateway.routes.find((one) => one.subdomain === subdomain && one.app_name === body.app_name);
  if (own !== undefined && own.port === body.port && 'access' in rules)
    return { status: 201, body: Object.assign(own, rules) };
  const isTaken = subdomain === gateway.refuseSubdomain || gateway.routes.some((one) => one.subdomain === subdomain);
  if (isTaken) return refusal(409, 'subdomain already in use');
  const host = `${subdomain}.example.test`;
  const id = `rt_${1 + Math.max(0, ...gateway.routes.map((one) => Number(one.id.slice('rt_'.length))))}`;
  const route = {
    id,
    box_id: boxId,
    app_name: String(body.app_name),
    subdomain,
    port: Number(body.port),
    host,
    ...rules,
  };
  gateway.routes.push(route);
  return { status: 201, body: { ...route, account_id: 'acc_1', url: `https://${host}` } };
}

function unpublish(gateway: FakeGateway, id: string): Answer {
  const at = gateway.routes.findIndex((route) => route.id === id);
  if (at === -1) return refusal(404, 'route not found');
  gateway.routes.splice(at, 1);
  return { status: 200, body: { status: 'ok' } };
}

function refusal(status: number, error: string): Answer {
  return { status, body: { error } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** A WireGuard configuration as the tunnel manager writes it, with new keys. */
function wireGuardText(): string {
  const key = () =>
    Buffer.from(generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString(
      'base64',
    );
  return [
    '[Interface]',
    `PrivateKey = ${key()}`,
    'Address = 10.8.0.2/24',
    'DNS = 1.1.1.1',
    '',
    '[Peer]',
    `PublicKey = ${key()}`,
    `PresharedKey = ${key()}`,
    'AllowedIPs = 0.0.0.0/0, ::/0',
    'PersistentKeepalive = 0',
    'Endpoint = vpn.example.test:51820',
  ].join('\n');
}
