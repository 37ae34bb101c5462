import { isIP } from 'node:net';
import { domainProblem } from '../../box/rules/https/names.ts';
import { type Command, tell } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { expected, given, isOn, once, path, type Setting, UsageError } from '../settings/setting.ts';
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

const caddyfile: Setting<string> = {
  flag: '--caddyfile',
  variable: 'BOX_HTTPS_CADDYFILE',
  argument: 'FILE',
  help: 'the main file of Caddy, which gets one line',
  shownDefault: '/etc/caddy/Caddyfile',
  parse: once(path),
};

const resolver: Setting<string> = {
  flag: '--resolver',
  variable: 'BOX_HTTPS_RESOLVER',
  argument: 'ADDRESS',
  help: 'the name server that your devices ask, if the box asks another one',
  shownDefault: 'those of the box',
  parse: once((text) => {
    const [, host = text] = /^\[?([^\]]+?)\]?(?::\d{1,5})$/.exec(text) ?? [];
    if (isIP(text) === 0 && isIP(host) === 0) throw expected('an address, such as 192.168.1.1', text);
    return text;
  }),
};

export const httpsCommands: readonly Command[] = [
  {
    words: 'box https setup',
    summary: 'give the page and each app a name with HTTPS in the home network, by Caddy',
    settings: { domain, local, resolver, caddyfile, stateDir, installedApps },
    async run(flags, _words, env) {
      const box = await boxOf(flags, env);
      const before = box.https.setting();
      const name = given(domain, flags, env) ?? before?.domain;
      if (name === undefined) throw new UsageError('name the domain, such as --domain box.example.org');
      const isLocal = given(local, flags, env) ?? before !== null;
      if (!isLocal) throw new UsageError('say where certificates come from: --local');
      const file = given(caddyfile, flags, env) ?? before?.caddyfile ?? '/etc/caddy/Caddyfile';
      const setting = { domain: name, certificate: { by: 'local' as const }, caddyfile: file };
      const { setUpHttps } = await import('../../box/https/set-up-https.ts');
      return tell(await setUpHttps(box, { setting, resolver: given(resolver, flags, env) ?? null }));
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
    words: 'box https off',
    summary: 'end the names with HTTPS; plain addresses work as before',
    settings: { stateDir, installedApps },
    async run(flags, _words, env) {
      const { endHttps } = await import('../../box/https/set-up-https.ts');
      return tell(await endHttps(await boxOf(flags, env)));
    },
  },
];
