import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { domainProblem, isLoginName, type LoginPlace, loginPlaces } from '../../box/https/rules/names.ts';
import { expected, isOn, matching, once, path, type Setting } from './setting.ts';

const ofBefore = 'that of before';

export const domain: Setting<string> = {
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

export const local: Setting<boolean> = {
  flag: '--local',
  variable: 'BOX_HTTPS_LOCAL',
  argument: null,
  help: "certificates of Caddy's own authority, which each device has to trust once",
  shownDefault: ofBefore,
  parse: once(isOn),
};

export const dns: Setting<string> = {
  flag: '--dns',
  variable: 'BOX_HTTPS_DNS',
  argument: 'PROVIDER',
  help: "certificates of Let's Encrypt, by lego and a record at this provider",
  shownDefault: ofBefore,
  parse: once(matching(/^[a-z0-9]{1,40}$/, "lego's word for a provider, such as cloudflare")),
};

export const email: Setting<string> = {
  flag: '--email',
  variable: 'BOX_HTTPS_EMAIL',
  argument: 'ADDRESS',
  help: 'where the authority may write to',
  shownDefault: ofBefore,
  parse: once(matching(/^[^\s@<>"-][^\s@<>"]{0,63}@[A-Za-z0-9.-]{1,253}$/, 'an address of e-mail')),
};

export const dnsVariables: Setting<string> = {
  flag: '--dns-variables',
  variable: 'BOX_HTTPS_DNS_VARIABLES',
  argument: 'FILE',
  help: 'variables of lego for the provider, such as a token',
  shownDefault: '/etc/boxgate/https.env',
  parse: once(path),
};

export const acmeServer: Setting<string> = {
  flag: '--acme-server',
  variable: 'BOX_HTTPS_ACME_SERVER',
  argument: 'URL',
  help: 'another authority, such as the one for trials',
  shownDefault: ofBefore,
  parse: once(matching(/^https:\/\/[^\s"]{1,200}$/, 'an address that begins with https://')),
};

export const login: Setting<string> = {
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

export const loginFile: Setting<string> = {
  flag: '--login-file',
  variable: 'BOX_HTTPS_LOGIN_FILE',
  argument: 'FILE',
  help: 'lines for Caddy that ask for a login, such as forward_auth, in the place of --login',
  shownDefault: ofBefore,
  parse: once((text) => resolve(path(text))),
};

export const loginFor: Setting<LoginPlace> = {
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

export const loginExcept: Setting<string[]> = {
  flag: '--login-except',
  variable: 'BOX_HTTPS_LOGIN_EXCEPT',
  argument: 'APP',
  help: 'an app without the login, such as one whose own clients do not know it',
  shownDefault: `${ofBefore}, at first none`,
  parse: (apps) => apps.filter((app) => app !== ''),
  repeatable: true,
};

export const noLogin: Setting<boolean> = {
  flag: '--no-login',
  variable: 'BOX_HTTPS_NO_LOGIN',
  argument: null,
  help: 'end the login',
  shownDefault: 'no',
  parse: once(isOn),
};

export const closePorts: Setting<boolean> = {
  flag: '--close-ports',
  variable: 'BOX_HTTPS_CLOSE_PORTS',
  argument: null,
  help: "bind the ports that the names lead to to 127.0.0.1; an app's other ports stay open",
  shownDefault: ofBefore,
  parse: once(isOn),
};

export const closeExcept: Setting<string[]> = {
  flag: '--close-except',
  variable: 'BOX_HTTPS_CLOSE_EXCEPT',
  argument: 'APP',
  help: 'an app whose port stays open, such as one that a TV asks; published apps are such ones',
  shownDefault: `${ofBefore}, at first none`,
  parse: (apps) => apps.filter((app) => app !== ''),
  repeatable: true,
};

export const openPorts: Setting<boolean> = {
  flag: '--open-ports',
  variable: 'BOX_HTTPS_OPEN_PORTS',
  argument: null,
  help: 'end --close-ports',
  shownDefault: 'no',
  parse: once(isOn),
};

export const caddyfile: Setting<string> = {
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

export const resolver: Setting<string> = {
  flag: '--resolver',
  variable: 'BOX_HTTPS_RESOLVER',
  argument: 'ADDRESS',
  help: 'the name server that your devices ask, if the box asks another one',
  shownDefault: 'those of the box',
  parse: nameServer,
};

export const acmeResolver: Setting<string> = {
  flag: '--acme-resolver',
  variable: 'BOX_HTTPS_ACME_RESOLVER',
  argument: 'ADDRESS',
  help: 'where lego looks for the record, in a network that hides the name servers of the domain',
  shownDefault: ofBefore,
  parse: nameServer,
};
