import { shownName } from '../../lib/shown-text.ts';
import type { CommandResult } from '../apps/app-commands.ts';
import { CaddyFailed, CertificateFailed } from '../https-ports.ts';
import { type BoxPorts, StorageFailed } from '../ports.ts';
import { lookupProblems, recordLines } from '../rules/https/judge-names.ts';
import type { HttpsSetting } from '../rules/https/names.ts';
import { asksForLogin, isQuotable, withImport, withoutImport } from '../rules/https/site-files.ts';
import { plannedNames } from './follow-names.ts';
import { nameLines, unnamedLines } from './https-status.ts';

/** `password`: of a new login. `isOpen`: the names need no login, even if the plain page has one. */
type SetUp = { setting: HttpsSetting; resolver: string | null; password?: string | null; isOpen?: boolean };

/** Something that only the wildcard record has an address for. */
export const anyLabel = 'boxgate-check';

/**
 * Gives the page and each app a name with HTTPS. Everything is asked before anything changes, and what fails is taken
 * back. A second run repairs.
 */
export async function setUpHttps(
  box: BoxPorts,
  { setting: asked, resolver, password = null, isOpen = false }: SetUp,
): Promise<CommandResult> {
  const { https } = box;
  const missing = await missingFor(box, asked, { resolver, isOpen });
  if (missing.length > 0) return failed([...missing, 'nothing was changed']);
  const { failure } = await box.observer.look();
  if (failure !== null) return failed([failure.message, 'nothing was changed']);
  try {
    const setting = await withHash(box, asked, password);
    const { domain, certificate } = setting;
    const pem = certificate.by === 'dns' ? await https.certificates.obtain({ domain, certificate }) : null;
    return await https.inTurn(() => finish(box, setting, pem));
  } catch (error) {
    if (!isFailure(error)) throw error;
    return failed([error.message, 'nothing was changed']);
  }
}

async function withHash({ https }: BoxPorts, setting: HttpsSetting, password: string | null): Promise<HttpsSetting> {
  if (setting.login === null || password === null) return setting;
  return { ...setting, login: { ...setting.login, hash: await https.caddy.hash(password) } };
}

async function finish(box: BoxPorts, setting: HttpsSetting, pem: string | null): Promise<CommandResult> {
  const { https } = box;
  await carryOut(box, setting, pem);
  const lines = [...nameLines(box), ...unnamedLines(box), ...loginLines(setting)];
  if (pem !== null) return { status: 0, text: [...lines, ...(await renewalLines(box)), ...openLines(box)].join('\n') };
  const root = await https.caddy.rootCertificate(setting.caddyfile);
  if (root !== null) await https.keepRootCertificate(root);
  return { status: 0, text: [...lines, ...rootLines(box, setting), ...openLines(box)].join('\n') };
}

function isFailure(error: unknown): error is Error {
  return error instanceof CaddyFailed || error instanceof CertificateFailed || error instanceof StorageFailed;
}

/** The names work without it, for now. */
async function renewalLines({ https }: BoxPorts): Promise<string[]> {
  try {
    await https.timer.enable();
    return ['the certificate is renewed by itself: systemctl list-timers boxgate-https.timer'];
  } catch (error) {
    if (!(error instanceof StorageFailed)) throw error;
    return [`nothing renews the certificate: ${error.message}; run boxgate box https renew each day`];
  }
}

async function missingFor(
  box: BoxPorts,
  { domain, caddyfile, certificate, login }: HttpsSetting,
  { resolver, isOpen }: { resolver: string | null; isOpen: boolean },
) {
  const { https, machine } = box;
  if (!isQuotable(https.folder))
    return [`Caddy cannot read files below ${https.folder}: its name has special characters`];
  try {
    await https.caddy.version();
  } catch (error) {
    if (error instanceof CaddyFailed) return [error.message];
    throw error;
  }
  const text = https.readCaddyfile(caddyfile);
  if (text === null) return [`there is no ${caddyfile}: cp /opt/boxgate/current/deploy/proxy/Caddyfile ${caddyfile}`];
  if (login === null && !isOpen && asksForLogin(text))
    return [`${caddyfile} asks for a login, and the names would ask for none: add --login NAME, or --no-login`];
  const missing = certificate.by === 'dns' ? await https.certificates.missing(certificate) : null;
  if (missing !== null) return [missing];
  const hosts = [domain, `${anyLabel}.${domain}`];
  const lookups = await Promise.all(hosts.map(async (host) => ({ host, found: await https.resolve(host, resolver) })));
  const problems = lookupProblems(lookups, machine.addresses());
  return problems.length === 0 ? [] : [...problems, ...recordLines(domain, https.homeAddresses())];
}

/** Files first, then the line that makes Caddy read them. */
async function carryOut(box: BoxPorts, setting: HttpsSetting, pem: string | null): Promise<void> {
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
export async function endHttps(box: BoxPorts): Promise<CommandResult> {
  const { https } = box;
  return https.inTurn(async () => {
    const setting = https.setting();
    if (setting === null) return { status: 0, text: 'there are no names with HTTPS' };
    const { caddyfile } = setting;
    const text = https.readCaddyfile(caddyfile);
    if (text !== null) await https.writeCaddyfile(caddyfile, withoutImport(text, https.folder));
    await https.keep(null);
    await https.certificates.forget();
    if (setting.certificate.by === 'dns') await https.timer.disable().catch(unlessStorage);
    const end = 'the names with HTTPS have ended; the plain addresses work as before';
    try {
      await https.caddy.reload(caddyfile, false);
    } catch (error) {
      if (!(error instanceof CaddyFailed)) throw error;
      return failed([end, `${error.message}; until it reads ${caddyfile} again, it serves them`]);
    }
    return { status: 0, text: end };
  });
}

/** The plain addresses do not ask for the login of the names. */
function loginLines({ login, caddyfile }: HttpsSetting): string[] {
  if (login === null) return [];
  const what = { all: 'the page and the apps', page: 'the page', apps: 'the apps' }[login.of];
  const except = login.except.length === 0 ? '' : `, but not for ${login.except.map(shownName).join(', ')}`;
  const asks = `Caddy asks for the login ${login.name} for ${what}${except}`;
  const plain = `the plain page asks for none: switch its login on in ${caddyfile}, as deploy/proxy says`;
  return login.of === 'apps' ? [asks] : [asks, plain];
}

/** Without a service manager there is no timer. */
function unlessStorage(error: unknown): void {
  if (!(error instanceof StorageFailed)) throw error;
}

function rootLines(box: BoxPorts, { domain }: HttpsSetting): string[] {
  if (box.https.rootCertificate() === null)
    return ['Caddy does not show its root certificate: it is in its data folder, pki/authorities/local/root.crt'];
  return [
    `each device has to trust ${box.https.folder}/root.crt once: the console has it, with the steps, at https://${domain}/settings/#/names`,
  ];
}

/** Names the ports that stay open beside the names. */
function openLines({ apps, states }: BoxPorts): string[] {
  const open = [...states.of(apps.all('installed'))].flatMap(([name, { open_ports: ports }]) =>
    (ports ?? []).filter(({ loopback }) => loopback !== true).map(({ port }) => `${port} (${shownName(name)})`),
  );
  return open.length === 0 ? [] : [`the plain ports stay open beside the names: ${open.join(', ')}`];
}

function failed(lines: readonly string[]): CommandResult {
  return { status: 1, text: lines.join('\n') };
}
