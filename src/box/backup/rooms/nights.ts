/** When the backups of every night begin, and how many of them are kept. */
import { refuse } from '../../api/refusals.ts';
import type { AppsBox } from '../../apps/ports.ts';
import type { Action, Field, ShownAction } from '../../report.ts';
import { defaultKeep, type Keep, parseKeep } from '../rules/backups-to-keep.ts';
import { orRefuse } from '../told-failure.ts';
import { setSchedule } from './backup-work.ts';

const kept = [
  ['daily', 'Days of which the last backup is kept'],
  ['weekly', 'Weeks'],
  ['monthly', 'Months'],
  ['other-days', 'Days for which other backups are kept, such as those before an update'],
] as const;

export const nightsAction = (box: AppsBox): Action => ({
  verb: 'schedule of backups',
  fields: { at: 5, all: 3, daily: 5, weekly: 5, monthly: 5, 'other-days': 5 },
  async run({ at = '', all, ...typed }) {
    const { place, fixedAt } = box.backup;
    if (fixedAt === null && at !== '' && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(at)) {
      refuse('invalidValues', {
        reason: `the time: expected hours and minutes such as 03:30; found ${JSON.stringify(at)}`,
      });
    }
    const keep = all === 'yes' ? 'all' : keepOf(typed);
    if (!place.keep().isFixed) await orRefuse(place.setKeep(keep));
    await orRefuse(setSchedule(box, true, fixedAt ?? (at || null)));
    return { ok: true, text: `A backup of every app is made each night. ${keptText(place.keep().keep)}` };
  },
});

function keepOf(typed: Readonly<Record<string, string>>): Keep {
  const text = Object.entries(typed).map(([name, number]) => `${name}=${number.trim()}`);
  const keep = text.length === 0 ? defaultKeep : parseKeep(text.join(','));
  if (keep === undefined) refuse('invalidValues', { reason: 'how many are kept: expected whole numbers such as 7' });
  return keep;
}

export function keptText(keep: Keep): string {
  if (keep === 'all') return 'Every backup is kept.';
  const { daily, weekly, monthly, 'other-days': otherDays } = keep;
  return `Kept are the last ones of ${daily} days, ${weekly} weeks and ${monthly} months, and others for ${otherDays} days.`;
}

/** The button that changes both, with a question that says what the settings file has. */
export function nightsButton({ backup }: AppsBox, nextAt: Date | null): ShownAction {
  const { keep, isFixed } = backup.place.keep();
  const { fixedAt } = backup;
  const values = keep === 'all' ? defaultKeep : keep;
  const at = nextAt === null ? '' : nextAt.toTimeString().slice(0, 5);
  const every = [
    { value: 'no', text: 'These numbers' },
    { value: 'yes', text: 'Every backup, for ever' },
  ];
  const fixed = [
    ...(fixedAt === null ? [] : [`the time, ${fixedAt}, with \`BOX_BACKUP_AT\``]),
    ...(isFixed ? ['what is kept, with `BOX_BACKUP_KEEP`'] : []),
  ];
  const words =
    fixed.length === 0
      ? 'The time is that of the box. The last backup of an app is always kept.'
      : `\`/etc/boxgate/box.env\` sets ${fixed.join(', and ')}: change it there.`;
  const time: Field = { name: 'at', label: 'Time, such as 03:30', type: 'text', value: at };
  const choices = keep === 'all' ? every.toReversed() : every;
  const numbers = kept.map(([name, label]): Field => ({ name, label, type: 'number', value: String(values[name]) }));
  const what: Field[] = [{ name: 'all', label: 'Keep', type: 'choice', choices }, ...numbers];
  return {
    act: 'backups/nights',
    label: backup.runs.load().enabledAt === null ? 'Choose the time' : 'Change',
    about: 'when, and what is kept',
    kind: 'quiet',
    doing: 'Changing the schedule',
    fields: [...(fixedAt === null ? [time] : []), ...(isFixed ? [] : what)],
    question: { title: 'When, and what is kept?', text: words, answer: 'Save' },
  };
}
