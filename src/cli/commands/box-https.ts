import type { HttpsSetting, Login } from '../../box/https/rules/names.ts';
import { onBox, printing } from '../box-of.ts';
import type { Command } from '../command.ts';
import { typedLine } from '../read-key.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { httpsSettings, usualCaddyfile, usualVariables } from '../settings/https-settings.ts';
import { readAll, type Values } from '../settings/setting.ts';
import { UsageError } from '../settings/usage-error.ts';

const { stateDir, installedApps } = boxSettings;
const settings = { stateDir, installedApps };

type Given = Values<typeof httpsSettings>;
type Certificate = HttpsSetting['certificate'];

/** A second run needs no flags. */
function certificateOf(given: Given, before: Certificate | null): Certificate {
  const known = before?.by === 'dns' ? before : null;
  const provider = given.dns ?? known?.provider;
  if (given.local && given.dns !== undefined) throw new UsageError('--local and --dns exclude each other');
  if (given.local || (before?.by === 'local' && provider === undefined)) return { by: 'local' };
  if (provider === undefined) throw new UsageError('say where certificates come from: --local, or --dns PROVIDER');
  const email = given.email ?? known?.email;
  if (email === undefined) throw new UsageError('--dns needs --email ADDRESS, which the authority asks for');
  const server = given.acmeServer ?? known?.server ?? null;
  const variables = given.dnsVariables ?? known?.variables ?? usualVariables;
  return { by: 'dns', provider, email, server, resolver: given.acmeResolver ?? known?.resolver ?? null, variables };
}

/** A new login has an empty hash. */
function loginOf(given: Given, before: Login | null): Login | null {
  const { login: name, loginFile: file, loginFor: of, loginExcept: except } = given;
  if (given.noLogin) return null;
  if (name !== undefined && file !== undefined) throw new UsageError('--login and --login-file exclude each other');
  const rest = { of: before?.of ?? ('all' as const), except: before?.except ?? [] };
  const asked = file === undefined ? before : { file, ...rest };
  const known = name === undefined ? asked : { name, hash: '', ...rest };
  if (known === null && (of ?? except) !== undefined)
    throw new UsageError('there is no login yet: --login NAME or --login-file FILE makes one');
  return known === null ? null : { ...known, of: of ?? known.of, except: except ?? known.except };
}

function closingOf(given: Given, before: HttpsSetting['closing']): HttpsSetting['closing'] {
  if (given.openPorts) return null;
  const except = given.closeExcept;
  const known = given.closePorts ? (before ?? { except: [] }) : before;
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
    usage: 'box https setup',
    summary: 'give the page and each app a name with HTTPS in the home network, by Caddy',
    settings: { ...httpsSettings, ...settings },
    run: onBox(async (box, _words, call) => {
      const given = readAll(httpsSettings, call);
      const before = box.https.setting();
      const domain = given.domain ?? before?.domain;
      if (domain === undefined) throw new UsageError('name the domain, such as --domain box.example.org');
      const certificate = certificateOf(given, before?.certificate ?? null);
      const caddyfile = given.caddyfile ?? before?.caddyfile ?? usualCaddyfile;
      const login = loginOf(given, before?.login ?? null);
      const closing = closingOf(given, before?.closing ?? null);
      const password = login !== null && 'name' in login && login.hash === '' ? await newPassword(login.name) : null;
      const { setUpHttps } = await import('../../box/https/set-up-https.ts');
      const setting = { domain, certificate, caddyfile, login, closing };
      return setUpHttps(box, { setting, resolver: given.resolver, password, isOpen: given.noLogin });
    }),
  },
  {
    usage: 'box https status',
    summary: 'the names with HTTPS, and what is wrong with them',
    settings,
    run: printing('https'),
  },
  {
    usage: 'box https renew',
    summary: 'what boxgate-https.service does: renew the certificate if it is due',
    settings,
    run: onBox(async (box) => (await import('../../box/https/renew-https.ts')).renewHttps(box)),
  },
  {
    usage: 'box https off',
    summary: 'end the names with HTTPS; plain addresses work as before',
    settings,
    run: onBox(async (box) => (await import('../../box/https/set-up-https.ts')).endHttps(box)),
  },
];
