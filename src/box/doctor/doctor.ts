import { isOfSnap, ofSnap } from '../../lib/docker-of-snap.ts';
import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { brokenCatalogueApps } from '../app-files/catalogue.ts';
import { makeMask } from '../app-files/secrets.ts';
import { portsOfServices } from '../app-files/taken-ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { StorageFailed } from '../core.ts';
import { missingDisks } from '../engine/disks.ts';
import type { MachineParts } from '../machine.ts';
import { overlap } from '../rules/compose/port-span.ts';
import { type Finding, off, ok, problem, unknown } from '../rules/findings/finding.ts';
import { judgeCertificate } from '../rules/findings/judge-certificate.ts';
import { isSameStart } from '../rules/text/same-start.ts';
import type { SelfUpdateParts } from '../self-update.ts';
import { judgeClock, judgeMode, judgeName, judgeVersion } from './rules/judge.ts';

export type DoctorBox = AppsBox & MachineParts & SelfUpdateParts;

/** The oldest versions that the tests on a real engine run with. */
const tested = { docker: [20, 10], compose: [2, 26] } as const;
/** Registries of images have a clock that is right, and Docker asks this one anyway. */
const otherClock = { server: 'https://registry-1.docker.io', path: '/v2/' };
const localServers = ['https://127.0.0.1', 'http://127.0.0.1'];
const units = ['boxgate-box.service', 'boxgate-console.service'];

/** What is found first is what the rest needs. */
const order = [
  ...['boxgate', 'Docker', 'Compose', 'apps', 'app', 'catalogue', 'store', 'disk', 'mounts', 'clock', 'name', 'proxy'],
  ...['certificate', 'names with HTTPS', 'public addresses', 'backups', 'updates of apps', 'notifications', 'services'],
  'permissions',
];

/**
 * Looks at everything that the box needs, and says of each part whether it is right and what to do, without
 * secrets of apps. Changes nothing.
 */
export async function shownFindings(box: DoctorBox): Promise<Finding[]> {
  const parts = [
    examineServer,
    examineDocker,
    examineApps,
    examineCatalogue,
    examineMounts,
    examineClock,
    examineNames,
    examineProxy,
    examineNamesWithHttps,
    examineTunnel,
    examineUnits,
    examineFiles,
  ];
  const subjects = box.subjects.flatMap(({ examine }) => examine ?? []);
  const all = [...parts.map((part) => () => part(box)), ...subjects].map(orFailure);
  const mask = makeMask(box);
  const shown = (await Promise.all(all)).flat().map((one) => ({ ...one, text: shownName(mask(one.text)) }));
  return shown.sort((a, b) => order.indexOf(a.about) - order.indexOf(b.about));
}

/** A disk that cannot be read is a finding, and the other parts go on. */
async function orFailure(part: () => Promise<Finding[]>): Promise<Finding[]> {
  return part().catch(ignore(StorageFailed, (error) => [problem('disk', error.message)]));
}

async function examineServer(box: DoctorBox): Promise<Finding[]> {
  const about = 'boxgate';
  const running = await box.selfUpdate.updateFiles.readRunning();
  const start = '; systemctl start boxgate-box starts it, and journalctl -u boxgate-box says why it ended';
  if (running === null) return [problem(about, `the server has never run${start}`)];
  const { server, problem: failure } = await box.machine.ask(running.address, 'localhost', '/apps');
  if (failure !== null) return [problem(about, `no server answers at ${running.address} (${failure})${start}`)];
  if (server === `boxgate/${box.selfUpdate.version}`) return [ok(about, `version ${box.selfUpdate.version} answers`)];
  const found = server === '' ? 'another program' : server;
  const other = `${found} answers at ${running.address}, and this is boxgate ${box.selfUpdate.version}`;
  return [problem(about, `${other}: systemctl restart boxgate-box`)];
}

async function examineDocker({ machine }: DoctorBox): Promise<Finding[]> {
  const [docker, compose, data] = await Promise.all([
    machine.run(['docker', 'version', '--format', '{{.Server.Version}}']),
    machine.run(['docker', 'compose', 'version', '--short']),
    machine.run(['docker', 'info', '--format', '{{.DockerRootDir}}']),
  ]);
  if (isOfSnap(data.out)) return [problem('Docker', ofSnap)];
  const start = 'systemctl start docker starts it, and journalctl -u docker says why it ended';
  const install = 'install the package docker-compose-plugin or docker-compose-v2';
  const silent = (about: string, why: string, advice: string) =>
    problem(about, `it does not answer (${why}): ${advice}`);
  return [
    docker.problem === null
      ? judgeVersion('Docker', docker.out, tested.docker)
      : silent('Docker', docker.problem, start),
    compose.problem === null
      ? judgeVersion('Compose', compose.out, tested.compose)
      : silent('Compose', compose.problem, install),
  ];
}

async function examineApps(box: DoctorBox): Promise<Finding[]> {
  const apps = box.apps.all('installed');
  const { containers, failure } = await box.observer.look();
  if (failure !== null) return [unknown('apps', `Docker does not say what they do: ${failure.message}`)];
  const states = box.states.of(apps);
  const isDown = (state = '') => state !== 'running' && state !== 'starting';
  const missing = missingDisks(box);
  const down = [...states].filter(
    ([name, { state, stopped_at: at }]) => isDown(state) && at === undefined && !missing.has(name),
  );
  const listening = box.sockets.listening();
  const published = containers.flatMap((one) => one.published);
  const records = box.records.load();
  const findings = down.map(([name, { state_detail: detail = '' }]) => {
    const wanted = portsOfServices(records.get(name)?.model);
    const held = wanted.find((port) => listening.some((socket) => overlap(port, socket)));
    const isOfApp = published.some(
      ({ hostPort }) => held !== undefined && held.from <= hostPort && hostPort <= held.to,
    );
    const holder = isOfApp ? 'another app has' : 'another program has';
    const why = held === undefined ? '' : ` Port ${held.from} is taken: ${holder} it.`;
    return problem('app', `${name} is down. ${detail}${why}`);
  });
  const broken = apps.filter(({ manifest }) => manifest === null).length;
  const stopped = [...states.values()].filter(({ stopped_at: at }) => at !== undefined).length;
  const running = stopped === 0 ? 'all run' : `all run but ${stopped} that you stopped`;
  const text = apps.length === 0 ? 'none is installed' : `${apps.length - broken} installed, and ${running}`;
  return findings.length > 0 || missing.size > 0 ? findings : [ok('apps', text)];
}

async function examineCatalogue(box: DoctorBox): Promise<Finding[]> {
  return brokenCatalogueApps(box).map(({ path, error }) => problem('catalogue', `${path} is not offered: ${error}`));
}

async function examineMounts(box: DoctorBox): Promise<Finding[]> {
  const missing = missingDisks(box);
  if (missing.size === 0) return [ok('mounts', 'every disk that an app had is there')];
  return [...missing].map(([app, text]) => problem('mounts', `${app} is not started: ${text}`));
}

async function examineClock({ machine, now }: DoctorBox): Promise<Finding[]> {
  const [other, kept] = await Promise.all([
    machine.ask(otherClock.server, new URL(otherClock.server).host, otherClock.path),
    machine.run(['timedatectl', 'show', '--property=NTPSynchronized', '--value']),
  ]);
  const time = Date.parse(other.date);
  const isKnown = kept.problem === null && /^(?:yes|no)$/.test(kept.out);
  return [judgeClock(Number.isNaN(time) ? null : now().getTime() - time, isKnown ? kept.out === 'yes' : null)];
}

async function examineNames({ machine, names }: DoctorBox): Promise<Finding[]> {
  const own = machine.addresses();
  return Promise.all(names.map(async (name) => judgeName(name, await machine.resolve(name), own)));
}

const noProxy =
  'nothing listens on the ports 80 and 443 of this machine, so other devices do not reach the page: deploy/proxy/README.md says how to set one up';

/** Asks the proxy of this machine for the page, as a browser would. */
async function examineProxy(box: DoctorBox): Promise<Finding[]> {
  // What the names need is more than this.
  if (box.https.setting() !== null) return [];
  const about = 'proxy';
  const host = box.names[0] ?? box.hostName;
  const running = await box.selfUpdate.updateFiles.readRunning();
  const direct = running === null ? null : await box.machine.ask(running.address, 'localhost', '/apps');
  const answers = await Promise.all(localServers.map((server) => box.machine.ask(server, host, '/apps')));
  if (direct === null || direct.status === 0) return [unknown(about, 'it can be judged only while the server answers')];
  const isPage = (text: string) => isSameStart(text, direct.text);
  const [tls] = answers;
  const found = answers.find(({ status, text }) => isPage(text) || status === 401);
  const certificate =
    tls === found && tls !== undefined ? [judgeCertificate(host, tls.distrust, tls.certificateUntil, box.now())] : [];
  if (found !== undefined) {
    const how = found.status === 401 ? 'asks for a login' : 'shows the page';
    return [ok(about, `it ${how} at ${found === tls ? 'https' : 'http'}://${host}/apps`), ...certificate];
  }
  const heard = answers.find(({ status }) => status !== 0);
  if (heard === undefined) return [unknown(about, noProxy)];
  const instead = `it answers ${heard.status} for ${host}/apps, and not with the page`;
  return [problem(about, `${instead}: compare its settings with deploy/proxy`)];
}

/** Needs a look at the containers. */
async function examineNamesWithHttps(box: DoctorBox): Promise<Finding[]> {
  if (box.https.setting() === null) return [];
  const { containers, failure } = await box.observer.look();
  return failure === null ? (await import('../https/https-status.ts')).examineHttps(box, containers) : [];
}

async function examineTunnel({ addresses }: DoctorBox): Promise<Finding[]> {
  const problems = await addresses.problems();
  if (problems === null)
    return [off('public addresses', 'no app can be opened from outside: this box has not joined a gateway')];
  if (problems.length === 0) return [ok('public addresses', 'the tunnel is up, and every name leads to its app')];
  return problems.map((text) => problem('public addresses', text));
}

async function examineUnits({ machine }: DoctorBox): Promise<Finding[]> {
  const about = 'services';
  const listed = await machine.run(['systemctl', 'list-units', '--all', '--plain', '--no-legend', 'boxgate-*']);
  if (listed.problem !== null) return [unknown(about, `systemd does not list them: ${listed.problem}`)];
  const rows = listed.out.split('\n').map((line) => line.trim().split(/\s+/));
  if (!rows.some(([unit = '']) => unit.startsWith('boxgate-'))) {
    const byHand = 'boxgate was started by hand, so it does not start with this machine';
    return [unknown(about, `${byHand}: deploy/install.sh makes a service of it`)];
  }
  const failed = rows.filter(([, , active]) => active === 'failed').map(([unit = '']) => unit);
  const isActive = (name: string) => rows.some(([unit, , active]) => unit === name && active === 'active');
  const stopped = units.filter((unit) => !isActive(unit) && !failed.includes(unit));
  const orInstall = 'if there is none, run deploy/install.sh of /opt/boxgate/current';
  const texts = [
    ...failed.map((unit) => `${unit} failed: journalctl -u ${unit} says why`),
    ...stopped.map((unit) => `${unit} does not run: systemctl enable --now ${unit}; ${orInstall}`),
  ];
  return texts.length > 0 ? texts.map((text) => problem(about, text)) : [ok(about, 'all of boxgate run')];
}

async function examineFiles(box: DoctorBox): Promise<Finding[]> {
  const own = ['backup.key', 'notify-address', 'tunnel.json', 'tunnel.conf'];
  const certificate = box.https.setting()?.certificate;
  const paths = [
    ...own.map((name) => `${box.stateDirectory}/${name}`),
    ...box.apps.all('installed').map(({ path }) => `${path}/.env`),
    '/etc/boxgate/backup.env',
    ...(certificate?.by === 'dns' ? [certificate.variables] : []),
  ];
  const findings = paths.flatMap((path) => judgeMode(path, box.machine.mode(path) ?? 0) ?? []);
  return findings.length > 0 ? findings : [ok('permissions', 'other users of this machine cannot read a secret')];
}
