import {
  type Asked,
  AskedWrongly,
  askedSetting,
  needsPassword,
  passwordProblem,
} from '../../box/https/rules/asked-setting.ts';
import type { HttpsSetting } from '../../box/https/rules/names.ts';
import { onBox, printing } from '../box-of.ts';
import type { Command } from '../command.ts';
import { typedLine } from '../read-key.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { httpsSettings } from '../settings/https-settings.ts';
import { readAll } from '../settings/setting.ts';
import { UsageError } from '../settings/usage-error.ts';

const { stateDir, installedApps } = boxSettings;
const settings = { stateDir, installedApps };

/** Asks for it on the terminal. */
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

export const httpsCommands: readonly Command[] = [
  {
    usage: 'box https setup',
    summary: 'give the page and each app a name with HTTPS in the home network, by Caddy',
    settings: { ...httpsSettings, ...settings },
    run: onBox(async (box, _words, call) => {
      const given = readAll(httpsSettings, call);
      const setting = wantedSetting(given, box.https.setting());
      const { login } = setting;
      const password =
        login !== null && 'name' in login && needsPassword(setting) ? await newPassword(login.name) : null;
      const { setUpHttps } = await import('../../box/https/set-up-https.ts');
      return setUpHttps(box, { setting, password, isOpen: given.noLogin });
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
