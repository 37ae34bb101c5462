import { shownName } from '../../lib/shown-text.ts';
import { declaredPorts } from '../app-files/catalogue.ts';
import type { Container } from '../engine/rules/container.ts';
import { type Finding, ok, problem } from '../rules/findings/finding.ts';
import { judgeCertificate } from '../rules/findings/judge-certificate.ts';
import type { HttpsBox } from './https-box.ts';
import { openUrls } from './named-apps.ts';
import { openNamedPort } from './rules/closed-ports.ts';
import { type HttpsSetting, isToClose, labelOwners, sitesOf } from './rules/names.ts';
import { labelsIn, siteFiles } from './rules/site-files.ts';

const about = 'names with HTTPS';
export const proxy = 'https://127.0.0.1';

const usualBox = '127.0.0.1:7000';

/** Caddy's files as they are, and as the latest look at the containers wants them. */
export async function plannedNames(
  { https, apps, states, selfUpdate, stateDirectory }: HttpsBox,
  setting: HttpsSetting,
): Promise<{ present: Map<string, string>; wanted: Map<string, string>; isSame: boolean }> {
  const present = https.read();
  const installed = apps.all('installed');
  const shown = states.of(installed);
  const named = installed.map(({ name }) => {
    const { state = 'unknown', open_ports: ports = [] } = shown.get(name) ?? {};
    return { name, state, ports, bound: states.boundPorts(name) };
  });
  const running = await selfUpdate.updateFiles.readRunning();
  const page = {
    ...{ template: https.pageTemplate(), consoleAddress: https.consoleAddress, folder: https.folder, stateDirectory },
    box: running === null ? usualBox : new URL(running.address).host,
  };
  const wanted = siteFiles(setting, page, sitesOf(named, labelsIn(present.keys())), present);
  const isSame = present.size === wanted.size && [...present].every(([name, text]) => wanted.get(name) === text);
  return { present, wanted, isSame };
}

/** The page, and each app that has a name: one line each. */
export function nameLines(box: HttpsBox): string[] {
  const domain = box.https.setting()?.domain;
  if (domain === undefined) return [];
  return [`https://${domain}/  the page`, ...[...openUrls(box)].map(([app, url]) => `${url}  ${shownName(app)}`)];
}

/** Apps that run and whose name cannot be part of a host name, or is that of another app. */
export function unnamedLines(box: HttpsBox): string[] {
  const installed = box.apps.all('installed');
  const owners = new Set(labelOwners(installed).values());
  const without = installed.filter(({ name }) => !owners.has(name));
  return without.map(({ name }) => `${shownName(name)} gets no name: rename its folder to letters, digits and hyphens`);
}

/** What is wrong with the names, in sentences. */
export async function namesProblems(box: HttpsBox): Promise<string[]> {
  if (box.https.setting() === null) return [];
  const { containers, failure } = await box.observer.look();
  if (failure !== null) return [failure.message, ...unnamedLines(box)];
  const problems = (await examineHttps(box, containers)).filter(({ verdict }) => verdict === 'problem');
  return [...unnamedLines(box), ...problems.map(({ text }) => text)];
}

/** Ports that are open though they are to be closed, as after `docker compose up` by hand. */
function openedPorts(box: HttpsBox, setting: HttpsSetting, containers: readonly Container[]): Finding[] {
  const named = openUrls(box);
  const apps = box.apps.all('installed').filter(({ name }) => named.has(name) && isToClose(setting, name));
  return apps.flatMap((one) => {
    const { name, path } = one;
    const own = containers.filter(({ workingDirectory }) => workingDirectory === path);
    const published = own.flatMap((container) => container.published);
    const port = openNamedPort(published, declaredPorts(box, one));
    if (port === undefined) return [];
    const app = shownName(name);
    const again = `a restart of ${app} repairs it, or says why not`;
    return [problem(about, `port ${port} of ${app} is open, though its name alone is to lead there: ${again}`)];
  });
}

/** For the doctor. Nothing without names. */
export async function examineHttps(box: HttpsBox, containers: readonly Container[]): Promise<Finding[]> {
  const { https, machine } = box;
  const setting = https.setting();
  if (setting === null) return [];
  const { domain, certificate } = setting;
  const { isSame } = await plannedNames(box, setting);
  const { problem: silent, distrust, certificateUntil } = await machine.ask(proxy, domain, '/apps');
  const again = '"Set up again" in the console, or boxgate box https setup, repairs it or says why not';
  const found = [
    ...(isSame ? [] : [problem(about, `they do not follow their apps: ${again}`)]),
    ...(silent === null ? [] : [problem(about, `Caddy does not answer for ${domain} (${silent}): ${again}`)]),
  ];
  found.push(...openedPorts(box, setting, containers));
  if (found.length > 0) return found;
  const right = ok(about, `https://${domain}/ and the names below it`);
  // Caddy's own authority gives certificates for hours, which only the owner's devices trust.
  if (certificate.by === 'local') return [right];
  return [right, judgeCertificate(domain, distrust, certificateUntil, box.now())];
}
