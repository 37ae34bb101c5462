import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  domainProblem,
  type HttpsSetting,
  isLoginName,
  type Login,
  type LoginPlace,
  loginPlaces,
} from '../../box/rules/https/names.ts';
import { type Command, tell } from '../command.ts';
import { typedLine } from '../read-key.ts';
import { boxSettings } from '../settings/box-settings.ts';
import {
  expected,
  type GivenFlags,
  given,
  isOn,
  matching,
  once,
  path,
  type Setting,
  UsageError,
} from '../settings/setting.ts';
import { boxOf } from './box-backup.ts';

const { stateDir, installedApps } = boxSettings;
const ofBefore = 'that of before';

const domain: Setting<string> = {
  flag: '--domain',
  variable: 'BOX_HTTPS_DOMAIN',
  argument: 'NAME',
  help: 'the name of the page, such as box.example.org; each app gets a name below it',
  shownDefault: ofBefore,
  parse: once((text) => {
    const problem = domainProblem(text);
    if (problem !== null) throw new Error(`${JSON.stringify(text)}: ${problem}`);
    return text;
  }),
};

const local: Setting<boolean> = {
  flag: '--local',
  variable: 'BOX_HTTPS_LOCAL',
  argument: null,
  help: "certificates of Caddy's own authority, which each device has to trust once",
  shownDefault: ofBefore,
  parse: once(isOn),
};

const dns: Setting<string> = {
  flag: '--dns',
  variable: 'BOX_HTTPS_DNS',
  argument: 'PROVIDER',
  help: "certificates of Let's Encrypt, by lego and a record at this provider",
  shownDefault: ofBefore,
  parse: once(matching(/^[a-z0-9]{1,40}$/, "lego's word for a provider, such as cloudflare")),
};

const email: Setting<string> = {
  flag: '--email',
  variable: 'BOX_HTTPS_EMAIL',
  argument: 'ADDRESS',
  help: 'where the authority may write to',
  shownDefault: ofBefore,
  parse: once(matching(/^[^\s@<>"-][^\s@<>"]{0,63}@[A-Za-z0-9.-]{1,253}$/, 'an address of e-mail')),
};

const dnsVariables: Setting<string> = {
  flag: '--dns-variables',
  variable: 'BOX_HTTPS_DNS_VARIABLES',
  argument: 'FILE',
  help: 'variables of lego for the provider, such as a token',
  shownDefault: '/etc/boxgate/https.env',
  parse: once(path),
};

const acmeServer: Setting<string> = {
  flag: '--acme-server',
  variable: 'BOX_HTTPS_ACME_SERVER',
  argument: 'URL',
  help: 'another authority, such as the one for trials',
  shownDefault: ofBefore,
  parse: once(matching(/^https:\/\/[^\s"]{1,200}$/, 'an address that begins with https://')),
};

const login: Setting<string> = {
  flag: '--login',
  variable: 'BOX_HTTPS_LOGIN',
  argument: 'NAME',
  help: 'let Caddy ask for this login before page and apps; its password is asked for',
  shownDefault: ofBefore,
  parse: once((text) => {
    if (!isLoginName(text)) throw expected('letters, digits, ".", "_" and "-"', text);
    return text;
  }),
};

const loginFile: Setting<string> = {
  flag: '--login-file',
  variable: 'BOX_HTTPS_LOGIN_FILE',
  argument: 'FILE',
  help: 'lines for Caddy that ask for a login, such as forward_auth, in the place of --login',
  shownDefault: ofBefore,
  parse: once((text) => resolve(path(text))),
};

const loginFor: Setting<LoginPlace> = {
  flag: '--login-for',
  variable: 'BOX_HTTPS_LOGIN_FOR',
  argument: 'all|page|apps',
  help: 'what the login protects; the console belongs to the page',
  shownDefault: `${ofBefore}, at first all`,
  parse: once((text) => {
    const place = loginPlaces.find((one) => one === text);
    if (place === undefined) throw expected('all, page or apps', text);
    return place;
  }),
};

const loginExcept: Setting<string[]> = {
  flag: '--login-except',
  variable: 'BOX_HTTPS_LOGIN_EXCEPT',
  argument: 'APP',
  help: 'an app without the login, such as one whose own clients do not know it',
  shownDefault: `${ofBefore}, at first none`,
  parse: (apps) => apps.filter((app) => app !== ''),
  repeatable: true,
};

const noLogin: Setting<boolean> = {
  flag: '--no-login',
  variable: 'BOX_HTTPS_NO_LOGIN',
  argument: null,
  help: 'end the login',
  shownDefault: 'no',
  parse: once(isOn),
};

const closePorts: Setting<boolean> = {
  flag: '--close-ports',
  variable: 'BOX_HTTPS_CLOSE_PORTS',
  argument: null,
  help: "bind the ports that the names lead to to 127.0.0.1; an app's other ports stay open",
  shownDefault: ofBefore,
  parse: once(isOn),
};

const closeExcept: Setting<string[]> = {
  flag: '--close-except',
  variable: 'BOX_HTTPS_CLOSE_EXCEPT',
  argument: 'APP',
  help: 'an app whose port stays open, such as one that a TV asks; published apps are such ones',
  shownDefault: `${ofBefore}, at first none`,
  parse: (apps) => apps.filter((app) => app !== ''),
  repeatable: true,
};

const openPorts: Setting<boolean> = {
  flag: '--open-ports',
  variable: 'BOX_HTTPS_OPEN_PORTS',
  argument: null,
  help: 'end --close-ports',
  shownDefault: 'no',
  parse: once(isOn),
};

const caddyfile: Setting<string> = {
  flag: '--caddyfile',
  variable: 'BOX_HTTPS_CADDYFILE',
  argument: 'FILE',
  help: 'the main file of Caddy, which gets one line',
  shownDefault: '/etc/caddy/Caddyfile',
  parse: once(path),
};

const nameServer = once((text: string) => {
  const [, host = text] = /^\[?([^\]]+?)\]?(?::\d{1,5})$/.exec(text) ?? [];
  if (isIP(text) === 0 && isIP(host) === 0) throw expected('an address, such as 192.168.1.1', text);
  return text;
});

const resolver: Setting<string> = {
  flag: '--resolver',
  variable: 'BOX_HTTPS_RESOLVER',
  argument: 'ADDRESS',
  help: 'the name server that your devices ask, if the box asks another one',
  shownDefault: 'those of the box',
  parse: nameServer,
};

const acmeResolver: Setting<string> = {
  flag: '--acme-resolver',
  variable: 'BOX_HTTPS_ACME_RESOLVER',
  argument: 'ADDRESS',
  help: 'where lego looks for the record, in a network that hides the name servers of the domain',
  shownDefault: ofBefore,
  parse: nameServer,
};

type Certificate = HttpsSetting['certificate'];

/** A second run needs no flags. */
function certificateOf(flags: GivenFlags, env: NodeJS.ProcessEnv, before: Certificate | null): Certificate {
  const known = before?.by === 'dns' ? before : null;
  const isLocal = given(local, flags, env) === true;
  const provider = given(dns, flags, env) ?? known?.provider;
  if (isLocal && given(dns, flags, env) !== undefined) throw new UsageError('--local and --dns exclude each other');
  if (isLocal || (before?.by === 'local' && provider === undefined)) return { by: 'local' };
  if (provider === undefined) throw new UsageError('say where certificates come from: --local, or --dns PROVIDER');
  const address = given(email, flags, env) ?? known?.email;
  if (address === undefined) throw new UsageError('--dns needs --email ADDRESS, which the authority asks for');
  const server = given(acmeServer, flags, env) ?? known?.server ?? null;
  const variables = given(dnsVariables, flags, env) ?? known?.variables ?? '/etc/boxgate/https.env';
  const lookAt = given(acmeResolver, flags, env) ?? known?.resolver ?? null;
  return { by: 'dns', provider, email: address, server, resolver: lookAt, variables };
}

/** A new login has an empty hash. */
function loginOf(flags: GivenFlags, env: NodeJS.ProcessEnv, before: Login | null): Login | null {
  if (given(noLogin, flags, env) === true) return null;
  const [name, file] = [given(login, flags, env), given(loginFile, flags, env)];
  if (name !== undefined && file !== undefined) throw new UsageError('--login and --login-file exclude each other');
  const rest = { of: before?.of ?? ('all' as const), except: before?.except ?? [] };
  const asked = file === undefined ? before : { file, ...rest };
  const known = name === undefined ? asked : { name, hash: '', ...rest };
  const [of, except] = [given(loginFor, flags, env), given(loginExcept, flags, env)];
  if (known === null && (of ?? except) !== undefined)
    throw new UsageError('there is no login yet: --login NAME or --login-file FILE makes one');
  return known === null ? null : { ...known, of: of ?? known.of, except: except ?? known.except };
}

function closingOf(
  flags: GivenFlags,
  env: NodeJS.ProcessEnv,
  before: HttpsSetting['closing'],
): HttpsSetting['closing'] {
  if (given(openPorts, flags, env) === true) return null;
  const except = given(closeExcept, flags, env);
  const known = given(closePorts, flags, env) === true ? (before ?? { except: [] }) : before;
  if (known === null && except !== undefined) throw new UsageError('--close-except needs --close-ports');
  return known === null ? null : { except: except ?? known.except };
}

/** bcrypt ignores what is behind 72 bytes. */
async function newPassword(name: string): Promise<string> {
  const password = await typedLine(`The password of ${name}: `);
  const bytes = Buffer.byteLength(password);
  if (bytes >= 8 && bytes <= 72) return password;
  throw new UsageError('a password has 8 to 72 bytes');
}

export const httpsCommands: readonly Command[] = [
  {
    words: 'box https setup',
    summary: 'give the page and each app a name with HTTPS in the home network, by Caddy',
    settings: {
      domain,
      local,
      dns,
      dnsVariables,
      email,
      acmeServer,
      acmeResolver,
      login,
      loginFile,
      loginFor,
      loginExcept,
      noLogin,
      closePorts,
      closeExcept,
      openPorts,
      resolver,
      caddyfile,
      stateDir,
      installedApps,
    },
    async run(flags, _words, env) {
      const box = await boxOf(flags, env);
      const before = box.https.setting();
      const name = given(domain, flags, env) ?? before?.domain;
      if (name === undefined) throw new UsageError('name the domain, such as --domain box.example.org');
      const certificate = certificateOf(flags, env, before?.certificate ?? null);
      const file = given(caddyfile, flags, env) ?? before?.caddyfile ?? '/etc/caddy/Caddyfile';
      const asked = loginOf(flags, env, before?.login ?? null);
      const closing = closingOf(flags, env, before?.closing ?? null);
      const setting = { domain: name, certificate, caddyfile: file, login: asked, closing };
      const password = asked !== null && 'name' in asked && asked.hash === '' ? await newPassword(asked.name) : null;
      const { setUpHttps } = await import('../../box/https/set-up-https.ts');
      const isOpen = given(noLogin, flags, env) === true;
      return tell(await setUpHttps(box, { setting, resolver: given(resolver, flags, env) ?? null, password, isOpen }));
    },
  },
  {
    words: 'box https status',
    summary: 'the names with HTTPS, and what is wrong with them',
    settings: { stateDir, installedApps },
    async run(flags, _words, env) {
      const { httpsStatus } = await import('../../box/https/https-status.ts');
      return tell(await httpsStatus(await boxOf(flags, env)));
    },
  },
  {
    words: 'box https renew',
    summary: 'what boxgate-https.service does: renew the certificate if it is due',
    settings: { stateDir, installedApps },
    async run(flags, _words, env) {
      const { renewHttps } = await import('../../box/https/renew-https.ts');
      return tell(await renewHttps(await boxOf(flags, env)));
    },
  },
  {
    words: 'box https off',
    summary: 'end the names with HTTPS; plain addresses work as before',
    settings: { stateDir, installedApps },
    async run(flags, _words, env) {
      const { endHttps } = await import('../../box/https/set-up-https.ts');
      return tell(await endHttps(await boxOf(flags, env)));
    },
  },
];
