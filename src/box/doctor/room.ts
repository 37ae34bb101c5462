import { shareWork } from '../../lib/share-work.ts';
import { capitalized, type Room, type Row, sectionOf } from '../report.ts';
import { type Finding, findingLines } from '../rules/findings/finding.ts';
import { type DoctorBox, shownFindings } from './doctor.ts';

const worstFirst = ['problem', 'unknown', 'off'] as const;

/** A verdict as the page shows it. */
const states = { problem: 'problem', unknown: 'unsure', off: 'off', ok: 'right' } as const;

/** The room in which an owner changes what a finding is about. */
const placesToGo: Readonly<Record<string, readonly [title: string, href: string]>> = {
  app: ['Apps', '/apps'],
  apps: ['Apps', '/apps'],
  backups: ['Backups', '#/backups'],
  disk: ['Storage', '#/storage'],
  mounts: ['Storage', '#/storage'],
  'names with HTTPS': ['HTTPS addresses', '#/https'],
  notifications: ['Notifications', '#/notifications'],
  'public addresses': ['Public addresses', '#/addresses'],
  store: ['Stores', '#/stores'],
};

/** The owner's word for what a finding is about, if it is another one. */
const words: Readonly<Record<string, string>> = {
  catalogue: 'Apps to install',
  mounts: 'Disks of apps',
  name: 'Name of the box',
  'names with HTTPS': 'HTTPS addresses',
  permissions: 'Files with secrets',
};

/** This box: what is wrong with it, and what to do. */
export function doctorRoom(box: DoctorBox): Room {
  const look = shareWork(() => shownFindings(box));
  return {
    path: 'box',
    title: 'State of the box',
    group: 'box',
    waiting: 'Looking at the box. This may take ten seconds…',
    async read() {
      const findings = await look();
      const rowsOf = (wanted: Finding['verdict']) =>
        findings.filter(({ verdict }) => verdict === wanted).map(findingRow);
      const right = rowsOf('ok');
      const about =
        'A report has all of this, versions and the end of the journal, to send to somebody who helps. It has no passwords, no tokens and no public addresses; read it before you send it.';
      const again = { read: 'box', label: 'Look again', kind: 'quiet', doing: 'Looking at the box' } as const;
      const report = {
        read: 'report',
        label: 'Make a report',
        kind: 'quiet',
        doing: 'Making the report',
        note: about,
      } as const;
      return {
        sections: [
          { rows: [summaryOf(findings), ...worstFirst.flatMap(rowsOf)], actions: [again, report] },
          ...sectionOf(`What is right: ${right.length}`, right).map((section) => ({ ...section, is_folded: true })),
        ],
      };
    },
    async print() {
      const findings = await shownFindings(box);
      const status = findings.some(({ verdict }) => verdict === 'problem') ? 1 : 0;
      return { status, lines: findingLines(findings) };
    },
  };
}

export function reportRoom(box: DoctorBox): Room {
  const make = shareWork(async () => (await import('./make-report.ts')).makeReport(box));
  return {
    path: 'report',
    async read() {
      const row = { text: 'Report', folded: await make(), file: 'boxgate-report.txt' };
      return { title: 'The report is below.', sections: [{ rows: [row] }] };
    },
  };
}

function summaryOf(findings: readonly Finding[]): Row {
  const count = findings.filter(({ verdict }) => verdict === 'problem').length;
  if (count === 0) return { is: 'text', text: 'Nothing is wrong.' };
  return { is: 'warning', text: count === 1 ? 'One thing is wrong.' : `${count} things are wrong.` };
}

function findingRow({ about, verdict, text }: Finding): Row {
  const place = verdict === 'ok' ? undefined : placesToGo[about];
  const link = place === undefined ? {} : { link: { text: `Open ${place[0]}`, href: place[1] } };
  return { text: words[about] ?? capitalized(about), state: states[verdict], facts: [capitalized(text)], ...link };
}
