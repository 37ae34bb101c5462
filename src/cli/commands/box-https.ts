import {
  type Asked,
  AskedWrongly,
  askedSetting,
  needsPassword,
  passwordProblem,
} from '../../box/https/rules/asked-setting.ts';
import type { HttpsSetting } from '../../box/https/rules/names.ts';
import { typedLine } from '../ask.ts';
import { onBox, printing } from '../box-of.ts';
import { type Command, command } from '../command.ts';
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
