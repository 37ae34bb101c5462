import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Answer,
  type Call,
  type Fault,
  isAction,
  isList,
  isPublish,
  isRegister,
  isUnpublish,
  type Memory,
  made,
  tokenOf,
} from './fault.ts';

type Json = Record<string, unknown>;

const setting = (name: string, change: (value: string | undefined) => string | undefined) => ({
  settings: (given: Record<string, string | undefined>) => ({ [name]: change(given[name]) }),
});

/** A limit that is moved, where one is given. */
const moved = (name: string, by: number) =>
  setting(name, (value) => (value === undefined ? value : String(Number(value) + by)));

const changeBody = (is: (call: Call) => boolean, change: (json: Json, memory: Memory) => void) => ({
  ask: (call: Call, memory: Memory) => {
    if (is(call) && call.json !== null) change(call.json, memory);
    return null;
  },
});

const changePath = (change: (path: string) => string) => ({
  ask: (call: Call) => {
    call.path = change(call.path);
    return null;
  },
});

const changeAnswer = (
  is: (call: Call, answer: Answer) => boolean,
  change: (answer: Answer, call: Call, memory: Memory) => void,
) => ({
  answer: (answer: Answer, call: Call, memory: Memory) => {
    if (is(call, answer)) change(answer, call, memory);
  },
});

const errorOf = (answer: Answer) => (answer.json as { error?: string } | undefined)?.error ?? '';

/** One fixed text that is not quite itself. */
const wrongText = (name: string, text: string, kills: string): Fault => ({
  name: `text-${name}`,
  kills,
  ...changeAnswer(
    (_call, answer) => errorOf(answer) === text,
    (answer) => {
      answer.json = { error: `${text}.` };
    },
  ),
});

const wrongStatus = (name: string, text: string, status: number, kills: string): Fault => ({
  name: `status-${name}`,
  kills,
  ...changeAnswer(
    (_call, answer) => errorOf(answer) === text,
    (answer) => {
      answer.status = status;
    },
  ),
});

const success = (_call: Call, answer: Answer) => answer.status < 300;
const routesIn = (answer: Answer) => (answer.json as { routes: Json[] }).routes;
const ownFiles = (memory: Memory) =>
  readdirSync(memory.routesDir).filter((name) => name.startsWith('boxgate-'));

const ofSettings: Fault[] = [
  { name: 'mode-ignored', kills: 'gateway/registerBox/other-mode', ...setting('GATEWAY_MODE', () => 'single') },
  { name: 'any-mode-that-begins-so', kills: 'gateway/registerBox/other-mode', ...setting('GATEWAY_MODE', (v) => (v?.startsWith('single') ? 'single' : v)) },
  { name: 'unset-secret-is-a-word', kills: 'gateway/registerBox/secret-unset', ...setting('GATEWAY_BOX_TOKEN', (v) => v ?? 'undefined') },
  { name: 'empty-secret-is-a-blank', kills: 'gateway/registerBox/secret-empty', ...setting('GATEWAY_BOX_TOKEN', (v) => v || ' ') },
  { name: 'box-limit-one-more', kills: 'gateway/limits/boxes', ...moved('GATEWAY_BOX_LIMIT', 1) },
  { name: 'box-limit-one-less', kills: 'gateway/limits/boxes', ...moved('GATEWAY_BOX_LIMIT', -1) },
  { name: 'route-limit-one-more', kills: 'gateway/limits/routes', ...moved('GATEWAY_ROUTE_LIMIT', 1) },
  { name: 'route-limit-one-less', kills: 'gateway/limits/routes', ...moved('GATEWAY_ROUTE_LIMIT', -1) },
  { name: 'no-default-box-limit', kills: 'gateway/limits/defaults', ...setting('GATEWAY_BOX_LIMIT', (v) => v ?? '100') },
  { name: 'other-default-route-limit', kills: 'gateway/limits/defaults', ...setting('GATEWAY_ROUTE_LIMIT', (v) => v ?? '19') },
  { name: 'zero-is-no-limit', kills: 'gateway/limits/zero', ...setting('GATEWAY_ROUTE_LIMIT', (v) => (v === '0' ? '1000' : v)) },
  { name: 'resolver-ignored', kills: 'gateway/route-files/cert-resolver', ...setting('GATEWAY_CERT_RESOLVER', () => undefined) },
  { name: 'resolver-always', kills: 'gateway/route-files/no-cert-resolver', ...setting('GATEWAY_CERT_RESOLVER', () => 'wharf-letters') },
  { name: 'entry-point-ignored', kills: 'gateway/route-files/entry-point', ...setting('GATEWAY_ENTRYPOINT', () => undefined) },
  { name: 'entry-point-other-default', kills: 'gateway/route-files/no-cert-resolver', ...setting('GATEWAY_ENTRYPOINT', (v) => v ?? 'seaside') },
  { name: 'domain-with-www', kills: 'gateway/route-files/published', ...setting('GATEWAY_DOMAIN', (v) => `www.${v}`) },
  { name: 'domain-has-a-default', kills: 'gateway/process/missing-domain', ...setting('GATEWAY_DOMAIN', (v) => v ?? 'example.org') },
  { name: 'routes-elsewhere', kills: 'gateway/route-files/published', ...setting('GATEWAY_ROUTES_DIR', (v) => `${v}-elsewhere`) },
  { name: 'forgets-at-a-stop', kills: 'gateway/process/state-directory', ...setting('GATEWAY_STORE', (v) => v ?? 'memory:') },
  { name: 'forgets-at-a-kill', kills: 'gateway/store/killed', ...setting('GATEWAY_STORE', (v) => v ?? 'memory:') },
  { name: 'store-address-ignored', kills: 'gateway/store/file', ...setting('GATEWAY_STORE', () => undefined) },
  { name: 'memory-is-kept', kills: 'gateway/store/memory', ...setting('GATEWAY_STORE', () => undefined) },
  { name: 'always-admin', kills: 'gateway/tunnel/version-15-4', ...setting('GATEWAY_TUNNEL_USERNAME', () => 'admin') },
  { name: 'secret-files-ignored', kills: 'gateway/process/secret-files', ...setting('GATEWAY_BOX_TOKEN_FILE', () => undefined) },
  { name: 'bad-limit-taken-for-none', kills: 'gateway/process/bad-value', ...setting('GATEWAY_BOX_LIMIT', (v) => (v === 'many' ? '10' : v)) },
]; // biome-ignore format: a table

const ofProcess: Fault[] = [
  { name: 'access-log', kills: 'gateway/process/no-access-log', process: 'logs' },
  { name: 'talks-on-standard-output', kills: 'gateway/process/ready-line', process: 'talks' },
  { name: 'stops-with-1', kills: 'gateway/process/sigterm', process: 'ends-with-1' },
  { name: 'cuts-off-at-a-stop', kills: 'gateway/process/sigterm', process: 'kills-on-signal' },
  { name: 'accepts-while-it-stops', kills: 'gateway/process/sigint', process: 'closes-late' },
  { name: 'pipelined-requests-side-by-side', kills: 'gateway/http/pipelined', process: 'side-by-side' },
  { name: 'listens-everywhere', kills: 'gateway/process/host-and-port', process: 'ignores-host' },
];

const ofRequests: Fault[] = [
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
  {
    name: 'registration-token-trimmed',
    kills: 'gateway/registerBox/token-as-it-is',
    ...changeBody(isRegister, (json, memory) => {
      if (String(json.registration_token).trim() === memory.registrationToken.trim()) json.registration_token = memory.registrationToken;
    }),
  },
  {
    name: 'registration-token-by-its-beginning',
    kills: 'gateway/registerBox/wrong-token',
    ...changeBody(isRegister, (json, memory) => {
      const { registrationToken: right } = memory;
      if (right.startsWith(String(json.registration_token))) json.registration_token = right;
    }),
  },
  {
    name: 'registration-token-without-case',
    kills: 'gateway/registerBox/wrong-token',
    ...changeBody(isRegister, (json, memory) => {
      const { registrationToken: right } = memory;
      if (String(json.registration_token).toLowerCase() === right.toLowerCase()) json.registration_token = right;
    }),
  },
  {
    name: 'registration-by-bearer',
    kills: 'gateway/registerBox/no-bearer',
    ask: (call) => {
      const { authorization } = call.headers;
      return isRegister(call) && authorization !== undefined ? made(401, { error: 'invalid or expired box token' }) : null;
    },
  },
  {
    name: 'failed-registrations-count',
    kills: 'gateway/tunnel-failures/fails',
    ask: (call, memory) =>
      isRegister(call) && memory.removed.has('a place') ? made(403, { error: 'box limit exceeded for this account' }) : null,
    ...changeAnswer((call, answer) => isRegister(call) && answer.status === 502, (_answer, _call, memory) => memory.removed.add('a place')),
  },
  { name: 'registration-token-with-blanks', kills: 'gateway/registerBox/wrong-token', ...changeBody(isRegister, (json, memory) => {
    if (String(json.registration_token).trim() === memory.registrationToken) json.registration_token = memory.registrationToken;
  }) },
  { name: 'secret-has-a-default', kills: 'gateway/registerBox/secret-unset', ...setting('GATEWAY_BOX_TOKEN', (v) => v ?? 'changeme') },
  { name: 'name-trimmed', kills: 'gateway/registerBox/empty-fields', ...changeBody(isRegister, (json) => {
    if (typeof json.box_name === 'string') json.box_name = json.box_name.trim();
  }) },
  { name: 'null-name-taken', kills: 'gateway/registerBox/empty-fields', ...changeBody(isRegister, (json) => {
    if (json.box_name === null) json.box_name = 'null';
  }) },
  { name: 'missing-name-has-a-default', kills: 'gateway/registerBox/missing-fields', ...changeBody(isRegister, (json) => {
    json.box_name ??= 'box';
  }) },
  { name: 'port-as-text', kills: 'gateway/publishRoute/ports', ...changeBody(isPublish, (json) => {
    if (/^\d+$/.test(String(json.port))) json.port = Number(json.port);
  }) },
  { name: 'port-has-a-default', kills: 'gateway/publishRoute/missing-fields', ...changeBody(isPublish, (json) => {
    json.port ??= 80;
  }) },
  { name: 'port-zero-taken', kills: 'gateway/publishRoute/invalid', ...changeBody(isPublish, (json) => {
    if (json.port === 0) json.port = 80;
  }) },
  { name: 'port-rounded', kills: 'gateway/publishRoute/ports', ...changeBody(isPublish, (json) => {
    if (typeof json.port === 'number' && json.port === 1.5) json.port = 1;
  }) },
  { name: 'subdomain-folded', kills: 'gateway/publishRoute/subdomains', ...changeBody(isPublish, (json) => {
    if (typeof json.subdomain === 'string') json.subdomain = json.subdomain.toLowerCase();
  }) },
  { name: 'subdomain-cut', kills: 'gateway/publishRoute/subdomains', ...changeBody(isPublish, (json) => {
    if (typeof json.subdomain === 'string') json.subdomain = json.subdomain.slice(0, 63);
  }) },
  {
    name: 'publish-again-is-no-conflict',
    kills: 'gateway/publishRoute/own-subdomain',
    ...changeAnswer((call, answer) => isPublish(call) && answer.status === 409, (answer, call, memory) => {
      const own = memory.routes.find((one) => one.token === tokenOf(call) && one.route.subdomain === call.json?.subdomain);
      if (own !== undefined) Object.assign(answer, made(201, own.route));
    }),
  },
  {
    name: 'deregistration-keeps-the-peer',
    kills: 'gateway/tunnel/version-14',
    ask: (call, memory) => {
      if (memory.removed.has(tokenOf(call))) return made(401, { error: 'invalid or expired box token' });
      if (!isAction(call, 'deregister') || !memory.boxes.has(tokenOf(call))) return null;
      memory.removed.add(tokenOf(call));
      return made(200, { status: 'ok' });
    },
  },
  {
    name: 'deregistration-keeps-the-token',
    kills: 'gateway/deregisterBox/ok',
    ask: (call) => (isAction(call, 'deregister') ? made(200, { status: 'ok' }) : null),
  },
  {
    name: 'unpublish-keeps-the-host',
    kills: 'gateway/route-files/withdrawn',
    ask: (call) => (isUnpublish(call) ? made(200, { status: 'ok' }) : null),
  },
  {
    name: 'unpublish-of-anything-succeeds',
    kills: 'gateway/unpublishRoute/unknown',
    ...changeAnswer((call, answer) => isUnpublish(call) && answer.status === 404, (answer) => Object.assign(answer, made(200, { status: 'ok' }))),
  },
]; // biome-ignore format: a table

const ofAnswers: Fault[] = [
  { name: 'health-has-more', kills: 'gateway/getHealth/ok', ...changeAnswer((call) => call.path === '/healthz', (answer) => {
    answer.json = { status: 'ok', version: '1' };
  }) },
  { name: 'health-in-capitals', kills: 'gateway/getHealth/ok', ...changeAnswer((call) => call.path === '/healthz', (answer) => {
    answer.json = { status: 'OK' };
  }) },
  { name: 'health-asks-for-a-token', kills: 'gateway/getHealth/no-authentication', ...changeAnswer((call) => call.path === '/healthz' && tokenOf(call) === '', (answer) => Object.assign(answer, made(401, { error: 'missing bearer token' }))) },
  { name: 'registered-is-200', kills: 'gateway/registerBox/ok', ...changeAnswer((call, answer) => isRegister(call) && success(call, answer), (answer) => { answer.status = 200; }) },
  { name: 'published-is-200', kills: 'gateway/publishRoute/ok', ...changeAnswer((call, answer) => isPublish(call) && success(call, answer), (answer) => { answer.status = 200; }) },
  { name: 'unpublished-is-204', kills: 'gateway/unpublishRoute/ok', ...changeAnswer((call, answer) => isUnpublish(call) && success(call, answer), (answer) => Object.assign(answer, { status: 204, json: undefined })) },
  { name: 'heartbeat-has-more', kills: 'gateway/heartbeatBox/ok', ...changeAnswer((call, answer) => isAction(call, 'heartbeat') && success(call, answer), (answer) => { answer.json = { status: 'ok', at: 1 }; }) },
  { name: 'rotation-names-the-box', kills: 'gateway/rotateBoxToken/ok', ...changeAnswer((call, answer) => isAction(call, 'rotate-token') && success(call, answer), (answer) => { answer.json = { ...(answer.json as Json), box_id: 'x' }; }) },
  { name: 'error-as-message', kills: 'gateway/http/error-form', ...changeAnswer((_call, answer) => answer.status >= 400, (answer) => { answer.json = { message: errorOf(answer) }; }) },
  { name: 'error-has-a-code', kills: 'gateway/http/error-form', ...changeAnswer((_call, answer) => answer.status >= 400, (answer) => { answer.json = { error: errorOf(answer), code: answer.status }; }) },
  { name: 'charset', kills: 'gateway/http/json-headers', ...changeAnswer(() => true, (answer) => { answer.headers['content-type'] = 'application/json; charset=utf-8'; }) },
  { name: 'no-content-length', kills: 'gateway/http/json-headers', ...changeAnswer(() => true, (answer) => { answer.headers['transfer-encoding'] = 'chunked'; }) },
  { name: 'may-be-stored', kills: 'gateway/http/headers-on-every-answer', ...changeAnswer(() => true, (answer) => { delete answer.headers['cache-control']; }) },
  { name: 'open-to-every-site', kills: 'gateway/http/headers-on-every-answer', ...changeAnswer(() => true, (answer) => { answer.headers['access-control-allow-origin'] = '*'; }) },
  { name: 'no-challenge', kills: 'gateway/authentication/challenge', ...changeAnswer(() => true, (answer) => { delete answer.headers['www-authenticate']; }) },
  { name: 'wrong-method-is-405', kills: 'gateway/http/other-methods', ...changeAnswer((call, answer) => answer.status === 404 && /^\/(healthz|v1\/routes)$/.test(call.path), (answer) => { answer.status = 405; }) },
  { name: 'unknown-path-asks-for-a-token', kills: 'gateway/http/unknown-paths-without-token', ...changeAnswer((call, answer) => answer.status === 404 && tokenOf(call) === '', (answer) => Object.assign(answer, made(401, { error: 'missing bearer token' }))) },
  { name: 'list-of-all-boxes', kills: 'gateway/listRoutes/own-only', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer, _call, memory) => { answer.json = { routes: memory.routes.map((one) => one.route) }; }) },
  { name: 'list-newest-first', kills: 'gateway/listRoutes/order', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer) => { routesIn(answer).reverse(); }) },
  { name: 'list-bare', kills: 'gateway/listRoutes/empty', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer) => { answer.json = routesIn(answer); }) },
  { name: 'list-counts', kills: 'gateway/listRoutes/ok', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer) => { answer.json = { routes: routesIn(answer), total: 1 }; }) },
  { name: 'list-leaves-the-last-out', kills: 'gateway/listRoutes/ok', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer) => { routesIn(answer).pop(); }) },
  { name: 'list-shows-the-token', kills: 'gateway/rotateBoxToken/shown-once', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer, call) => { for (const route of routesIn(answer)) route.token = tokenOf(call); }) },
  { name: 'list-shows-ports-as-text', kills: 'gateway/listRoutes/fields', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer) => { for (const route of routesIn(answer)) route.port = String(route.port); }) },
  { name: 'list-shows-another-box', kills: 'gateway/listRoutes/fields', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer) => { for (const route of routesIn(answer)) route.box_id = 'box_other'; }) },
  { name: 'url-not-encrypted', kills: 'gateway/listRoutes/form', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer) => { for (const route of routesIn(answer)) route.url = `http://${route.host}`; }) },
  { name: 'name-in-small-letters', kills: 'gateway/registerBox/account-and-name', ...changeAnswer((call, answer) => isRegister(call) && success(call, answer), (answer) => { const json = answer.json as Json; json.box_name = String(json.box_name).toLowerCase(); }) },
  { name: 'blank-line-before-the-configuration', kills: 'gateway/registerBox/result', ...changeAnswer((call, answer) => isRegister(call) && success(call, answer), (answer) => { const { tunnel } = answer.json as { tunnel: Json }; tunnel.config = `\n${tunnel.config}`; }) },
  { name: 'address-with-a-mask', kills: 'gateway/registerBox/result', ...changeAnswer((call, answer) => isRegister(call) && success(call, answer), (answer) => { const { tunnel } = answer.json as { tunnel: Json }; tunnel.address = `${tunnel.address}/32`; }) },
  { name: 'key-of-its-own', kills: 'gateway/tunnel/keys', ...changeAnswer((call, answer) => isRegister(call) && success(call, answer), (answer) => { const { tunnel } = answer.json as { tunnel: Json }; tunnel.config = String(tunnel.config).replace(/PrivateKey = \S+/, `PrivateKey = ${Buffer.alloc(32, 9).toString('base64')}`); }) },
  { name: 'failure-without-a-label', kills: 'gateway/tunnel-failures/label', ...changeAnswer((_call, answer) => answer.status === 502, (answer) => { answer.json = { error: errorOf(answer).replace(/^tunnel manager: /, '') }; }) },
  { name: 'failure-without-a-detail', kills: 'gateway/tunnel-failures/label', ...changeAnswer((_call, answer) => answer.status === 502, (answer) => { answer.json = { error: 'tunnel manager failed' }; }) },
  { name: 'failure-is-500', kills: 'gateway/tunnel-failures/unreachable', ...changeAnswer((_call, answer) => answer.status === 502, (answer) => { answer.status = 500; }) },
  { name: 'failure-shows-the-request', kills: 'gateway/process/secrets', ...changeAnswer((_call, answer) => answer.status === 502, (answer, call) => { answer.json = { error: `tunnel manager: failed for ${call.original.text}` }; }) },
  { name: 'nowhere-asks-for-a-token', kills: 'gateway/http/unknown-paths', ...changeAnswer((call, answer) => answer.status === 404 && tokenOf(call) === '', (answer) => Object.assign(answer, made(401, { error: 'missing bearer token' }))) },
  { name: 'list-shows-another-account', kills: 'gateway/listRoutes/fields', ...changeAnswer((call, answer) => isList(call) && success(call, answer), (answer) => { for (const route of routesIn(answer)) route.account_id = 'acc_other'; }) },
  { name: 'publish-shows-another-port', kills: 'gateway/listRoutes/fields', ...changeAnswer((call, answer) => isPublish(call) && success(call, answer), (answer) => { (answer.json as Json).port = 80; }) },
  { name: 'conflicts-are-logged', kills: 'gateway/process/no-access-log', ...changeAnswer((_call, answer) => answer.status === 409, () => { process.stderr.write('409: POST /v1/routes\n'); }) },
  { name: 'rotations-are-logged', kills: 'gateway/process/no-access-log', ...changeAnswer((call, answer) => isAction(call, 'rotate-token') && success(call, answer), () => { process.stderr.write('200: POST /v1/boxes/…/rotate-token\n'); }) },
  wrongText('missing-token', 'missing bearer token', 'gateway/authentication/missing'),
  wrongText('invalid-token', 'invalid or expired box token', 'gateway/authentication/invalid'),
  wrongText('other-box', 'token does not authorize this box', 'gateway/authentication/other-box'),
  wrongText('registration-fields', 'registration_token and box_name are required', 'gateway/registerBox/missing-fields'),
  wrongText('registration-token', 'invalid registration token', 'gateway/registerBox/wrong-token'),
  wrongText('box-limit', 'box limit exceeded for this account', 'gateway/limits/boxes'),
  wrongText('route-fields', 'app_name, subdomain, and port are required', 'gateway/publishRoute/missing-fields'),
  wrongText('subdomain', 'subdomain already in use', 'gateway/publishRoute/subdomain-in-use'),
  wrongText('route-limit', 'route limit exceeded for this box', 'gateway/limits/routes'),
  wrongText('route', 'route not found', 'gateway/unpublishRoute/unknown'),
  wrongText('not-found', 'not found', 'gateway/http/unknown-paths'),
  wrongStatus('registration-token-403', 'invalid registration token', 403, 'gateway/registerBox/wrong-token'),
  wrongStatus('box-limit-429', 'box limit exceeded for this account', 429, 'gateway/limits/boxes'),
  wrongStatus('route-limit-409', 'route limit exceeded for this box', 409, 'gateway/limits/routes'),
  wrongStatus('subdomain-400', 'subdomain already in use', 400, 'gateway/publishRoute/subdomain-in-use'),
  wrongStatus('other-box-404', 'token does not authorize this box', 404, 'gateway/authentication/other-box'),
  wrongStatus('route-of-other-403', 'route not found', 403, 'gateway/unpublishRoute/of-another-box'),
]; // biome-ignore format: a table

const ofFiles: Fault[] = [
  {
    name: 'file-is-lost',
    kills: 'gateway/route-files/published',
    ...changeAnswer((call, answer) => isPublish(call) && success(call, answer), (_answer, _call, memory) => {
      for (const name of ownFiles(memory)) rmSync(join(memory.routesDir, name));
    }),
  },
  {
    name: 'half-a-file-beside',
    kills: 'gateway/route-files/published',
    ...changeAnswer((call, answer) => isPublish(call) && success(call, answer), (_answer, _call, memory) => {
      writeFileSync(join(memory.routesDir, 'next.yml'), 'http:\n  routers: {');
    }),
  },
  {
    name: 'catch-all-host',
    kills: 'gateway/route-files/withdrawn',
    ...changeAnswer(isPublish, (_answer, _call, memory) => {
      const rule = 'http:\n  routers:\n    all:\n      rule: Host(`all.example`)\n      service: all\n  services:\n    all:\n';
      writeFileSync(join(memory.routesDir, 'all.yml'), `${rule}      loadBalancer:\n        servers:\n          - url: http://127.0.0.1:9\n`);
    }),
  },
  {
    name: 'temporary-file-in-the-directory',
    kills: 'gateway/route-files/one-event',
    ...changeAnswer((call, answer) => isPublish(call) && success(call, answer), (_answer, _call, memory) => {
      writeFileSync(join(memory.routesDir, 'next.tmp'), 'x');
    }),
  },
  {
    name: 'file-touched-by-a-heartbeat',
    kills: 'gateway/route-files/same-bytes',
    ...changeAnswer((call) => isAction(call, 'heartbeat'), (_answer, _call, memory) => {
      for (const name of ownFiles(memory)) utimesSync(join(memory.routesDir, name), 1, 1);
    }),
  },
  {
    name: 'foreign-file-removed',
    kills: 'gateway/route-files/foreign-files',
    ...changeAnswer(isPublish, (_answer, _call, memory) => rmSync(join(memory.routesDir, 'operator.yml'), { force: true })),
  },
  {
    name: 'token-in-a-file',
    kills: 'gateway/store/no-token-in-clear',
    ...changeAnswer((call, answer) => isRegister(call) && success(call, answer), (answer, _call, memory) => {
      writeFileSync(join(memory.stateDir, 'boxes.json'), JSON.stringify(answer.json), { mode: 0o600 });
    }),
  },
]; // biome-ignore format: a table

/** Every named fault. Each is a right gateway but for one thing. */
export const gatewayFaults: readonly Fault[] = [
  ...ofSettings,
  ...ofProcess,
  ...ofRequests,
  ...ofAnswers,
  ...ofFiles,
];
