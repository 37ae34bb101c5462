import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { required } from '../support/required.ts';

/** Tests the gateway's Compose project with the real Compose, and the content of its image. */

const timeout = 5 * 60_000;
const checkout = join(import.meta.dirname, '..', '..', '..');
const source = join(checkout, 'deploy', 'gateway');
const folder = mkdtempSync(join(required('BOXGATE_REAL'), 'deploy-'));
after(() => rmSync(folder, { recursive: true }));
cpSync(source, folder, { recursive: true });

type Mount = { type: string; source: string; target: string; read_only?: boolean };
type Service = {
  image?: string;
  build?: object;
  pull_policy?: string;
  network_mode?: string;
  privileged?: boolean;
  environment?: Record<string, string>;
  command?: string[];
  cap_add?: string[];
  depends_on?: Record<string, { condition: string }>;
  volumes?: Mount[];
};

/** Variables without a value in env.example, which the owner fills in. */
const toFillIn = [...readFileSync(join(folder, 'env.example'), 'utf8').matchAll(/^(\w+)=$/gm)].map(
  ([, name = '']) => name,
);

function config(filledIn: readonly string[]) {
  writeFileSync(join(folder, '.env'), filledIn.map((name) => `${name}=filled-in-${name}\n`).join(''));
  const argv = ['compose', 'config', '--format', 'json'];
  return spawnSync('docker', argv, { cwd: folder, encoding: 'utf8', timeout });
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

test("runs four programs in the machine's own network, none of them privileged", () => {
  const all = services();
  assert.deepEqual(Object.keys(all).sort(), ['firewall', 'gateway', 'traefik', 'wg-easy']);
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
  assert.match(readFileSync(join(folder, 'gateway-api.yml'), 'utf8'), new RegExp(`certResolver: ${resolver}$`, 'm'));
});

test('only Traefik and WireGuard are for the world', () => {
  const { gateway, 'wg-easy': wgEasy } = services();
  assert.equal(wgEasy?.environment?.HOST, '127.0.0.1');
  assert.equal(gateway?.environment?.GATEWAY_HOST ?? '127.0.0.1', '127.0.0.1');
});

test('wg-easy starts once the packet filter against boxes is loaded', () => {
  const { firewall, 'wg-easy': wgEasy } = services();
  assert.equal(wgEasy?.depends_on?.firewall?.condition, 'service_healthy');
  assert.deepEqual(firewall?.cap_add, ['NET_ADMIN']);
  const script = firewall?.command?.[0]?.replaceAll('$$', '$') ?? '';
  const file = /rules=\/opt\/boxgate\/current\/(\S+)/.exec(script)?.[1] ?? '';
  assert.ok(existsSync(join(checkout, file)), script);
});

test('the image of the gateway is built here, by one service, and never pulled', () => {
  const { firewall, gateway, ...others } = services();
  assert.equal(firewall?.image, gateway?.image);
  assert.deepEqual([firewall?.pull_policy, gateway?.pull_policy], ['never', 'never']);
  assert.ok(firewall?.build);
  assert.deepEqual(
    Object.values({ gateway, ...others }).filter((service) => service?.build),
    [],
  );
});

test('the build gets no settings of anybody, and nothing that was made outside', () => {
  const context = join(folder, 'context');
  const kept = ['package.json', 'deploy/gateway/gateway-api.yml', 'src/box/sample-apps/memos/.env.example'];
  const left = [
    '.env',
    'deploy/gateway/.env',
    'deploy/gateway/.env.bak',
    'deploy/gateway/backup.tar.gz',
    'src/box/sample-apps/memos/.env',
    '.git/config',
    'node_modules/some/index.js',
    'dist/main.cjs',
  ];
  for (const name of [...kept, ...left]) {
    mkdirSync(dirname(join(context, name)), { recursive: true });
    writeFileSync(join(context, name), name);
  }
  cpSync(join(checkout, '.dockerignore'), join(context, '.dockerignore'));
  writeFileSync(join(context, 'Dockerfile'), 'FROM scratch\nCOPY . /\nCMD ["none"]\n');
  const docker = (...args: string[]) =>
    spawnSync('docker', args, { encoding: 'utf8', timeout, env: { ...process.env, DOCKER_BUILDKIT: '0' } });
  const built = docker('build', '-q', context);
  assert.equal(built.status, 0, built.stderr);
  const image = built.stdout.trim();
  const container = docker('create', '--network', 'none', image).stdout.trim();
  const files = join(folder, 'files.tar');
  docker('export', '--output', files, container);
  docker('rm', container);
  docker('rmi', image);
  const inside = spawnSync('tar', ['-tf', files], { encoding: 'utf8' }).stdout.split('\n');
  assert.deepEqual(
    [...kept, ...left].filter((name) => inside.includes(name)),
    kept,
  );
});

/** Path, kind and mode of everything below a folder. */
function modesBelow(folder: string): Map<string, string> {
  const found = spawnSync('find', [folder, '-printf', '%P %y%m\n'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const lines = found.stdout.trimEnd().split('\n');
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]));
}

test('an installation has the same modes under every umask, and nobody but its owner may change it', () => {
  const install = (umask: string) => {
    const root = join(folder, `umask-${umask}`);
    const script = `umask ${umask}; sh deploy/install.sh box --no-start && exec sh deploy/install.sh gateway --no-start`;
    const env = { ...process.env, DESTDIR: root };
    const done = spawnSync('sh', ['-c', script], { cwd: checkout, encoding: 'utf8', timeout, env });
    assert.equal(done.status, 0, done.stderr);
    const modes = modesBelow(root);
    rmSync(root, { recursive: true });
    modes.delete(''); // The folder that DESTDIR names is not the installation's.
    // Node's cache of compiled code: its names differ from run to run.
    for (const name of modes.keys()) if (name.includes('/dist/cache/')) modes.delete(name);
    return modes;
  };
  const modes = install('000');
  assert.deepEqual(install('077'), modes);
  const changeable = [...modes].filter(([, mode]) => !mode.startsWith('l') && /[2367]$|[2367].$/.test(mode));
  assert.deepEqual(changeable, []);
  const secret = [
    'etc/boxgate/box.env',
    'etc/boxgate/gateway.env',
    'etc/boxgate/box-token',
    'etc/boxgate/tunnel-password',
  ];
  assert.deepEqual(
    secret.map((name) => modes.get(name)),
    secret.map(() => 'f600'),
  );
  const closed = [...modes].filter(([name, mode]) => !secret.includes(name) && !/[4567]$/.test(mode));
  assert.deepEqual(closed, []);
});

test('an installation has the example of settings that lie in the checkout, and not the settings', () => {
  const settings = join(source, '.env.of-a-test');
  const root = join(folder, 'root');
  // A killed test may have left this file; its name is used by this test only.
  writeFileSync(settings, 'A=secret');
  try {
    const argv = [join(checkout, 'deploy', 'install.sh'), 'gateway', '--no-start'];
    const env = { ...process.env, DESTDIR: root };
    const done = spawnSync('sh', argv, { encoding: 'utf8', timeout, env });
    assert.equal(done.status, 0, done.stderr);
  } finally {
    rmSync(settings);
  }
  const installed = join(root, 'opt', 'boxgate', 'current');
  assert.ok(existsSync(join(installed, 'deploy', 'gateway', 'env.example')));
  assert.ok(existsSync(join(installed, 'src', 'box', 'sample-apps', 'memos', '.env.example')));
  assert.ok(!existsSync(join(installed, 'deploy', 'gateway', '.env.of-a-test')));
});
