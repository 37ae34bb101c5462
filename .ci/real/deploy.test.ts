import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { required } from './required.ts';

/** The gateway's Compose project, as the real Compose reads it. */

const source = join(import.meta.dirname, '..', '..', 'deploy', 'gateway');
const folder = mkdtempSync(join(required('BOXGATE_REAL'), 'deploy-'));
after(() => rmSync(folder, { recursive: true }));
cpSync(source, folder, { recursive: true });

type Mount = { type: string; source: string; target: string; read_only?: boolean };
type Service = {
  image?: string;
  network_mode?: string;
  privileged?: boolean;
  environment?: Record<string, string>;
  command?: string[];
  volumes?: Mount[];
};

/** What the owner fills in: each variable of env.example that stands there without a value. */
const toFillIn = [...readFileSync(join(folder, 'env.example'), 'utf8').matchAll(/^(\w+)=$/gm)].map(
  ([, name = '']) => name,
);

function config(filledIn: readonly string[]) {
  writeFileSync(join(folder, '.env'), filledIn.map((name) => `${name}=filled-in-${name}\n`).join(''));
  const argv = ['compose', 'config', '--format', 'json'];
  return spawnSync('docker', argv, {
    cwd: folder,
    encoding: 'utf8',
  });
}

function services(): Record<string, Service> {
  const { status, stdout, stderr } = config(toFillIn);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).services;
}

for (const missing of toFillIn) {
  test(`does not start without ${missing}, and says so`, () => {
    const { status, stderr } = config(toFillIn.filter((name) => name !== missing));
    assert.notEqual(status, 0);
    assert.match(stderr, new RegExp(missing));
  });
}

test("runs three programs in the machine's own network, none of them privileged", () => {
  const all = services();
  assert.deepEqual(Object.keys(all).sort(), ['gateway', 'traefik', 'wg-easy']);
  for (const { network_mode, privileged } of Object.values(all)) {
    assert.equal(network_mode, 'host');
    assert.notEqual(privileged, true);
  }
});

test('all of them mean the same domain, password, directory and certificate resolver', () => {
  const { gateway, traefik, 'wg-easy': wgEasy } = services();
  assert.equal(gateway?.environment?.GATEWAY_DOMAIN, traefik?.environment?.GATEWAY_DOMAIN);
  assert.equal(gateway?.environment?.GATEWAY_TUNNEL_PASSWORD, wgEasy?.environment?.INIT_PASSWORD);
  assert.equal(gateway?.environment?.GATEWAY_TUNNEL_USERNAME, wgEasy?.environment?.INIT_USERNAME);
  assert.ok(gateway?.environment?.GATEWAY_TUNNEL_URL?.endsWith(`:${wgEasy?.environment?.PORT}`));

  const routes = gateway?.environment?.GATEWAY_ROUTES_DIR;
  assert.ok(traefik?.command?.includes(`--providers.file.directory=${routes}`));
  const mountOf = (service?: Service) => service?.volumes?.find(({ target }) => target === routes);
  assert.equal(mountOf(gateway)?.source, mountOf(traefik)?.source);
  assert.equal(mountOf(traefik)?.read_only, true);

  const resolver = gateway?.environment?.GATEWAY_CERT_RESOLVER;
  assert.ok(traefik?.command?.some((flag) => flag.startsWith(`--certificatesresolvers.${resolver}.`)));
  assert.match(
    readFileSync(join(folder, 'gateway-api.yml'), 'utf8'),
    new RegExp(`certResolver: ${resolver}$`, 'm'),
  );
});

test('only Traefik and WireGuard are for the world', () => {
  const { gateway, 'wg-easy': wgEasy } = services();
  assert.equal(wgEasy?.environment?.HOST, '127.0.0.1');
  assert.equal(gateway?.environment?.GATEWAY_HOST ?? '127.0.0.1', '127.0.0.1');
});
