import { shownName } from '../../lib/shown-text.ts';
import type { CommandResult } from '../apps/app-commands.ts';
import { CaddyFailed } from '../https-ports.ts';
import { type BoxPorts, StorageFailed } from '../ports.ts';
import { lookupProblems, recordLines } from '../rules/https/judge-names.ts';
import type { HttpsSetting } from '../rules/https/names.ts';
import { isQuotable, withImport, withoutImport } from '../rules/https/site-files.ts';
import { plannedNames } from './follow-names.ts';
import { nameLines, unnamedLines } from './https-status.ts';

type SetUp = { setting: HttpsSetting; resolver: string | null };

/** Something that only the wildcard record has an address for. */
export const anyLabel = 'boxgate-check';

/**
 * Gives the page and each app a name with HTTPS. Everything is asked before anything changes, and what fails is taken
 * back. A second run repairs.
 */
export async function setUpHttps(box: BoxPorts, { setting, resolver }: SetUp): Promise<CommandResult> {
  const { https } = box;
  const missing = await missingFor(box, setting, resolver);
  if (missing.length > 0) return failed([...missing, 'nothing was changed']);
  const { failure } = await box.observer.look();
  if (failure !== null) return failed([failure.message, 'nothing was changed']);
  return https.inTurn(async () => {
    try {
      await carryOut(box, setting);
    } catch (error) {
      if (!(error instanceof CaddyFailed || error instanceof StorageFailed)) throw error;
      return failed([error.message, 'nothing was changed']);
    }
    const root = await https.caddy.rootCertificate(setting.caddyfile);
    if (root !== null) await https.keepRootCertificate(root);
    return {
      status: 0,
      text: [...nameLines(box), ...unnamedLines(box), ...rootLines(box, setting), ...openLines(box)].join('\n'),
    };
  });
}

async function missingFor(box: BoxPorts, { domain, caddyfile }: HttpsSetting, resolver: string | null) {
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
  const hosts = [domain, `${anyLabel}.${domain}`];
  const lookups = await Promise.all(hosts.map(async (host) => ({ host, found: await https.resolve(host, resolver) })));
  const problems = lookupProblems(lookups, machine.addresses());
  return problems.length === 0 ? [] : [...problems, ...recordLines(domain, https.homeAddresses())];
}

/** Files first, then the line that makes Caddy read them. */
async function carryOut(box: BoxPorts, setting: HttpsSetting): Promise<void> {
  const { https } = box;
  const before = https.setting();
  const caddyfile = https.readCaddyfile(setting.caddyfile) ?? '';
  const { present, wanted } = await plannedNames(box, setting);
  await https.caddy.validate(wanted);
  try {
    await https.makeFolder();
    await https.write(wanted);
    await https.writeCaddyfile(setting.caddyfile, withImport(caddyfile, https.folder));
    await https.keep(setting);
    await https.caddy.reload(setting.caddyfile);
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
    const end = 'the names with HTTPS have ended; the plain addresses work as before';
    try {
      await https.caddy.reload(caddyfile);
    } catch (error) {
      if (!(error instanceof CaddyFailed)) throw error;
      return failed([end, `${error.message}; until it reads ${caddyfile} again, it serves them`]);
    }
    return { status: 0, text: end };
  });
}

function rootLines(box: BoxPorts, { certificate, domain }: HttpsSetting): string[] {
  if (certificate.by !== 'local') return [];
  if (box.https.rootCertificate() === null)
    return ['Caddy does not show its root certificate: it is in its data folder, pki/authorities/local/root.crt'];
  return [
    `each device has to trust ${box.https.folder}/root.crt once: the console has it, with the steps, at https://${domain}/settings/#/names`,
  ];
}

/** What stays open beside the names. */
function openLines({ apps, states }: BoxPorts): string[] {
  const open = [...states.of(apps.all('installed'))].flatMap(([name, { open_ports: ports }]) =>
    (ports ?? []).filter(({ loopback }) => loopback !== true).map(({ port }) => `${port} (${shownName(name)})`),
  );
  return open.length === 0 ? [] : [`the plain ports stay open beside the names: ${open.join(', ')}`];
}

function failed(lines: readonly string[]): CommandResult {
  return { status: 1, text: lines.join('\n') };
}
