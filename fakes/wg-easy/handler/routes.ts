import type { Dialect } from '../model/dialect.ts';

/** The operation of a request. `miss`: a recorded path that the real one does not serve. */
export type Operation =
  | 'session'
  | 'login'
  | 'logout'
  | 'list'
  | 'create'
  | 'get'
  | 'update'
  | 'rename'
  | 'delete'
  | 'enable'
  | 'disable'
  | 'configuration'
  | 'setTotp'
  | 'verifyTotp'
  | 'information'
  | 'release'
  | 'language'
  | 'setup'
  | 'authMethods'
  | 'authProvider'
  | 'miss'
  | 'unknown';

export type Routed = { operation: Operation; id: string };
type Row = readonly [method: string, path: string, operation: Operation];

/** `ID` matches one path segment. The first matching row applies. */
const ofVersion14: readonly Row[] = [
  ['GET', '/api/session', 'session'],
  ['POST', '/api/session', 'login'],
  ['DELETE', '/api/session', 'logout'],
  ['GET', '/api/release', 'release'],
  ['GET', '/api/lang', 'language'],
  ['GET', '/api/wireguard/client', 'list'],
  ['POST', '/api/wireguard/client', 'create'],
  ['DELETE', '/api/wireguard/client/ID', 'delete'],
  ['GET', '/api/wireguard/client/ID/configuration', 'configuration'],
  ['POST', '/api/wireguard/client/ID/enable', 'enable'],
  ['POST', '/api/wireguard/client/ID/disable', 'disable'],
  ['PUT', '/api/wireguard/client/ID/name', 'rename'],
  ['GET', '/api/wireguard/client/ID', 'miss'],
  ['PATCH', '/api/wireguard/client/ID', 'miss'],
  ['GET', '/api/wireguard/client/ID/nope', 'miss'],
  ['POST', '/api/wireguard/client/ID/configuration', 'miss'],
  ['PUT', '/api/wireguard/client', 'miss'],
  ['DELETE', '/api/wireguard/client', 'miss'],
  ['PUT', '/api/session', 'miss'],
  ['GET', '/api/nope', 'miss'],
  ['GET', '/api/client', 'miss'],
  ['GET', '/api/information', 'miss'],
  ['GET', '/api/auth/password', 'miss'],
  ['POST', '/api/auth/password', 'miss'],
];

const ofVersion15: readonly Row[] = [
  ['POST', '/api/auth/password', 'login'],
  ['GET', '/api/auth/password', 'authProvider'],
  ['GET', '/api/auth/methods', 'authMethods'],
  ['POST', '/api/auth/verify-2fa', 'verifyTotp'],
  ['GET', '/api/session', 'session'],
  ['DELETE', '/api/session', 'logout'],
  ['GET', '/api/client', 'list'],
  ['POST', '/api/client', 'create'],
  ['GET', '/api/client/ID', 'get'],
  ['POST', '/api/client/ID', 'update'],
  ['DELETE', '/api/client/ID', 'delete'],
  ['GET', '/api/client/ID/configuration', 'configuration'],
  ['POST', '/api/client/ID/enable', 'enable'],
  ['POST', '/api/client/ID/disable', 'disable'],
  ['POST', '/api/me/totp', 'setTotp'],
  ['GET', '/api/information', 'information'],
  ['GET', '/api/setup/4', 'setup'],
  ['GET', '/api/client/ID/nope', 'miss'],
  ['PATCH', '/api/client/ID', 'miss'],
  ['POST', '/api/client/ID/configuration', 'miss'],
  ['PUT', '/api/client', 'miss'],
  ['DELETE', '/api/client', 'miss'],
  ['PUT', '/api/session', 'miss'],
  ['POST', '/api/session', 'miss'],
  ['GET', '/api/nope', 'miss'],
  ['GET', '/api/release', 'miss'],
  ['GET', '/api/wireguard/client', 'miss'],
];

/** All routes of a dialect. */
export function routesOf(dialect: Dialect): readonly Row[] {
  return dialect === '14' ? ofVersion14 : ofVersion15;
}

export function route(dialect: Dialect, method: string, path: string): Routed {
  for (const [wanted, pattern, operation] of routesOf(dialect)) {
    const id = wanted === method ? fit(pattern, path) : null;
    if (id !== null) return { operation, id };
  }
  return { operation: 'unknown', id: '' };
}

/** The segment at `ID`, empty without `ID`; `null` if the path does not match. */
function fit(pattern: string, path: string): string | null {
  const [before = '', after] = pattern.split('ID');
  if (after === undefined) return path === pattern ? '' : null;
  if (!path.startsWith(before) || !path.endsWith(after)) return null;
  const id = path.slice(before.length, path.length - after.length);
  return id === '' || id.includes('/') ? null : id;
}
