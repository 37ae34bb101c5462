import { isNetwork } from '../../../lib/network/network-text.ts';
import { domainProblem, type HttpsSetting, isLoginName, type Login, type LoginPlace, loginPlaces } from './names.ts';

export const usualVariables = '/etc/boxgate/https.env';
export const usualCaddyfile = '/etc/caddy/Caddyfile';

/** What an owner asks for, by a command or in the console. A value that is absent stays as it was. */
export type Asked = Partial<ReturnType<typeof askedIn>>;

/** The message is a sentence for the owner. The flag that it is about is in parentheses. */
export class AskedWrongly extends Error {}

const formed = (form: RegExp, what: string) => (text: string) =>
  form.test(text) ? null : `expected ${what}, found ${JSON.stringify(text)}`;

const authority = formed(/^https:\/\/[^\s"]{1,200}$/, 'an address that begins with https://');

/** Why a text is no such value; `null` if it is one. Nothing else gets into Caddy's files or a call of lego. */
export const valueProblems = {
  domain: (text: string) => {
    const problem = domainProblem(text);
    return problem === null ? null : `${JSON.stringify(text)}: ${problem}`;
  },
  email: formed(/^[^\s@<>"-][^\s@<>"]{0,63}@[A-Za-z0-9.-]{1,253}$/, 'an address of e-mail'),
  dns: formed(/^[a-z0-9]{1,40}$/, "lego's word for a provider, such as cloudflare"),
  acmeServer: (text: string) => authority(URL.canParse(text) ? text : ''),
  login: (text: string) =>
    isLoginName(text) ? null : `expected letters, digits, ".", "_" and "-", found ${JSON.stringify(text)}`,
  loginFor: formed(new RegExp(`^(?:${Object.keys(loginPlaces).join('|')})$`), 'all, page or apps'),
  nameServer: (text: string) => {
    const [, host = text] = /^\[?([^\]]+?)\]?(?::\d{1,5})$/.exec(text) ?? [];
    const isAddress = [text, host].some((one) => isNetwork(one) && !one.includes('/'));
    return isAddress ? null : `expected an address, such as 192.168.1.1, found ${JSON.stringify(text)}`;
  },
} satisfies Record<string, (text: string) => string | null>;

/** bcrypt ignores what is behind 72 bytes. */
export function passwordProblem(password: string): string | null {
  const bytes = Buffer.byteLength(password);
  return bytes >= 8 && bytes <= 72 ? null : 'a password has 8 to 72 bytes';
}

/** The setting that is asked for. A new login has an empty hash. Throws an AskedWrongly. */
export function askedSetting(asked: Asked, before: HttpsSetting | null): HttpsSetting {
  const domain = asked.domain ?? before?.domain;
  if (domain === undefined) throw new AskedWrongly('name the domain, such as box.example.org (--domain)');
  return {
    domain,
    certificate: certificateOf(asked, before?.certificate ?? null),
    caddyfile: asked.caddyfile ?? before?.caddyfile ?? usualCaddyfile,
    login: loginOf(asked, before?.login ?? null),
    closing: closingOf(asked, before?.closing ?? null),
    resolver: asked.resolver ?? before?.resolver ?? null,
  };
}

type Certificate = HttpsSetting['certificate'];

function certificateOf(asked: Asked, before: Certificate | null): Certificate {
  const known = before?.by === 'dns' ? before : null;
  const provider = asked.dns ?? known?.provider;
  if (asked.local && asked.dns !== undefined) throw new AskedWrongly('--local and --dns exclude each other');
  if (asked.local || (before?.by === 'local' && provider === undefined)) return { by: 'local' };
  if (provider === undefined)
    throw new AskedWrongly(
      'say where certificates come from: the box itself (--local), or a provider (--dns PROVIDER)',
    );
  const email = asked.email ?? known?.email;
  if (email === undefined) throw new AskedWrongly('the authority asks for an address of e-mail (--email ADDRESS)');
  const server = asked.acmeServer ?? known?.server ?? null;
  const variables = asked.dnsVariables ?? known?.variables ?? usualVariables;
  return { by: 'dns', provider, email, server, resolver: asked.acmeResolver ?? known?.resolver ?? null, variables };
}

function loginOf(asked: Asked, before: Login | null): Login | null {
  const { login: name, loginFile: file, loginFor: of, loginExcept: except } = asked;
  if (asked.noLogin) return null;
  if (name !== undefined && file !== undefined) throw new AskedWrongly('--login and --login-file exclude each other');
  const rest = { of: before?.of ?? ('all' as const), except: before?.except ?? [] };
  const wanted = file === undefined ? before : { file, ...rest };
  const known = name === undefined ? wanted : { name, hash: '', ...rest };
  if (known === null && (of ?? except) !== undefined)
    throw new AskedWrongly('there is no login yet: name one (--login NAME or --login-file FILE)');
  return known === null ? null : { ...known, of: of ?? known.of, except: except ?? known.except };
}

function closingOf(asked: Asked, before: HttpsSetting['closing']): HttpsSetting['closing'] {
  if (asked.openPorts) return null;
  const except = asked.closeExcept;
  const known = asked.closePorts ? (before ?? { except: [] }) : before;
  if (known === null && except !== undefined) throw new AskedWrongly('--close-except needs --close-ports');
  return known === null ? null : { except: except ?? known.except };
}

export function needsPassword({ login }: HttpsSetting): boolean {
  return login !== null && 'name' in login && login.hash === '';
}

/**
 * What texts ask for: the fields of a form, or variables without `BOX_HTTPS_`, in small letters. Throws an AskedWrongly.
 */
export function askedIn(texts: ReadonlyMap<string, string>) {
  const checked = (name: string, label: string, problemOf: (text: string) => string | null) => {
    const text = texts.get(name);
    const problem = text === undefined ? null : problemOf(text);
    if (problem !== null) throw new AskedWrongly(`${label}: ${problem}`);
    return text;
  };
  const isOn = (name: string) => {
    const text = texts.get(name);
    return text === undefined ? undefined : text === 'true' || text === '1';
  };
  const list = (name: string) => {
    const parts = texts.get(name)?.split(',');
    return parts?.map((part) => part.trim()).filter((part) => part !== '');
  };
  return {
    domain: checked('domain', 'domain', valueProblems.domain),
    local: isOn('local'),
    dns: checked('dns', 'provider', valueProblems.dns),
    dnsVariables: texts.get('dns_variables'),
    email: checked('email', 'e-mail', valueProblems.email),
    acmeServer: checked('acme_server', 'authority', valueProblems.acmeServer),
    acmeResolver: checked('acme_resolver', 'name server of the authority', valueProblems.nameServer),
    login: checked('login', 'name of the login', valueProblems.login),
    loginFile: texts.get('login_file'),
    loginFor: checked('login_for', 'what the login protects', valueProblems.loginFor) as LoginPlace | undefined,
    loginExcept: list('login_except'),
    noLogin: isOn('no_login'),
    closePorts: isOn('close_ports'),
    closeExcept: list('close_except'),
    openPorts: isOn('open_ports'),
    resolver: checked('resolver', 'name server', valueProblems.nameServer),
    caddyfile: texts.get('caddyfile'),
  };
}

/** A sentence of a command as the console says it. */
export function withoutFlags(text: string): string {
  return text.replaceAll(/ \(--[^()]*\)/g, '');
}
