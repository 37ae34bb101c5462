/**
 * A named fault of a gateway: what a proxy before a right one changes about its settings, its requests or its answers,
 * and the check that has to notice.
 */
export type Fault = {
  name: string;
  /** The id of a check that fails because of it. */
  kills: string;
  /** Other settings than those that the gateway was given; undefined takes one away. */
  settings?: (given: Record<string, string | undefined>) => Record<string, string | undefined>;
  /** Changes a request on its way in, or answers it. */
  ask?: (call: Call, memory: Memory) => Answer | null;
  /** Changes an answer on its way out. */
  answer?: (answer: Answer, call: Call, memory: Memory) => void;
  /** What happens to the process itself. */
  process?:
    | 'logs'
    | 'talks'
    | 'ends-with-1'
    | 'kills-on-signal'
    | 'ignores-host'
    | 'closes-late'
    | 'side-by-side';
};

export type Call = {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The body as JSON where it is an object, else null; what is put here is sent. */
  json: Record<string, unknown> | null;
  body: Buffer;
  /** The path and the body as they came. */
  original: { path: string; text: string };
};

export type Answer = { status: number; headers: Record<string, string>; json: unknown };

/** What a fault may remember of the traffic before. */
export type Memory = {
  registrationToken: string;
  routesDir: string;
  stateDir: string;
  /** Box ids by token, and tokens in the order of their issue. */
  boxes: Map<string, string>;
  /** The latest token of a token that was replaced. */
  renewed: Map<string, string>;
  removed: Set<string>;
  routes: { token: string; route: Record<string, unknown> }[];
  repeat: (call: Call) => Promise<Answer>;
};

export const tokenOf = (call: Call) => /^Bearer +(\S.*)$/i.exec(call.headers.authorization ?? '')?.[1] ?? '';

export const isRegister = (call: Call) => call.method === 'POST' && call.path === '/v1/boxes/register';
export const isPublish = (call: Call) => call.method === 'POST' && call.path === '/v1/routes';
export const isList = (call: Call) => call.method === 'GET' && call.path === '/v1/routes';
export const isUnpublish = (call: Call) => call.method === 'DELETE' && call.path.startsWith('/v1/routes/');
export const isAction = (call: Call, action: string) =>
  call.method === 'POST' && call.path.startsWith('/v1/boxes/') && call.path.endsWith(`/${action}`);

export const made = (status: number, json: unknown): Answer => ({ status, headers: {}, json });
