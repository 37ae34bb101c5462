import type { Snapshot } from '../../../restic/ports.ts';
import { refuse } from '../../api/refusals.ts';
import type { AppsBox } from '../../apps/ports.ts';
import { capitalized, type Field, note, type Room, type Row, type Section, type ShownAction } from '../../report.ts';
import { momentText } from '../../rules/text/amounts.ts';
import { presentSnapshots } from '../backup-problems.ts';
import type { Return } from '../bring-back.ts';
import { returnedLines } from '../rules/backup-texts.ts';
import { fileAddress } from '../rules/file-address.ts';
import { boxItself, latestBackups, latestOfBox } from '../rules/latest-backup.ts';
import { orRefuse } from '../told-failure.ts';
import { type BackupWorker, returning } from './backup-work.ts';
import { adoptBackups, typedKey } from './choose-place.ts';

const longestKey = 1024;
const longestChoice = 64 * 1024;

/** Apps of a box that is lost come back to a new one: first its backups become those of this box, then the owner chooses. */
export function bringBackRoom(box: AppsBox, work: BackupWorker): Room {
  return {
    path: 'bring-back',
    title: 'Bring everything back',
    group: 'backups',
    async read() {
      const { snapshots } = await presentSnapshots(box);
      const isEmpty = snapshots.length === 0 && box.apps.all('installed').length === 0;
      const missing = isEmpty
        ? [{ rows: [note('This box has no app and no backup yet.')] }]
        : missingApps(box, snapshots);
      const sections = [...returnSections(work.returns()), ...missing, adoptSection(box, isEmpty)];
      return { is_followed: true, sections };
    },
    follow: async () => work.shown((doing) => doing === returning),
    actions: {
      adopt: {
        verb: 'take over backups',
        fields: { key: longestKey, setsAside: 3 },
        needed: ['key'],
        async run({ key = '', setsAside = '' }) {
          const given = typedKey(key);
          if (given === '') refuse('invalidBackupKey');
          const lines = await orRefuse(adoptBackups(box, box.backup.repository, given, setsAside === 'yes'));
          return { ok: true, text: capitalized(lines.join('\n')) };
        },
      },
      return: {
        verb: 'bring apps back',
        fields: { apps: longestChoice },
        needed: ['apps'],
        async run({ apps = '' }) {
          if (apps === '') return { ok: false, text: 'Nothing is chosen.' };
          return work.bringBack(new Set(apps.split('\n')));
        },
      },
    },
  };
}

/** The apps of the backups that are neither installed nor were removed; with them, the box's own copy. */
function missingApps(box: AppsBox, snapshots: readonly Snapshot[]): Section[] {
  const apps = [...latestBackups(snapshots, box.now()).values()]
    .filter(({ tags }) => !tags.isRemoved && box.apps.one('installed', tags.app) === null)
    .sort((a, b) => (a.tags.app < b.tags.app ? -1 : 1));
  if (apps.length === 0) return [];
  const choices = apps.map(({ snapshot, tags }) => ({
    value: tags.app,
    text: `${tags.app}, version ${tags.version}, as it was ${madeText(snapshot)}`,
  }));
  const ofBox = latestOfBox(snapshots, box.now());
  if (ofBox !== null)
    choices.push({ value: boxItself, text: `Your own apps to install, as they were ${madeText(ofBox)}` });
  const field: Field = { name: 'apps', label: 'What comes back', type: 'several', choices };
  const hosts = [...new Set(apps.map(({ snapshot }) => snapshot.host))].join(', ');
  const bring: ShownAction = {
    act: 'bring-back/return',
    label: 'Bring back',
    about: 'what is chosen',
    kind: 'primary',
    doing: 'Beginning',
    fields: [field],
    note: `Each app comes back with its settings and data, and starts. Only one machine may work with these backups: first switch ${hosts} off, unless it is this box.`,
  };
  return [{ title: 'Apps that the backups have and this box has not', rows: [], actions: [bring] }];
}

function madeText({ time, host }: Snapshot): string {
  return `${momentText(time)} on ${host}`;
}

function returnSections(returns: readonly Return[]): Section[] {
  const rows = returns.flatMap((one): Row[] => {
    if (one.app === '') return [{ is: 'warning', text: capitalized(one.result.text) }];
    return one.ofBox === undefined ? [returnRow(one)] : boxRows(one.ofBox);
  });
  return rows.length === 0 ? [] : [{ title: 'What came back', rows }];
}

function returnRow({ app, result: { status, text } }: Return): Row {
  const again: ShownAction = {
    act: 'bring-back/return',
    label: 'Try again',
    about: app,
    kind: 'quiet',
    doing: 'Beginning',
    given: { apps: app },
  };
  const lines = returnedLines(app, text, status === 0);
  // Such a line begins with the name of the app.
  const facts = lines.map((line) => (line.startsWith(app) ? line : capitalized(line)));
  const name = app === boxItself ? 'The box itself' : app;
  if (status === 0) return { text: name, state: 'right', facts };
  return { text: name, state: 'problem', facts, actions: [again], link: { text: 'All apps', href: '/apps' } };
}

/** Settings are not put back: a new machine may have others, and this program may not write those of the system. */
function boxRows({ id, back, rest }: NonNullable<Return['ofBox']>): Row[] {
  const own = back.map((path): Row => ({ text: 'Your own apps to install', state: 'right', facts: [`In ${path}.`] }));
  const settings = rest.map((path): Row => {
    const href = `#/backup-files/${fileAddress({ id, path })}`;
    return { text: path, facts: ['Not put back.'], link: { text: 'Look at its files', href } };
  });
  const what =
    'Settings of the box itself stay as they are here. Compare them with those of before, and set again what you miss: names and addresses under Network, messages and stores under This box. Lines of /etc/boxgate/box.env are written by hand.';
  return [...own, ...(settings.length === 0 ? [] : [note(what)]), ...settings];
}

function adoptSection({ backup }: AppsBox, isEmpty: boolean): Section {
  const known = backup.repository.known();
  const { isFixed, chosen } = backup.place;
  const set = isFixed
    ? 'It is set in `/etc/boxgate/box.env`.'
    : 'Choose the place where they are, and give the key there.';
  const link = isFixed ? {} : { link: { text: 'Choose the place', href: '#/place' } };
  const about = [
    note(
      'A new box takes the apps of a lost one from their backups. It needs the place of the backups, and their key.',
    ),
    { text: 'The place', facts: [backup.repository.shownAddress, set], ...link },
  ];
  const field: Field = { name: 'key', label: 'The key of the backups', type: 'password' };
  const take: ShownAction = {
    act: 'bring-back/adopt',
    label: 'Look what is there',
    kind: isEmpty ? 'primary' : 'quiet',
    doing: 'Looking at the backups',
    fields: [field],
  };
  const asked: ShownAction = {
    ...take,
    given: { setsAside: 'yes' },
    question: {
      title: 'Use other backups?',
      text: `This box has made backups of its own at ${known.join(', ')}. If they have another key than the one that you give, they stay there and this box uses them no more; keep a copy of their key first, which Show the key shows.`,
      answer: 'Use the other backups',
    },
  };
  return {
    title: 'From the backups of another box',
    is_folded: !isEmpty,
    rows: about,
    actions: isFixed || chosen() !== null ? [known.length === 0 ? take : asked] : [],
  };
}
