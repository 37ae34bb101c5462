import type { HttpsSetting, Login } from '../../box/https/rules/names.ts';
import { boxOf } from '../box-of.ts';
import { type Command, tell } from '../command.ts';
import { typedLine } from '../read-key.ts';
import { boxSettings } from '../settings/box-settings.ts';
import {
  acmeResolver,
  acmeServer,
  caddyfile,
  closeExcept,
  closePorts,
  dns,
  dnsVariables,
  domain,
  email,
  local,
  login,
  loginExcept,
  loginFile,
  loginFor,
  noLogin,
  openPorts,
  resolver,
} from '../settings/https-settings.ts';
import { type GivenFlags, given, UsageError } from '../settings/setting.ts';

const { stateDir, installedApps } = boxSettings;

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
