import { refuse } from '../../api/refusals.ts';
import { titlesOf } from '../../app-files/catalogue.ts';
import type { AppsBox } from '../../apps/ports.ts';
import {
  type Action,
  longestName,
  note,
  type Report,
  type Room,
  type Row,
  type Section,
  type ShownAction,
  sectionOf,
  warning,
} from '../../report.ts';
import { momentText } from '../../rules/text/amounts.ts';
import { type PresentSnapshots, presentSnapshots, problemTexts } from '../backup-problems.ts';
import { awayFor } from '../rules/backup-runs.ts';
import { latestBackups } from '../rules/latest-backup.ts';
import { boxTag, readTags, type SnapshotTags } from '../rules/snapshot-tags.ts';
import { orRefuse } from '../told-failure.ts';
import { type BackupWorker, returning, setSchedule } from './backup-work.ts';
import { keptText, nightsAction, nightsButton } from './nights.ts';

/** How many backups are shown at first. */
const most = 20;
const fields = { app: longestName };
const needed = ['app'];

export function backupsRoom(box: AppsBox, work: BackupWorker): Room {
  const switched = (isOn: boolean, text: string): Action => ({
    verb: 'schedule of backups',
    fields: {},
    async run() {
      await orRefuse(setSchedule(box, isOn, isOn ? box.backup.fixedAt : null));
      return { ok: true, text };
    },
  });
  return {
    path: 'backups',
    title: 'Your backups',
    group: 'backups',
    async read() {
      const nextRun = box.backup.runs.load().enabledAt === null ? null : box.backup.timer.nextAt();
      const [present, nextAt] = await Promise.all([presentSnapshots(box), nextRun]);
      const what = note('A backup brings an app back with its data, after a mistake, a bad update or a broken disk.');
      const about = [what, ...problemRows(box, present), ...aboutAll(box, nextAt)];
      return reportOf([{ rows: about }, ...sectionOf('Apps', ageRows(box, present)), backupSection(box, present)]);
    },
    follow: async () => work.shown((doing) => doing !== returning),
    actions: {
      make: { verb: 'backup', fields, needed, run: async ({ app = '' }) => work.make(app) },
      check: { verb: null, fields: {}, run: async () => work.check() },
      rehearse: { verb: 'rehearse a backup', fields, needed, run: async ({ app = '' }) => work.rehearse(app) },
      restore: {
        verb: 'restore from a backup',
        fields: { app: longestName, id: 64, as: longestName },
        needed: ['app', 'id', 'as'],
        async run({ app = '', id = '', as = '' }) {
          if (!/^[0-9a-f]{8,64}$/.test(id)) refuse('invalidAct');
          return work.restore({ app, id, as: as.trim() });
        },
      },
      on: switched(true, 'A backup of every app is made each night.'),
      off: switched(false, 'No backups are made at night any more.'),
      nights: nightsAction(box),
      key: { verb: 'show the key of the backups', fields: {}, run: () => showKey(box) },
    },
  };
}

export function appBackupsRoom(box: AppsBox, work: BackupWorker): Room {
  return {
    path: 'backups/',
    async read(app) {
      const present = await presentSnapshots(box);
      const of = { about: app, given: { app }, doing: 'Beginning' };
      const make = { ...of, act: 'backups/make', label: 'Back up now', kind: 'primary' } as const;
      const rehearse = { ...of, act: 'backups/rehearse', label: 'Try the backup', kind: 'quiet' } as const;
      const text =
        'A backup has the settings and the data of the app. To try the latest one is to restore it beside the app, to see that it stays up, and to remove it again.';
      const about = { text: app, facts: [text], actions: [make, rehearse] };
      const report = reportOf([{ rows: [...problemRows(box, present), about] }, backupSection(box, present, app)]);
      return { title: `Backups of ${app}`, ...report };
    },
    follow: async () => work.shown((doing) => doing !== returning),
  };
}

const reportOf = (sections: Section[]): Report => ({ is_followed: true, sections });

/** One sentence for each cause, with the apps that it concerns. */
function problemRows(box: AppsBox, { problem, warnings }: PresentSnapshots): Row[] {
  const { problem: ofRun } = box.backup.runs.load();
  const all = [problem, ofRun, ...problemTexts(box, ofRun), ...warnings];
  return all.flatMap((text) => (text === null ? [] : [warning(text)]));
}

function aboutAll(box: AppsBox, nextAt: Date | null): Row[] {
  const { backup } = box;
  const { enabledAt, endedAt } = backup.runs.load();
  const isOn = enabledAt !== null;
  const doing = 'Beginning';
  const given = { app: '' };
  const make: ShownAction = {
    act: 'backups/make',
    label: 'Back up now',
    about: 'all apps',
    kind: 'primary',
    given,
    doing,
  };
  const check: ShownAction = { act: 'backups/check', label: 'Check', about: 'the backups', kind: 'quiet', doing };
  const schedule: ShownAction = {
    act: isOn ? 'backups/off' : 'backups/on',
    label: isOn ? 'Switch off' : 'Switch on',
    about: 'backups of every night',
    kind: isOn ? 'quiet' : 'primary',
    doing: 'Changing the schedule',
  };
  const key: ShownAction = {
    act: 'backups/key',
    label: 'Show the key',
    about: 'of the backups',
    kind: 'quiet',
    doing: 'Reading the key',
    question: {
      title: 'Show the key?',
      text: 'Whoever has the key can read the backups. Is nobody looking over your shoulder?',
      answer: 'Show it',
    },
  };
  const nights = [
    isOn ? 'A backup of every app is made each night.' : 'No backups are made at night.',
    endedAt === null ? 'No night has run yet.' : `The last run ended ${momentText(new Date(endedAt))}.`,
    ...(nextAt === null ? [] : [`The next one begins ${momentText(nextAt)}.`]),
    ...(isOn ? [keptText(backup.place.keep().keep)] : []),
  ];
  const link = { text: 'Choose another place', href: '#/place' };
  return [
    { text: 'Where they are', facts: [backup.repository.shownAddress], link, actions: [make, check] },
    { text: 'Every night', facts: [nights.join(' ')], actions: [schedule, nightsButton(box, nextAt)] },
    { text: 'The box itself', facts: ['Its settings and the folders of your own apps are copied with all apps.'] },
    ...keyReminder(backup),
    { text: 'The key', facts: ['Whoever loses this box and the key loses the backups.'], actions: [key] },
  ];
}

/** Until the key was shown once. */
function keyReminder({ runs }: AppsBox['backup']): Row[] {
  const { isKeyKept, enabledAt, apps } = runs.load();
  const isUsed = enabledAt !== null || Object.keys(apps).length > 0;
  const text = 'nobody has kept the key of these backups yet: show it, and keep it in another place than this box';
  return isKeyKept || !isUsed ? [] : [warning(text)];
}

function ageRows(box: AppsBox, { snapshots, problem }: PresentSnapshots): Row[] {
  if (problem !== null) return [];
  const latest = latestBackups(snapshots, box.now());
  const titles = titlesOf(box);
  return box.apps.all('installed').map(({ name }) => {
    const made = latest.get(name)?.snapshot.time;
    const age = made === undefined ? 'It has no backup.' : `Its latest backup is ${ageText(made, box.now())} old.`;
    return { text: titles.get(name) ?? name, facts: [age] };
  });
}

function ageText(made: Date, now: Date): string {
  const hours = (now.getTime() - made.getTime()) / 3_600_000;
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}

/** The latest first. */
function backupSection(box: AppsBox, { snapshots, problem }: PresentSnapshots, app: string | null = null): Section {
  const runs = box.backup.runs.load();
  const titles = titlesOf(box);
  const rows = snapshots.toReversed().flatMap(({ shortId, time, tags }): Row[] => {
    const read = readTags(tags);
    if (app === null && tags.includes(boxTag)) {
      const facts = ['Its settings and the folders of your own apps.'];
      return [{ text: `The box itself, ${momentText(time)}`, facts, link: filesLink(shortId) }];
    }
    if (read === null || (app !== null && read.app !== app)) return [];
    const title = titles.get(read.app) ?? read.app;
    return [backupRow({ id: shortId, title, time, awayMs: awayFor(runs, shortId) }, read)];
  });
  if (rows.length > 0) return { title: 'Backups', rows, most };
  return { rows: problem === null ? [note('There is no backup yet.')] : [] };
}

const reasons: Readonly<Record<string, string>> = {
  manual: 'by hand',
  schedule: 'at night',
  update: 'before an update',
  remove: 'before a removal',
  restore: 'before a restore',
};

function backupRow(
  { id, title, time, awayMs }: { id: string; title: string; time: Date; awayMs: number | null },
  { app, version, reason, isIncomplete }: SnapshotTags,
): Row {
  const moment = momentText(time);
  const texts = [
    `Version ${version}, made ${reasons[reason] ?? reason}.`,
    ...(awayMs === null ? [] : [`The app was away for ${(awayMs / 1000).toFixed(1)} s.`]),
    ...(isIncomplete ? ['Some files could not be read.'] : []),
  ];
  const text = `Settings and data go back. This also goes back to version ${version}. The present app goes to the removed apps, and a backup of its data is made first.`;
  const restore: ShownAction = {
    act: 'backups/restore',
    label: 'Restore',
    about: `${title}, ${moment}`,
    kind: 'quiet',
    doing: 'Beginning',
    given: { app, id },
    fields: [{ name: 'as', label: 'To leave the present app as it is, name a second app:', type: 'text' }],
    question: { title: `Restore ${title} as it was ${moment}?`, text, answer: 'Restore' },
  };
  return { text: `${title}, ${moment}`, facts: [texts.join(' ')], link: filesLink(id), actions: [restore] };
}

function filesLink(id: string) {
  return { text: 'Look at its files', href: `#/backup-files/${id}` };
}

async function showKey({ backup }: AppsBox) {
  const { shownKey } = await import('./list-backups.ts');
  const key = await orRefuse(shownKey(backup));
  const words = 'Keep a copy in another place, such as a password manager or on paper.';
  const rows = [`\`${key}\``, words].map((text): Row => ({ is: 'text', text }));
  return { ok: true, text: '', shown: { title: 'The key of the backups', rows } };
}
