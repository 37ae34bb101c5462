import type { CommandResult } from '../../lib/command-result.ts';
import { ignore } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { StorageFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { asChange } from '../logged-change.ts';
import { isLoopback } from '../rules/compose/published-ports.ts';
import type { HttpsBox, SetUpBox } from './https-box.ts';
import { nameLines, plannedNames, proxy, unnamedLines } from './https-status.ts';
import { missingFor, type SetUp } from './missing-for-setup.ts';
import { plainPageLines } from './plain-page.ts';
import { CaddyFailed, isFailure } from './ports.ts';
import { type HttpsSetting, loginPlaces } from './rules/names.ts';
import { withImport, withoutImport } from './rules/site-files.ts';

const answerMs = 10_000;
const pollMs = 250;

/**
 * Gives the page and each app a name with HTTPS. Everything is asked before anything changes, and what fails is taken
 * back. A second run repairs.
 */
export async function setUpHttps(box: SetUpBox, asked: SetUp): Promise<CommandResult> {
  const { https } = box;
  let isDone = false;
  let undo = async () => {};
  try {
    const missing = await missingFor(box, asked);
    if (missing.length > 0) return failed([...missing, 'nothing was changed']);
    let setting = withPublished(box, await withHash(box, asked));
    if (setting.certificate.by === 'dns' && asked.credentials != null) {
      const kept = await https.keepCredentials(asked.credentials);
      undo = kept.undo;
      setting = { ...setting, certificate: { ...setting.certificate, variables: kept.file } };
    }
    const { domain, certificate } = setting;
    const pem = certificate.by === 'dns' ? await https.certificates.obtain({ domain, certificate }) : null;
    const doesClose = (https.setting()?.closing ?? setting.closing) !== null;
    const { lines, problems } = await inTurn(box, doesClose, async () => {
      const before = https.setting();
      await carryOut(box, setting, pem);
      isDone = true;
      return finish(box, setting, pem, before?.closing ?? null);
    });
    return {
      status: problems.length === 0 ? 0 : 1,
      text: [...lines, ...problems, ...(await openLines(box))].join('\n'),
    };
  } catch (error) {
    if (!isDone) await undo();
    if (!isFailure(error)) throw error;
    return failed([error.message, isDone ? 'the names are there; run this again' : 'nothing was changed']);
  }
}

/** Caddy has taken its files, which does not say that it serves them. It may need a moment, to make its certificate. */
async function silenceLines({ machine, now, pause }: SetUpBox, { domain, caddyfile }: HttpsSetting): Promise<string[]> {
  const end = now().getTime() + answerMs;
  for (;;) {
    const { problem } = await machine.ask(proxy, domain, '/apps');
    if (problem === null) return [];
    if (now().getTime() >= end)
      return [
        `Caddy does not serve https://${domain}/ (${problem}): journalctl -u caddy says why, and the options at the head of ${caddyfile} may be the reason`,
      ];
    await pause(pollMs);
  }
}

async function withHash({ https }: SetUpBox, { setting, password = null }: SetUp): Promise<HttpsSetting> {
  if (setting.login === null || 'file' in setting.login || password === null) return setting;
  return { ...setting, login: { ...setting.login, hash: await https.caddy.hash(password) } };
}

/** Lines for the owner. The command fails if there are problems. */
type Report = { lines: string[]; problems: string[] };

async function finish(
  box: SetUpBox,
  setting: HttpsSetting,
  pem: string | null,
  closingBefore: HttpsSetting['closing'],
): Promise<Report> {
  const { https } = box;
  const problems = await silenceLines(box, setting);
  if (problems.length > 0 && setting.closing !== null && closingBefore === null) {
    // Without its name, a closed app would be reached nowhere.
    await https.keep({ ...setting, closing: null });
    problems.push('so no port was closed');
  }
  const lines = [
    ...[...nameLines(box), ...unnamedLines(box), ...(await loginLines(box, setting)), ...publishedLines(box, setting)],
    ...unknownLines(box, setting),
  ];
  if (pem !== null) return { lines: [...lines, ...(await renewalLines(box))], problems };
  const root = await https.caddy.rootCertificate(setting.caddyfile);
  if (root !== null) await https.keepRootCertificate(root);
  return { lines: [...lines, ...rootLines(box, setting)], problems };
}

/** With `doesClose` the ports of the apps follow before another change begins. */
async function inTurn(box: SetUpBox, doesClose: boolean, work: () => Promise<Report>): Promise<Report> {
  if (!doesClose) return box.https.inTurn(work);
  return box.changes.run(async () => {
    const { lines, problems } = await box.https.inTurn(work);
    const change = { operation: 'reconcile', subject: '', by: 'boxgate box https' };
    const actions = await asChange(box.journal, change, () => reconcile(box, null, undefined, { pulls: false }));
    const failures = actions.filter(({ kind }) => kind === 'error');
    return { lines, problems: [...problems, ...failures.map(({ target, detail }) => `${target}: ${detail}`)] };
  });
}

/** The gateway reaches a published app only at an open port. */
function publishedApps({ apps, addresses }: SetUpBox): string[] {
  const published = apps.all('installed').filter(({ path }) => addresses.urls().has(path));
  return published.map(({ name }) => name);
}

function withPublished(box: SetUpBox, setting: HttpsSetting): HttpsSetting {
  if (setting.closing === null) return setting;
  return { ...setting, closing: { except: [...new Set([...setting.closing.except, ...publishedApps(box)])] } };
}

function publishedLines(box: SetUpBox, { closing }: HttpsSetting): string[] {
  const names = closing === null ? [] : publishedApps(box).map(shownName);
  return names.map((name) => `the ports of ${name} stay open, because the gateway reaches the app there`);
}

/** A name that is spelt wrong leaves out no app. */
function unknownLines({ apps }: SetUpBox, { closing, login }: HttpsSetting): string[] {
  const installed = new Set(apps.all('installed').map(({ name }) => name));
  const excepted = new Set([...(closing?.except ?? []), ...(login?.except ?? [])]);
  const unknown = [...excepted].filter((name) => !installed.has(name));
  return unknown.map((name) => `note: ${shownName(name)}, which is to be left out, is not installed`);
}

/** The names work without it, for now. */
async function renewalLines({ https }: SetUpBox): Promise<string[]> {
  try {
    await https.timer.enable();
    return ['the certificate is renewed by itself: systemctl list-timers boxgate-https.timer'];
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error;
    return [`nothing renews the certificate: ${error.message}; run boxgate box https renew each day`];
  }
}

/** Files first, then the line that makes Caddy read them. */
async function carryOut(box: SetUpBox, setting: HttpsSetting, pem: string | null): Promise<void> {
  const { https } = box;
  const before = https.setting();
  const caddyfile = https.readCaddyfile(setting.caddyfile) ?? '';
  const { present, wanted } = await plannedNames(box, setting);
  try {
    await https.makeFolder();
    if (pem !== null) await https.keepCertificate(pem);
    await https.caddy.validate(wanted);
    await https.write(wanted);
    // After this, a second run and the end know what there is.
    await https.keep(setting);
    await https.writeCaddyfile(setting.caddyfile, withImport(caddyfile, https.folder));
    await https.caddy.reload(setting.caddyfile, pem !== null);
  } catch (error) {
    await https.writeCaddyfile(setting.caddyfile, caddyfile);
    if (before !== null) await https.write(present);
    await https.keep(before);
    throw error;
  }
}

/** Takes everything back that `setUpHttps` made. */
export async function endHttps(box: SetUpBox): Promise<CommandResult> {
  const setting = box.https.setting();
  // A run that was cut off, or an app that could not be brought up, leaves closed ports.
  const closes = setting?.closing != null || [...box.records.load().values()].some(({ isClosed }) => isClosed);
  const none: Report = { lines: ['there are no names with HTTPS'], problems: [] };
  const work = async () => (setting === null ? none : takeBack(box, setting));
  const { lines, problems } = setting === null && !closes ? none : await inTurn(box, closes, work);
  return { status: problems.length === 0 ? 0 : 1, text: [...lines, ...problems].join('\n') };
}

async function takeBack({ https }: SetUpBox, { caddyfile, certificate }: HttpsSetting): Promise<Report> {
  const text = https.readCaddyfile(caddyfile);
  if (text !== null) await https.writeCaddyfile(caddyfile, withoutImport(text, https.folder));
  await https.keep(null);
  await https.certificates.forget();
  // Without a service manager there is no timer.
  if (certificate.by === 'dns') await https.timer.disable().catch(ignore(StorageFailed, () => undefined));
  const lines = ['the names with HTTPS have ended; the plain addresses work as before'];
  const served = ({ message }: CaddyFailed) => [`${message}; until it reads ${caddyfile} again, it serves them`];
  const reload = https.caddy.reload(caddyfile, false);
  const problems = await reload.then(() => [], ignore(CaddyFailed, served));
  return { lines, problems };
}

/** What `boxgate-https.service` does each day: renews the certificate if it is due, and lets Caddy read it. */
export async function renewHttps({ https }: Pick<HttpsBox, 'https'>): Promise<CommandResult> {
  const setting = https.setting();
  if (setting === null || setting.certificate.by === 'local')
    return { status: 0, text: 'there is no certificate to renew' };
  const { domain, caddyfile, certificate } = setting;
  try {
    const pem = await https.certificates.obtain({ domain, certificate });
    return await https.inTurn(async () => {
      const isNew = await https.keepCertificate(pem);
      // Caddy does not watch the file. After a renewal that could not be read, the next day asks for it again.
      await https.caddy.reload(caddyfile, true);
      return { status: 0, text: isNew ? 'the certificate was renewed' : 'the certificate is not due yet' };
    });
  } catch (error) {
    if (!isFailure(error)) throw error;
    return failed([error.message]);
  }
}

/** The plain addresses do not ask for the login of the names. */
async function loginLines(box: SetUpBox, { login, caddyfile }: HttpsSetting): Promise<string[]> {
  if (login === null) return [];
  const except = login.except.length === 0 ? '' : `, but not for ${login.except.map(shownName).join(', ')}`;
  const by = 'file' in login ? `a login, as ${login.file} says,` : `the login ${login.name}`;
  const asks = `Caddy asks for ${by} for ${loginPlaces[login.of]}${except}`;
  return login.of === 'apps' ? [asks] : [asks, ...(await plainPageLines(box, caddyfile))];
}

function rootLines(box: SetUpBox, { domain }: HttpsSetting): string[] {
  if (box.https.rootCertificate() === null)
    return ['Caddy does not show its root certificate: it is in its data folder, pki/authorities/local/root.crt'];
  return [
    `each device has to trust ${box.https.folder}/root.crt once: the console has it, with the steps, at https://${domain}/settings/#/https`,
  ];
}

/** Names the ports that stay open beside the names. */
async function openLines({ apps, https, observer, states }: SetUpBox): Promise<string[]> {
  const { containers } = await observer.look();
  const installed = apps.all('installed');
  const shown = states.of(installed);
  const open = installed.flatMap(({ name, path }) => {
    const own = containers.filter(({ workingDirectory }) => workingDirectory === path);
    const published = own.flatMap((one) => one.published).filter(({ address }) => !isLoopback(address));
    const opened = (shown.get(name)?.open_ports ?? []).filter(({ loopback }) => loopback !== true);
    const texts = published.map(({ hostPort, protocol }) =>
      protocol === 'tcp' ? `${hostPort}` : `${hostPort}/${protocol}`,
    );
    return [...new Set([...opened.map(({ port }) => `${port}`), ...texts])].map(
      (port) => `${port} (${shownName(name)})`,
    );
  });
  if (open.length === 0) return [];
  const line = `the plain ports stay open beside the names: ${open.join(', ')}`;
  return [https.setting()?.closing ? line : `${line} (--close-ports closes those that a name leads to)`];
}

function failed(lines: readonly string[]): CommandResult {
  return { status: 1, text: lines.join('\n') };
}
