import type { HttpsSetting, Login, Site, Target } from './names.ts';

export type PageSite = {
  /** `deploy/proxy/Caddyfile` */
  template: string;
  /** The address of the box's server. */
  box: string;
  consoleAddress: string;
  stateDirectory: string;
  /** The folder of Caddy's files. */
  folder: string;
};

export const pageFile = 'page.caddy';
/** What the page looks for in the header `Server-Timing` of its own response. */
const loginMark = 'boxgate-login';
/** The chain and its key in one file, so that they always belong together. */
export const certificateFile = 'certificate.pem';
const head = '# Written by boxgate box https, which replaces it; boxgate box https off removes it.\n';

/** The names of the apps that have a file. */
export function labelsIn(files: Iterable<string>): Set<string> {
  return new Set([...files].flatMap((file) => /^app-([a-z0-9-]+)\.caddy$/.exec(file)?.[1] ?? []));
}

/** Caddy's files by name: one for the page, and one for each app that has a name. */
export function siteFiles(
  setting: Pick<HttpsSetting, 'domain' | 'certificate' | 'login'>,
  page: PageSite,
  sites: readonly Site[],
  present: ReadonlyMap<string, string>,
): Map<string, string> {
  const { domain, login } = setting;
  const tls = tlsLine(setting, page);
  const files = new Map([
    [pageFile, `${pageText(domain, [tls, ...loginOfPage(login)], page)}\n${restText(domain, tls)}`],
  ]);
  for (const { app, label, target } of sites) {
    const file = `app-${label}.caddy`;
    const to = target === 'kept' ? targetIn(present.get(file) ?? '') : target;
    const own = login === null || login.of === 'page' || login.except.includes(app) ? null : login;
    files.set(
      file,
      siteText(`${label}.${domain}`, [tls, ...loginLines(own), ...appLines(to, own !== null && 'name' in own)]),
    );
  }
  return files;
}

/** Where the file of an app leads. */
function targetIn(text: string): Target | 'down' {
  const [, https, address = '', port] =
    /reverse_proxy (https:\/\/)?([\d.]+|\[[\da-f:]+\]):(\d{1,5})\b/.exec(text) ?? [];
  return port === undefined ? 'down' : { port: Number(port), isHttps: https !== undefined, address };
}

function loginLines(login: Login | null): string[] {
  if (login === null) return [];
  if ('file' in login) return [`import ${quoted(login.file)}`];
  // Newer versions of Caddy warn of this word, which every Caddy 2 takes.
  return ['basicauth {', `\t${login.name} ${login.hash}`, '}'];
}

/** The header lets the page say that there is a login. Only the proxy can add it. */
function loginOfPage(login: Login | null): string[] {
  return login === null || login.of === 'apps' ? [] : [...loginLines(login), `header Server-Timing ${loginMark}`];
}

function siteText(host: string, lines: readonly string[]): string {
  return `${head}${host} {\n${lines.map((line) => `\t${line}\n`).join('')}}\n`;
}

function tlsLine({ certificate }: Pick<HttpsSetting, 'certificate'>, { folder }: PageSite): string {
  if (certificate.by === 'local') return 'tls internal';
  const file = quoted(`${folder}/${certificateFile}`);
  return `tls ${file} ${file}`;
}

/** @param hidesLogin - whether the app must not take the password of the proxy for its own */
function appLines(target: Target | 'down', hidesLogin: boolean): string[] {
  if (target === 'down') return ['respond "This app does not run now." 503'];
  // An app's own certificate is one that it made itself.
  const transport = target.isHttps ? ['\ttransport http {', '\t\ttls_insecure_skip_verify', '\t}'] : [];
  const inner = [...transport, ...(hidesLogin ? ['\theader_up -Authorization'] : [])];
  const line = `reverse_proxy ${target.isHttps ? 'https://' : ''}${target.address ?? '127.0.0.1'}:${target.port}`;
  return inner.length === 0 ? [line] : [`${line} {`, ...inner, '}'];
}

/** The site of `deploy/proxy/Caddyfile`, under the domain instead of port 80. */
function pageText(
  domain: string,
  first: readonly string[],
  { template, box, consoleAddress, stateDirectory }: PageSite,
): string {
  const lines = template.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  const site = lines
    .join('\n')
    .replace(/^:80 \{$/m, () => [`${domain} {`, ...first].join('\n\t'))
    .replaceAll(/127\.0\.0\.1:700[01]\b/g, (one) => (one.endsWith('0') ? box : consoleAddress))
    .replaceAll('/var/lib/boxgate', quoted(stateDirectory));
  return `${head}${site}\n`;
}

function restText(domain: string, tls: string): string {
  return siteText(`*.${domain}`, [tls, 'respond "There is no app of this name." 404']);
}

/** Whether a file of Caddy's asks for a login somewhere. */
export function asksForLogin(caddyfile: string): boolean {
  return caddyfile.split('\n').some((line) => /^(?:basicauth|basic_auth|forward_auth)\b/.test(line.trim()));
}

/** The single files that a file of Caddy's imports by their whole path. */
export function importedFiles(caddyfile: string): string[] {
  return caddyfile.split('\n').flatMap((line) => /^import (\/[^\s*]+)$/.exec(line.trim())?.[1] ?? []);
}

/** The line of Caddy's main file that reads the files of a folder. */
export function importLine(folder: string): string {
  return `import ${quoted(`${folder}/*.caddy`)}`;
}

/** The main file with that line as its last one. */
export function withImport(caddyfile: string, folder: string): string {
  const line = importLine(folder);
  if (caddyfile.split('\n').some((one) => one.trim() === line)) return caddyfile;
  return `${caddyfile}${caddyfile === '' || caddyfile.endsWith('\n') ? '' : '\n'}${line}\n`;
}

export function withoutImport(caddyfile: string, folder: string): string {
  const line = importLine(folder);
  return caddyfile
    .split('\n')
    .filter((one) => one.trim() !== line)
    .join('\n');
}

/** Whether Caddy's main file can import from a folder of this name. */
export function isQuotable(folder: string): boolean {
  return !/["`\\{}*?[\]\n\r]/.test(folder);
}

function quoted(path: string): string {
  return path.includes(' ') ? `"${path}"` : path;
}
