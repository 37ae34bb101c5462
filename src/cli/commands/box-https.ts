import { resolve } from 'node:path';
import {
  type Asked,
  AskedWrongly,
  askedSetting,
  needsPassword,
  passwordProblem,
  usualCaddyfile,
  usualVariables,
  valueProblems,
} from '../../box/https/rules/asked-setting.ts';
import type { HttpsSetting, LoginPlace } from '../../box/https/rules/names.ts';
import { typedLine } from '../ask.ts';
import { onBox, printing } from '../box-of.ts';
import { type Command, command } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { each, isOn, path, text, withoutProblem } from '../settings/parsers.ts';
import { listRow, readAll, row, said } from '../settings/setting.ts';
import { UsageError } from '../settings/usage-error.ts';

const before = said('that of before');
const valid = (name: keyof typeof valueProblems) => withoutProblem(valueProblems[name]);
const loginPlace = (text: string) => valid('loginFor')(text) as LoginPlace;

/** Without a value, that of the setup before counts. */
// biome-ignore format: a setting is a row
const httpsSettings = {
  domain: row('--domain NAME', 'BOX_HTTPS_DOMAIN', valid('domain'), before,
    'the name of the page, such as box.example.org; each app gets a name below it'),
  local: row('--local', 'BOX_HTTPS_LOCAL', isOn, before,
    "certificates of Caddy's own authority, which each device has to trust once"),
  dns: row('--dns PROVIDER', 'BOX_HTTPS_DNS', valid('dns'), before,
    "certificates of Let's Encrypt, by lego and a record at this provider"),
  dnsVariables: row('--dns-variables FILE', 'BOX_HTTPS_DNS_VARIABLES', path, said(usualVariables),
    'variables of lego for the provider, such as a token'),
  email: row('--email ADDRESS', 'BOX_HTTPS_EMAIL', valid('email'), before, 'where the authority may write to'),
  acmeServer: row('--acme-server URL', 'BOX_HTTPS_ACME_SERVER', valid('acmeServer'), before,
    'another authority, such as the one for trials'),
  acmeResolver: row('--acme-resolver ADDRESS', 'BOX_HTTPS_ACME_RESOLVER', valid('nameServer'), before,
    'where lego looks for the record, in a network that hides the name servers of the domain'),
  login: row('--login NAME', 'BOX_HTTPS_LOGIN', valid('login'), before,
    'let Caddy ask for this login before page and apps; its password is asked for'),
  loginFile: row('--login-file FILE', 'BOX_HTTPS_LOGIN_FILE', (text) => resolve(path(text)), before,
    'lines for Caddy that ask for a login, such as forward_auth, in the place of --login'),
  loginFor: row('--login-for all|page|apps', 'BOX_HTTPS_LOGIN_FOR', loginPlace, said('that of before, at first all'),
    'what the login protects; the console belongs to the page'),
  loginExcept: listRow('--login-except APP', 'BOX_HTTPS_LOGIN_EXCEPT', each(text),
    said('that of before, at first none'), 'an app without the login, such as one whose own clients do not know it'),
  noLogin: row('--no-login', 'BOX_HTTPS_NO_LOGIN', isOn, false, 'end the login'),
  closePorts: row('--close-ports', 'BOX_HTTPS_CLOSE_PORTS', isOn, before,
    "bind the ports that the names lead to to 127.0.0.1; an app's other ports stay open"),
  closeExcept: listRow('--close-except APP', 'BOX_HTTPS_CLOSE_EXCEPT', each(text),
    said('that of before, at first none'),
    'an app whose port stays open, such as one that a TV asks; published apps are such ones'),
  openPorts: row('--open-ports', 'BOX_HTTPS_OPEN_PORTS', isOn, false, 'end --close-ports'),
  resolver: row('--resolver ADDRESS', 'BOX_HTTPS_RESOLVER', valid('nameServer'),
    said('that of before, at first those of the box'),
    'the name server that your devices ask, if the box asks another one'),
  caddyfile: row('--caddyfile FILE', 'BOX_HTTPS_CADDYFILE', path, said(usualCaddyfile),
    'the main file of Caddy, which gets one line'),
};

const { stateDir, installedApps } = boxSettings;
const settings = { stateDir, installedApps };

async function newPassword(name: string): Promise<string> {
  const password = await typedLine(`The password of ${name}: `);
  const problem = passwordProblem(password);
  if (problem !== null) throw new UsageError(problem);
  return password;
}

function wantedSetting(given: Asked, before: HttpsSetting | null): HttpsSetting {
  try {
    return askedSetting(given, before);
  } catch (error) {
    throw error instanceof AskedWrongly ? new UsageError(error.message) : error;
  }
}

const setUp = onBox(async (box, _words, call) => {
  const given = readAll(httpsSettings, call);
  const setting = wantedSetting(given, box.https.setting());
  const { login } = setting;
  const password = login !== null && 'name' in login && needsPassword(setting) ? await newPassword(login.name) : null;
  const { setUpHttps } = await import('../../box/https/set-up-https.ts');
  return setUpHttps(box, { setting, password, isOpen: given.noLogin });
});

// biome-ignore format: a command is a row
export const httpsCommands: readonly Command[] = [
  command('box https setup', 'give the page and each app a name with HTTPS in the home network, by Caddy',
    { ...httpsSettings, ...settings }, setUp),
  command('box https status', 'the names with HTTPS, and what is wrong with them', settings, printing('https')),
  command('box https renew', 'what boxgate-https.service does: renew the certificate if it is due', settings,
    onBox(async (box) => (await import('../../box/https/set-up-https.ts')).renewHttps(box))),
  command('box https off', 'end the names with HTTPS; plain addresses work as before', settings,
    onBox(async (box) => (await import('../../box/https/set-up-https.ts')).endHttps(box))),
];
