import type { SetUpBox } from './https-box.ts';
import { composeProblem } from './rules/closed-ports.ts';
import { lookupProblems, recordLines } from './rules/judge-names.ts';
import type { HttpsSetting } from './rules/names.ts';
import { asksForLogin, importedFiles, isQuotable } from './rules/site-files.ts';

/** What a setup gets. */
export type SetUp = {
  setting: HttpsSetting;
  /** The password of a new login. */
  password?: string | null;
  /** The names need no login, even if the plain page has one. */
  isOpen?: boolean;
  /** The variables of the provider as the owner typed them, for a file; `null` if the setting's file has them. */
  credentials?: string | null;
};

/** Something that only the wildcard record has an address for. */
const anyLabel = 'boxgate-check';

/** Why nothing can be set up now, in sentences; empty if nothing is missing. Changes nothing. Also throws an `isFailure`. */
export async function missingFor(
  box: SetUpBox,
  { setting, isOpen = false, credentials = null }: SetUp,
): Promise<string[]> {
  const { domain, caddyfile, certificate, login, closing, resolver = null } = setting;
  const { https, machine } = box;
  const loginFile = login !== null && 'file' in login ? login.file : null;
  const odd = [https.folder, loginFile ?? ''].find((path) => !isQuotable(path));
  if (odd !== undefined) return [`Caddy cannot read ${odd}: its name has special characters`];
  await https.caddy.version();
  const text = https.readCaddyfile(caddyfile);
  if (text === null) return [`there is no ${caddyfile}: cp /opt/boxgate/current/deploy/proxy/Caddyfile ${caddyfile}`];
  const readOnly = await https.caddyfileProblem(caddyfile);
  if (readOnly !== null) return [readOnly];
  const lines = loginFile === null ? '' : https.readCaddyfile(loginFile);
  if (lines === null) return [`there is no ${loginFile}: deploy/proxy/README.md has an example`];
  const isEmpty = lines.split('\n').every((line) => /^(?:#|$)/.test(line.trim()));
  if (loginFile !== null && isEmpty) return [`${loginFile} has no line that asks for a login`];
  // Root reads it for a reload, so this would be seen at Caddy's next start only.
  if (loginFile !== null && !(await https.isForCaddy(loginFile)))
    return [`Caddy may not read ${loginFile}: sudo chgrp caddy ${loginFile} && sudo chmod 640 ${loginFile}`];
  if (lines.includes('{$')) return [`${loginFile} has variables, such as {$NAME}: write their values in their place`];
  const imported = importedFiles(text).map((path) => https.readCaddyfile(path) ?? '');
  if (login === null && !isOpen && [text, ...imported].some(asksForLogin))
    return [
      `${caddyfile} asks for a login, and the names would ask for none: add a login (--login NAME or --login-file FILE), or say that there is none (--no-login)`,
    ];
  const tooOld = closing === null ? null : composeProblem(await https.composeVersion());
  if (tooOld !== null) return [tooOld];
  const missing = certificate.by === 'dns' ? await https.certificates.missing(certificate, credentials) : null;
  if (missing !== null) return [missing];
  const hosts = [domain, `${anyLabel}.${domain}`];
  const lookups = await Promise.all(hosts.map(async (host) => ({ host, found: await https.resolve(host, resolver) })));
  const problems = lookupProblems(lookups, machine.addresses());
  if (problems.length > 0) return [...problems, ...recordLines(domain, https.homeAddresses())];
  const { failure } = await box.observer.look();
  return failure === null ? [] : [failure.message];
}
