import { type Fault, isAction, isPublish, isRegister, isUnpublish, made, tokenOf } from './fault.ts';
import { changeAnswer, changeBody, setting } from './gateway-fault.ts';

/** What a gateway registers, publishes and takes back. */
export const changeFaults: Fault[] = [
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
