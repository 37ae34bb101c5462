import type { CommandResult } from '../../lib/command-result.ts';
import { isEdited, withDigest, withVariables } from '../../lib/settings-text.ts';
import { checkServer } from './checks.ts';
import { certificateFailure } from './rules/certificate.ts';
import { usualTunnelNetwork } from './rules/tunnel-network.ts';
import { SetupFailed, type SetupPorts, type SetupRequest } from './setup-ports.ts';

const folder = '/etc/boxgate';
export const projectFolder = `${folder}/gateway`;
export const places = {
  settings: `${folder}/gateway.env`,
  password: `${folder}/tunnel-password`,
  project: `${projectFolder}/compose.yaml`,
  variables: `${projectFolder}/.env`,
  dns: `${projectFolder}/dns.env`,
  route: '/var/lib/boxgate/routes/gateway-api.yml',
} as const;

const managerMs = 90_000;
/** A provider of DNS may take minutes. */
const certificateMs = 300_000;
const pollMs = 1000;
const doctorMs = 60_000;
const doctorPauseMs = 15_000;

/**
 * `gateway setup`: checks the server, then brings up a whole gateway on it. Every step looks at what is there, so a
 * second run repairs or upgrades, also after one that was killed.
 */
export async function setUp(ports: SetupPorts, request: SetupRequest): Promise<CommandResult> {
  const beganAt = ports.now();
  const problems = await checkServer(ports, request);
  if (problems.length > 0) {
    return { status: 1, text: [...problems, 'nothing has been changed; run this again when that is done'].join('\n') };
  }
  if (request.checkOnly) return { status: 0, text: 'this server can become a gateway' };
  const checkedAt = ports.now();
  try {
    await bringUp(ports, request);
  } catch (error) {
    if (!(error instanceof SetupFailed)) throw error;
    return { status: 1, text: `${error.message}\nrun this again when that is done: it goes on where it is` };
  }
  const checked = await askDoctor(ports);
  ports.say(checked.text);
  if (checked.status !== 0)
    return { status: 1, text: 'the gateway runs, and the doctor found the above; run this again when that is done' };
  const seconds = (ms: number) => Math.round(ms / 1000);
  const took = `${seconds(ports.now() - beganAt)} s (checks ${seconds(checkedAt - beganAt)} s)`;
  return { status: 0, text: ownersLines(request.domain, took) };
}

/**
 * `gateway setup --remove`: takes back what setup has made, but the data. wg-easy stops first: without the packet filter
 * its boxes would reach this server's network.
 */
export async function takeBack({ files, compose, removeSoftware }: SetupPorts): Promise<CommandResult> {
  try {
    if (files.read(places.project) !== null) await compose('down');
    const said = await removeSoftware();
    // The variables stay: the next setup asks nothing.
    await files.remove(places.project);
    // The script cannot know that these two are stopped.
    const lines = said.split('\n').filter((line) => line !== '' && !line.startsWith('wg-easy and Traefik go on'));
    return { status: 0, text: [...lines, kept].join('\n') };
  } catch (error) {
    if (!(error instanceof SetupFailed)) throw error;
    return { status: 1, text: `${error.message}\nrun this again when that is done` };
  }
}

const kept =
  "the tunnels' keys and the certificates stay, too: docker volume rm boxgate-gateway-parts_wireguard boxgate-gateway-parts_acme";

async function bringUp(ports: SetupPorts, request: SetupRequest): Promise<void> {
  await stopTrial(ports);
  if (request.beginsAnew) await forgetTunnels(ports);
  ports.say('settings, secrets and Compose project: /etc/boxgate');
  const password = await writeSecret(ports);
  await writeSettings(ports, request);
  // Compose does nothing without these two files, not even `down`.
  await writeVariables(ports, request, password, request.authority.real, 'acme.json');
  await writeProject(ports);
  ports.say('images of wg-easy and Traefik');
  await pullImages(ports);
  ports.say('the gateway as a service');
  await ports.installSoftware();
  const route = ports.files.shipped('deploy/gateway/gateway-api.yml');
  // The line for a wildcard certificate is a comment there.
  const ownRoute = request.dnsProvider === null ? route : route.replace('#domains:', 'domains:');
  await writeOwn(ports, places.route, ownRoute, 0o644);
  ports.say('wg-easy');
  await ports.compose('up', '-d', 'wg-easy');
  await waitFor(
    ports,
    managerMs,
    ports.managerAnswers,
    'wg-easy does not answer: docker compose logs wg-easy in /etc/boxgate/gateway says why',
  );
  await bringUpProxy(ports, request, password);
}

/** A Traefik that a killed run has left with a certificate for trials looks as if it served apps, and asks at each start. */
async function stopTrial({ files, compose }: SetupPorts): Promise<void> {
  if (files.read(places.project) === null) return;
  if (/^ACME_STORAGE=trial/m.test(files.read(places.variables) ?? '')) await compose('stop', 'traefik');
}

async function writeProject(ports: SetupPorts): Promise<void> {
  if (ports.files.read(places.dns) === null) await ports.files.write(places.dns, '', 0o600);
  await writeOwn(ports, places.project, ports.files.shipped('deploy/gateway/parts.yaml'), 0o600);
}

/** wg-easy keeps name and network of its first start. Nothing else is changed before that is over, so a kill loses nothing. */
async function forgetTunnels(ports: SetupPorts): Promise<void> {
  if (ports.files.read(places.variables) === null) return;
  ports.say('note: no box has joined yet, so wg-easy begins anew with the other domain or network');
  await writeProject(ports);
  await ports.compose('down', '--volumes');
}

/** The password is written before the script of the software makes an empty file for it. */
async function writeSecret({ files }: SetupPorts): Promise<string> {
  const found = files.read(places.password)?.trim() ?? '';
  if (/['\\\n]/.test(found))
    throw new SetupFailed(
      `the password in ${places.password} has a quote, a backslash or a line break: choose another one`,
    );
  if (found !== '') return found;
  const password = files.newSecret();
  await files.write(places.password, `${password}\n`, 0o600);
  return password;
}

async function writeSettings({ files }: SetupPorts, request: SetupRequest): Promise<void> {
  const { domain, publicHost, tunnelNetwork, beginsAnew } = request;
  const text = files.read(places.settings) ?? files.shipped('deploy/gateway.env.example');
  const label = publicHost.endsWith(`.${domain}`) ? publicHost.slice(0, -domain.length - 1) : 'gateway';
  // No box may publish the name of the tunnels. `gateway` is reserved in any case.
  const isNamed = label === 'gateway' || label.includes('.') || /^GATEWAY_RESERVED_SUBDOMAINS=/m.test(text);
  const reserved: Record<string, string> = isNamed ? {} : { GATEWAY_RESERVED_SUBDOMAINS: label };
  // The gateway finds the usual network out; a line of the operator counts for as long as wg-easy has its network.
  const isKnown = /^GATEWAY_TUNNEL_NETWORK=/m.test(text) ? !beginsAnew : tunnelNetwork === usualTunnelNetwork;
  const network: Record<string, string> = isKnown ? {} : { GATEWAY_TUNNEL_NETWORK: tunnelNetwork };
  await files.write(places.settings, withVariables(text, { GATEWAY_DOMAIN: domain, ...reserved, ...network }), 0o600);
}

/** Writes a file of the release. One that the operator has edited is kept beside it. */
async function writeOwn({ files, say }: SetupPorts, path: string, shipped: string, mode: number): Promise<void> {
  const text = withDigest(shipped);
  const found = files.read(path);
  if (found !== null && found !== text && isEdited(found)) {
    await files.write(`${path}.kept`, found, 0o600);
    say(`note: ${path} is replaced, and what you had written there is in ${path}.kept`);
  }
  await files.write(path, text, mode);
}

/** The variables of the Compose project. Those that are not set here stay as they are. */
async function writeVariables(
  { files }: SetupPorts,
  { domain, email, publicHost, tunnelNetwork, dnsProvider, authority }: SetupRequest,
  password: string,
  server: string,
  storage: string,
): Promise<void> {
  const values = {
    GATEWAY_DOMAIN: domain,
    GATEWAY_PUBLIC_HOST: publicHost,
    GATEWAY_TUNNEL_NETWORK: tunnelNetwork,
    GATEWAY_TUNNEL_PASSWORD: `'${password}'`,
    ACME_EMAIL: email,
    ACME_DNS_PROVIDER: dnsProvider ?? '',
    GATEWAY_ACME_SERVER: authority.real,
    GATEWAY_ACME_TRIAL_SERVER: authority.trial ?? '',
    ACME_SERVER: server,
    ACME_STORAGE: storage,
  };
  await files.write(places.variables, withVariables(files.read(places.variables) ?? '', values), 0o600);
}

/** A registry that is away does not stop the repair of a gateway that has its images. */
async function pullImages(ports: SetupPorts): Promise<void> {
  try {
    await ports.compose('pull');
  } catch (error) {
    if (!(error instanceof SetupFailed)) throw error;
    if (!(await runs(ports, 'wg-easy')) || !(await runs(ports, 'traefik'))) throw error;
    ports.say(`note: the images stay as they are: ${error.message}`);
  }
}

/**
 * Gets a certificate of the authority's address for trials first: its limits are wide, and a mistake costs none of the
 * few certificates that a domain gets a week. What a trial got is kept in memory only, so each trial asks anew.
 */
async function bringUpProxy(ports: SetupPorts, request: SetupRequest, password: string): Promise<void> {
  const { real, trial } = request.authority;
  const host = `gateway.${request.domain}`;
  ports.say('Traefik');
  const isTrusted = async () => (await certificateOf(ports, host))?.distrust === null;
  if (await isTrusted()) {
    await ports.compose('up', '-d', 'traefik');
    await waitFor(ports, certificateMs, isTrusted, certificateMissing);
    return;
  }
  const servesApps = (await certificateOf(ports, host)) !== null;
  try {
    if (trial !== null) {
      ports.say('a certificate for trials');
      await writeVariables(ports, request, password, trial, 'trial/acme.json');
      await obtain(ports, host, 'trial');
      await stopTrial(ports);
    }
    ports.say('the certificate');
    await writeVariables(ports, request, password, real, 'acme.json');
    await obtain(ports, host, 'real');
  } catch (error) {
    if (!(error instanceof SetupFailed)) throw error;
    await writeVariables(ports, request, password, real, 'acme.json');
    // It would ask again at each start. One with a certificate, such as one that has expired, serves its apps.
    await ports.compose(...(servesApps ? ['up', '-d', 'traefik'] : ['stop', 'traefik']));
    throw error;
  }
}

async function runs({ compose }: SetupPorts, service: 'wg-easy' | 'traefik'): Promise<boolean> {
  return (await compose('ps', '--services', '--status', 'running')).split(/\s+/).includes(service);
}

const certificateMissing =
  'the certificate is not there after 5 minutes: docker compose logs traefik in /etc/boxgate/gateway says why';

/** A new container tries again at once, and its log has no failure of an earlier one. */
async function obtain(ports: SetupPorts, host: string, kind: 'trial' | 'real'): Promise<void> {
  await ports.compose('up', '-d', '--force-recreate', 'traefik');
  const isThere = async () => {
    const certificate = await certificateOf(ports, host);
    if (certificate !== null && (kind === 'trial' || certificate.distrust === null)) return true;
    const failure = certificateFailure(await ports.compose('logs', '--no-color', 'traefik'));
    if (failure !== null) throw new SetupFailed(`no certificate for ${host}: ${failure}`);
    return false;
  };
  await waitFor(ports, certificateMs, isThere, certificateMissing);
}

/** The certificate for this name; null while the proxy shows its own one, or none. */
async function certificateOf(ports: SetupPorts, host: string) {
  const certificate = await ports.certificate(host);
  return certificate?.isForName === true ? certificate : null;
}

/** The parts have just started, so a finding counts when it stays. */
async function askDoctor(ports: SetupPorts): Promise<CommandResult> {
  const end = ports.now() + doctorMs;
  for (;;) {
    const outcome = await ports.doctor();
    if (outcome.status === 0 || ports.now() >= end) return outcome;
    await ports.pause(doctorPauseMs);
  }
}

async function waitFor(ports: SetupPorts, ms: number, holds: () => Promise<boolean>, otherwise: string): Promise<void> {
  const end = ports.now() + ms;
  while (!(await holds())) {
    if (ports.now() >= end) throw new SetupFailed(otherwise);
    await ports.pause(pollMs);
  }
}

function ownersLines(domain: string, took: string): string {
  return [
    `the gateway is ready: https://gateway.${domain}, after ${took}`,
    "A box's owner pastes these three lines on the box, and types the token that `sudo cat /etc/boxgate/box-token` shows here:",
    '  sudo apt install wireguard-tools nftables',
    '  read -rs BOX_REGISTRATION_TOKEN && export BOX_REGISTRATION_TOKEN',
    `  sudo --preserve-env=BOX_REGISTRATION_TOKEN boxgate tunnel join --gateway https://gateway.${domain} --name NAME`,
  ].join('\n');
}
