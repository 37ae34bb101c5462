import { randomBytes } from 'node:crypto';
import { type BoxEnvironment, makeBoxEnvironment } from '../../fakes/box-environment.ts';
import { makeEngine } from '../../fakes/docker/engine.ts';
import { servePublishedPorts } from '../../fakes/docker/serve-ports.ts';
import { environmentsFolder } from '../../fakes/environments-folder.ts';
import { type GatewayEnvironment, makeGatewayEnvironment } from '../../fakes/gateway-environment.ts';
import { writeTunnelPrograms } from '../../fakes/tunnel-programs.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { naming } from '../lib/files/write-file.ts';
import { startFront } from './demo-front.ts';
import { type DemoServer, ProgramFailed, runCommandOfBoxgate, startServer, usualOrFreePort } from './demo-servers.ts';

/** Installed and published from the start, so that both lists of the page have an app. */
const firstApp = {
  name: 'miniflux',
  subdomain: 'feeds',
  port: { setting: 'MINIFLUX_PORT', usual: 8180 },
  passwords: ['MINIFLUX_ADMIN_PASSWORD', 'MINIFLUX_DATABASE_PASSWORD'],
};

/** Browsers resolve its subdomains to this machine. */
const domain = 'localhost';
const usualPorts = { box: 7000, gateway: 8080, proxy: 8088 };

type Environments = { box: BoxEnvironment; gateway: GatewayEnvironment };

/**
 * Runs a box and a gateway on fakes until a signal comes: temporary state, a fake engine and service manager, the
 * sample apps, a page on every published port, a release feed, a tunnel manager, a proxy in front of the box, and one that
 * maps tunnel addresses to this machine. The box joins the gateway and publishes an app. Everything is removed at the
 * end.
 */
export async function runDemo(): Promise<void> {
  const signalled = untilSignal();
  const { BOX_HOST: host = '127.0.0.1' } = process.env;
  const port = await usualOrFreePort(usualPorts.proxy, host);
  const parts = new AsyncDisposableStack();
  const servers: DemoServer[] = [];
  const start = (words: string[], env: Record<string, string>) => {
    if (parts.disposed) throw new Error('the demo has ended');
    const server = startServer(words, env);
    servers.push(server);
    parts.defer(server.stop);
    return server.address;
  };
  try {
    const environments = await makeEnvironments({ host, port }, parts);
    const setUp = setUpBoth(environments, port, start, parts);
    // After a signal, unfinished steps fail because the servers stop.
    setUp.catch(() => undefined);
    if ((await Promise.race([setUp, signalled])) === 'signalled') return;
    // A server that ends by itself prints the reason itself.
    const end = await Promise.race([signalled, ...servers.map(({ ended }) => ended)]);
    if (end !== 'signalled') process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    process.exitCode = 1;
  } finally {
    await parts.disposeAsync();
  }
}

/** The environments are removed with `parts`, also after a failure of a later step. */
async function makeEnvironments(
  proxy: { host: string; port: number },
  parts: AsyncDisposableStack,
): Promise<Environments> {
  try {
    const addressMap = () => '127.0.0.1';
    const gateway = await makeGatewayEnvironment({ domain, proxy: { ...proxy, addressMap } });
    parts.defer(() => gateway.dispose());
    const box = makeBoxEnvironment();
    process.once('exit', box.dispose);
    parts.defer(() => box.dispose());
    // A newer version could not be installed: the demo's box is no service of this machine.
    box.feed.publish(packageFile.version);
    parts.defer((await servePublishedPorts(makeEngine(box.root))).close);
    return { box, gateway };
  } catch (error) {
    throw naming(environmentsFolder(), error);
  }
}

/** Both start without a pause between them, so that a signal stops both or neither. */
async function setUpBoth(
  environments: Environments,
  proxyPort: number,
  start: (words: string[], env: Record<string, string>) => Promise<string>,
  parts: AsyncDisposableStack,
): Promise<void> {
  const gatewayEnv = await gatewayEnvironment(environments.gateway);
  const boxEnv = boxEnvironment(environments.box);
  const [gateway, box, console] = await Promise.all([
    start(['gateway', 'serve'], gatewayEnv),
    start(['box', 'serve'], boxEnv),
    start(['box', 'console'], { ...boxEnv, BOX_CONSOLE_PORT: '0' }),
  ]);
  const { BOX_HOST = '127.0.0.1', BOX_PORT } = process.env;
  const port = BOX_PORT === undefined ? await usualOrFreePort(usualPorts.box, BOX_HOST) : Number(BOX_PORT);
  const front = await startFront({ box, console }, BOX_HOST, port);
  parts.defer(front.close);
  const appPort = await installFirstApp(box);
  await joinAndPublish(environments, gateway);
  process.stdout.write(welcome(front.address, gateway, appPort, proxyPort));
}

function untilSignal(): Promise<'signalled'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve('signalled'));
  });
}

/** Keeps the variables for allowed names and apps, and sets all others. */
function boxEnvironment(environment: BoxEnvironment): Record<string, string> {
  const { BOX_ALLOWED_HOSTS, BOX_BUNDLED_APPS } = process.env;
  const { BOX_BUNDLED_APPS: _empty, ...temporary } = environment.env();
  const chosen = { BOX_ALLOWED_HOSTS, BOX_BUNDLED_APPS };
  const given = Object.entries(chosen).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...temporary, ...Object.fromEntries(given), BOX_PORT: '0' };
}

async function gatewayEnvironment(environment: GatewayEnvironment): Promise<Record<string, string>> {
  const { GATEWAY_HOST = '127.0.0.1', GATEWAY_PORT } = process.env;
  const port = GATEWAY_PORT ?? String(await usualOrFreePort(usualPorts.gateway, GATEWAY_HOST));
  return { ...environment.env(), GATEWAY_HOST, GATEWAY_PORT: port };
}

async function installFirstApp(address: string): Promise<number> {
  const { name, port, passwords } = firstApp;
  const chosenPort = await usualOrFreePort(port.usual);
  const secrets = passwords.map((key) => [key, randomBytes(18).toString('base64url')]);
  const settings = { ...Object.fromEntries(secrets), [port.setting]: chosenPort };
  const body = JSON.stringify({ name, settings });
  const answer = await fetch(`${address}/api/apps/install`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`installing ${name}: ${await answer.text()}`);
  return chosenPort;
}

async function joinAndPublish({ box, gateway }: Environments, address: string): Promise<void> {
  writeTunnelPrograms(box.bin);
  const env = { ...box.env(), BOX_REGISTRATION_TOKEN: gateway.registrationToken };
  await runCommandOfBoxgate(['tunnel', 'join', '--gateway', address, '--name', 'demo'], env);
  const { name, subdomain } = firstApp;
  // Finds the port that the app publishes, and waits until the proxy serves it.
  const words = ['tunnel', 'publish', name, '--subdomain', subdomain, '--proxy', gateway.traefik.url];
  await runCommandOfBoxgate(words, env);
}

function welcome(box: string, gateway: string, appPort: number, proxyPort: number): string {
  return [
    'A box on a fake Docker, and a gateway on a fake WireGuard and proxy. Open',
    '',
    `  ${box}/`,
    `  http://127.0.0.1:${appPort}/   Miniflux, which is installed already`,
    `  http://${firstApp.subdomain}.${domain}:${proxyPort}/   the same, as it is published through the gateway`,
    '',
    `The gateway's API is at ${gateway} (${gateway}/healthz).`,
    'What you install answers on its own port. Ctrl-C ends the demo and removes everything it made.',
    '',
  ].join('\n');
}
