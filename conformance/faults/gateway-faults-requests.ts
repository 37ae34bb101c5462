import { type Fault, isAction, isPublish, made, tokenOf } from './fault.ts';
import { changePath } from './gateway-fault.ts';

/** What a gateway makes of paths, methods, bodies and tokens before it looks further. */
export const requestFaults: Fault[] = [
  {
    name: 'array-body-is-its-first-element',
    kills: 'gateway/body/not-an-object',
    ask: (call) => {
      if (call.original.text.startsWith('[{')) call.body = Buffer.from(call.original.text.slice(1, -1));
      return null;
    },
  },
  {
    name: 'text-after-json-ignored',
    kills: 'gateway/body/invalid-json',
    ask: (call) => {
      call.body = Buffer.from(call.original.text.replace(/\}[^}]*$/, '}'));
      return null;
    },
  },
  {
    name: 'empty-body-is-malformed',
    kills: 'gateway/body/empty',
    ask: (call) => (isPublish(call) && call.body.length === 0 ? made(400, { error: 'malformed body' }) : null),
  },
  {
    name: 'body-asked-for-by-a-heartbeat',
    kills: 'gateway/heartbeatBox/no-body',
    ask: (call) => (isAction(call, 'heartbeat') && call.json === null ? made(400, { error: 'no body' }) : null),
  },
  { name: 'final-slash-ignored', kills: 'gateway/http/empty-segments', ...changePath((path) => path.replace(/(.)\/$/, '$1')) },
  { name: 'paths-without-case', kills: 'gateway/http/unknown-paths', ...changePath((path) => (/^\/healthz$/i.test(path) ? '/healthz' : path)) },
  { name: 'version-left-out', kills: 'gateway/http/unknown-paths', ...changePath((path) => (path === '/routes' ? '/v1/routes' : path)) },
  { name: 'health-has-a-version', kills: 'gateway/http/unknown-paths', ...changePath((path) => (path === '/v1/healthz' ? '/healthz' : path)) },
  { name: 'path-decoded', kills: 'gateway/http/not-decoded', ...changePath((path) => decodeURIComponent(path)) },
  { name: 'double-slash-is-one', kills: 'gateway/http/not-decoded', ...changePath((path) => path.replaceAll('//', '/')) },
  { name: 'final-slash-of-the-list-ignored', kills: 'gateway/http/unknown-paths', ...changePath((path) => (path === '/v1/routes/' ? '/v1/routes' : path)) },
  {
    name: 'length-asked-for',
    kills: 'gateway/body/empty',
    ask: ({ method, headers }) =>
      method === 'POST' && headers['content-length'] === undefined ? made(411, { error: 'length required' }) : null,
  },
  {
    name: 'form-is-an-object',
    kills: 'gateway/body/invalid-json',
    ask: (call, memory) => {
      const form = new URLSearchParams(call.original.text);
      if (form.get('registration_token') === memory.registrationToken) call.json = Object.fromEntries(form);
      return null;
    },
  },
  {
    name: 'put-publishes',
    kills: 'gateway/http/other-methods',
    ask: (call) => {
      if (call.method === 'PUT') call.method = 'POST';
      return null;
    },
  },
  {
    name: 'head-is-get',
    kills: 'gateway/http/head',
    ask: (call) => (call.method === 'HEAD' ? made(200, { status: 'ok' }) : null),
  },
  {
    name: 'any-scheme',
    kills: 'gateway/authentication/other-scheme-2',
    ask: (call) => {
      if (call.headers.authorization !== undefined)
        call.headers.authorization = call.headers.authorization.replace(/^\S+ /, 'Bearer ');
      return null;
    },
  },
  {
    name: 'token-in-the-query',
    kills: 'gateway/authentication/nowhere-else',
    ask: (call) => {
      const token = /[?&]token=([^&]+)/.exec(call.path)?.[1];
      if (token !== undefined) call.headers.authorization ??= `Bearer ${token}`;
      return null;
    },
  },
  {
    name: 'token-without-case',
    kills: 'gateway/authentication/nearly',
    ask: (call, memory) => {
      const found = [...memory.boxes.keys()].find((token) => token.toLowerCase() === tokenOf(call).toLowerCase());
      if (found !== undefined) call.headers.authorization = `Bearer ${found}`;
      return null;
    },
  },
  {
    name: 'last-character-of-a-token-ignored',
    kills: 'gateway/authentication/nearly',
    ask: (call, memory) => {
      const found = [...memory.boxes.keys()].find((token) => tokenOf(call).startsWith(token.slice(0, -1)));
      if (found !== undefined) call.headers.authorization = `Bearer ${found}`;
      return null;
    },
  },
  {
    name: 'any-token-for-any-box',
    kills: 'gateway/authentication/other-box',
    ask: (call, memory) => {
      const own = memory.boxes.get(tokenOf(call));
      if (own !== undefined) call.path = call.path.replace(/^\/v1\/boxes\/[^/]+\//, `/v1/boxes/${own}/`);
      return null;
    },
  },
  {
    name: 'old-token-lives-on',
    kills: 'gateway/rotateBoxToken/old-token',
    ask: (call, memory) => {
      let token = tokenOf(call);
      while (memory.renewed.has(token)) token = memory.renewed.get(token) ?? '';
      if (token !== '') call.headers.authorization = `Bearer ${token}`;
      return null;
    },
  },
  {
    name: 'rotation-changes-nothing',
    kills: 'gateway/rotateBoxToken/ok',
    ask: (call, memory) =>
      isAction(call, 'rotate-token') && memory.boxes.has(tokenOf(call)) ? made(200, { box_token: tokenOf(call) }) : null,
  },
]; // biome-ignore format: a table
