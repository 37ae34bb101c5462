import { onBox } from '../box-of.ts';
import { type Command, command, tell } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { expected, matching } from '../settings/parsers.ts';
import { read, row, said } from '../settings/setting.ts';
import { backupSettings } from './box-backup.ts';

const { catalogue, bundledApps, backupBeforeUpdate } = boxSettings;
const settings = { ...backupSettings, catalogue, bundledApps, backupBeforeUpdate };

function hours(text: string): number {
  const age = matching(/^\d{1,5}[hd]$/, 'hours or days, such as 72h or 3d')(text);
  const hours = Number(age.slice(0, -1)) * (age.endsWith('d') ? 24 : 1);
  if (hours > 24 * 365) throw expected('at most a year', text);
  return hours;
}

// biome-ignore format: a setting is a row
const minAge = row('--min-age TIME', 'BOX_APP_UPDATES_MIN_AGE', hours,
  said('the one of enable, at first 72h', () => null), 'how long a newer version has to be known, such as 72h or 3d');

const daily = () => import('../../box/versions/room.ts');
const updates = () => import('../../box/versions/update-apps.ts');

const enable = onBox(async (box, _words, call) => {
  await (await daily()).setAppUpdates(box, true, read(minAge, call) ?? undefined);
  return ['updates of apps are on; their log: journalctl -u boxgate-app-updates'];
});

const disable = onBox(async (box) => {
  await (await daily()).setAppUpdates(box, false);
  return ['updates of apps are off'];
});

const look = onBox(async (box) => {
  const { lookForNewer } = await import('../../box/versions/look.ts');
  return (await updates()).newerLines(await lookForNewer(box));
});

const update = onBox(async (box, _words, call) => {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      isStopping = true;
    });
  }
  const { updateApps } = await updates();
  const request = { minAgeHours: read(minAge, call), tell, isStopping: () => isStopping };
  const status = await updateApps(box, request);
  for (const subject of box.subjects) await subject.beforeExit?.();
  return status;
});

// biome-ignore format: a command is a row
export const appUpdateCommands: readonly Command[] = [
  command('box update apps enable', 'update apps each day, once a newer version has been known for some days',
    { ...settings, minAge }, enable),
  command('box update apps disable', 'end the updates of apps of each day', settings, disable),
  command('box update apps look', 'ask the registries for newer images now, and list the newer versions that are known',
    settings, look),
  command('box update apps', 'look for newer versions of apps, and update those that have been known for long enough',
    { ...settings, minAge }, update),
];
