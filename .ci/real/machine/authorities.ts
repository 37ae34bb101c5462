import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { required } from '../support/required.ts';
import { until } from '../support/until.ts';

/**
 * A name server at which every name has the same address, and two authorities: one for trials, one that counts. Besides,
 * the addresses of two that do not serve.
 */
export type Authorities = {
  dnsServer: string;
  trial: string;
  real: string;
  /** Refuses an account, because a limit is reached. */
  limited: string;
  /** Has a clock that is an hour ahead. */
  late: string;
  /** The certificate that their own addresses have. */
  certificate: string;
  /** The root certificate of the second authority. */
  root(): Promise<string>;
  /** Sets the addresses of all names; without one a name has none. */
  lead(addresses: { four?: string; six?: string }): Promise<void>;
  stop(): void;
};

const management = 'http://127.0.0.1:8055';
const dnsServer = '127.0.0.1:8053';

export async function startAuthorities(folder: string): Promise<Authorities> {
  const programs = required('BOXGATE_PEBBLE');
  mkdirSync(folder, { recursive: true });
  const [certificate, key] = [join(folder, 'own.pem'), join(folder, 'own.key')];
  const subject = ['-subj', '/CN=authority', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
    {
      stdio: 'ignore',
    },
  );
  const start = (name: string, ...argv: string[]) => {
    const env = { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' };
    return spawn(join(programs, name), argv, { env, stdio: 'ignore' });
  };
  const started = [
    start(
      'pebble-challtestsrv',
      ...['-dnsserver', dnsServer, '-management', management.slice(7), '-defaultIPv4', '', '-defaultIPv6', ''].concat(
        ...['-http01', '-https01', '-tlsalpn01', '-doh'].map((flag) => [flag, '']),
      ),
    ),
    ...[14000, 14100].map((port) => {
      const config = join(folder, `${port}.json`);
      const pebble = {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${port + 1}`,
        certificate,
        privateKey: key,
        httpPort: 80,
        tlsPort: 443,
        retryAfter: { authz: 1, order: 1 },
      };
      writeFileSync(config, JSON.stringify({ pebble }));
      return start('pebble', '-config', config, '-dnsserver', dnsServer);
    }),
  ];
  const limit = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, ({ url }, response) => {
    response.setHeader('Date', new Date(Date.now() + (url === '/late' ? 3_600_000 : 0)).toUTCString());
    response.setHeader('Replay-Nonce', 'bm9uY2U').setHeader('Content-Type', 'application/problem+json');
    const actions = ['newNonce', 'newAccount', 'newOrder', 'revokeCert', 'keyChange'];
    const directory = Object.fromEntries(actions.map((name) => [name, `https://127.0.0.1:14200/${name}`]));
    if (url !== '/newAccount') return response.end(JSON.stringify(directory));
    const type = 'urn:ietf:params:acme:error:rateLimited';
    return response.writeHead(429).end(JSON.stringify({ type, detail: 'retry after 12:00', status: 429 }));
  }).listen(14200, '127.0.0.1');
  const curl = (...argv: string[]) =>
    execFileSync('curl', ['-sSf', '--cacert', certificate, ...argv], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const answers = (...argv: string[]) => {
    try {
      return curl(...argv) !== '' || true;
    } catch {
      return false;
    }
  };
  const lead = async ({ four = '', six = '' }: { four?: string; six?: string }) => {
    for (const [path, ip] of [
      ['4', four],
      ['6', six],
    ])
      curl('-d', JSON.stringify({ ip }), `${management}/set-default-ipv${path}`);
  };
  const isThere = () =>
    [14000, 14100].every((port) => answers(`https://127.0.0.1:${port}/dir`)) &&
    answers('-d', '{"ip":""}', `${management}/set-default-ipv4`);
  await until('the authorities answer', isThere, 180_000);
  return {
    dnsServer,
    trial: 'https://127.0.0.1:14000/dir',
    real: 'https://127.0.0.1:14100/dir',
    limited: 'https://127.0.0.1:14200/dir',
    late: 'https://127.0.0.1:14200/late',
    certificate,
    root: async () => curl('https://127.0.0.1:14101/roots/0'),
    lead,
    stop() {
      for (const child of started) child.kill();
      limit.close().closeAllConnections();
    },
  };
}
