import { boxOf } from '../box-of.ts';
import { type Command, print, tell } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { expected, given, matching, once, type Setting } from '../settings/setting.ts';
import { backupSettings as repositorySettings } from './box-backup.ts';

const { catalogue, bundledApps, backupBeforeUpdate } = boxSettings;
const updateSettings = { ...repositorySettings, catalogue, bundledApps, backupBeforeUpdate };

const minAge: Setting<number> = {
  flag: '--min-age',
  variable: 'BOX_APP_UPDATES_MIN_AGE',
  argument: 'TIME',
  help: 'how long a newer version has to be known, such as 72h or 3d',
  shownDefault: 'the one of enable, at first 72h',
  parse: once((text) => {
    const age = matching(/^\d{1,5}[hd]$/, 'hours or days, such as 72h or 3d')(text);
    const hours = Number(age.slice(0, -1)) * (age.endsWith('d') ? 24 : 1);
    if (hours > 24 * 365) throw expected('at most a year', text);
    return hours;
  }),
};

export const appUpdateCommands: readonly Command[] = [
  {
    words: 'box update apps enable',
    summary: 'update apps each day, once a newer version has been known for some days',
    settings: { ...updateSettings, minAge },
    async run(flags, _words, env) {
      const box = await boxOf(flags, env);
      const { setAppUpdates } = await import('../../box/versions/update-apps.ts');
      await setAppUpdates(box, { isEnabled: true, minAgeHours: given(minAge, flags, env) ?? null });
      return print('updates of apps are on; their log: journalctl -u boxgate-app-updates');
    },
  },
  {
    words: 'box update apps disable',
    summary: 'end the updates of apps of each day',
    settings: updateSettings,
    async run(flags, _words, env) {
      const { setAppUpdates } = await import('../../box/versions/update-apps.ts');
      await setAppUpdates(await boxOf(flags, env), { isEnabled: false, minAgeHours: null });
      return print('updates of apps are off');
    },
  },
  {
    words: 'box update apps look',
    summary: 'ask the registries for newer images now, and list the newer versions that are known',
    settings: updateSettings,
    async run(flags, _words, env) {
      const { lookForNewer } = await import('../../box/versions/look.ts');
      const { newerLines } = await import('../../box/versions/update-apps.ts');
      return print(newerLines(await lookForNewer(await boxOf(flags, env))).join('\n'));
    },
  },
  {
    words: 'box update apps',
    summary: 'look for newer versions of apps, and update those that have been known for long enough',
    settings: { ...updateSettings, minAge },
    async run(flags, _words, env) {
      const box = await boxOf(flags, env);
      let isStopping = false;
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.on(signal, () => {
          isStopping = true;
        });
      }
      const { updateApps } = await import('../../box/versions/update-apps.ts');
      const minAgeHours = given(minAge, flags, env) ?? null;
      const status = await updateApps(box, { minAgeHours, tell, isStopping: () => isStopping });
      await box.deliver();
      return status;
    },
  },
];
