import { ignore } from '../../../lib/ignore.ts';
import { shownText } from '../../../lib/shown-text.ts';
import { refuseNotInstalled, titlesOf } from '../../app-files/catalogue.ts';
import { maskSecretsIn } from '../../app-files/secrets.ts';
import { StorageFailed } from '../../core.ts';
import { containersNow } from '../../engine/containers-by-app.ts';
import { diskProblemOf } from '../../engine/disks.ts';
import { openUrls } from '../../https/named-apps.ts';
import {
  type Action,
  dockerNotice,
  longestName,
  note,
  type Outcome,
  type Room,
  type Row,
  roomOf,
  type Section,
  sectionOf,
  warning,
} from '../../report.ts';
import { isActive } from '../../rules/compose/image-changes.ts';
import { momentText } from '../../rules/text/amounts.ts';
import type { AppsBox } from '../ports.ts';
import { acceptDisk, missingDiskText } from './missing-disk.ts';

const mostKept = 20;
const longestDifference = 256 * 1024;

/** The room of one app. `more`: what other subjects show of it. */
export function appRoom(box: AppsBox, more: (app: string) => Promise<Section>): Room {
  return {
    path: 'apps/',
    async read(name) {
      const title = titlesOf(box).get(name) ?? name;
      const now = await present(box, name);
      const given = { app: name };
      const question = {
        title: 'Undo the latest settings?',
        text: 'The app is started with the earlier values. A second undo brings these back.',
        answer: 'Undo',
        room: roomOf('undo', name),
      };
      const undo = { act: 'apps/undo', label: 'Undo the latest settings', kind: 'quiet', given, question } as const;
      const measure = { read: roomOf('measures', name), label: 'Measure', kind: 'quiet', doing: 'Measuring' } as const;
      const about = note(`Memory and processor of ${title} now, and the space that its data takes.`);
      const backups: Row = { is: 'text', text: `Backups of ${title}`, href: `#/${roomOf('backups', name)}` };
      return {
        title,
        is_followed: true,
        sections: [
          now.state,
          ...(now.isKnown ? [{ title: 'Log', rows: [], log: name }] : []),
          await more(name),
          { title: 'Backups', rows: [backups] },
          { title: 'Settings', rows: [], actions: [{ ...undo, doing: 'Undoing the settings' }] },
          ...sectionOf('Kept files', await keptFiles(box, name).catch(ignore(StorageFailed, failedRows))),
          changesOf(box, name),
          { title: 'Use and data', rows: [about], actions: [measure] },
          ...now.containers,
        ],
      };
    },
    async follow(name) {
      const step = box.operations.all().get(name)?.step;
      if (step === undefined) return { ok: true, text: '' };
      const text = `A change is under way: ${step.replace('pulling', 'downloading').replaceAll('_', ' ')}.`;
      return { ok: true, text, has_begun: true };
    },
    actions: {
      accept: ofApp('accept disks', async (app) => (await import('../restart-app.ts')).acceptDisks(box, app)),
      restart: ofApp('restart', async (app) => (await import('../restart-app.ts')).restartApp(box, app)),
      start: ofApp('start', async (app) => (await import('../restart-app.ts')).startApp(box, app)),
      stop: ofApp('stop', async (app) => (await import('../restart-app.ts')).stopApp(box, app)),
      undo: ofApp('undo settings', async (app) => (await import('../settings.ts')).undoAppSettings(box, app)),
    },
  };
}

function ofApp(verb: string, run: (app: string) => Promise<Outcome>): Action {
  return { verb, subject: 'app', fields: { app: longestName }, run: ({ app = '' }) => run(app) };
}

/** What the app does now; for experts, also its parts. */
async function present(box: AppsBox, name: string) {
  const { entry, path } = refuseNotInstalled(box, name);
  await box.states.firstPicture();
  const { containers, problem } = await containersNow(box, name);
  const { state = 'unknown', state_detail = '' } = box.states.of(box.apps.all('installed')).get(name) ?? {};
  const diskProblem = diskProblemOf(box, name);
  const given = { app: name };
  const isRunning = containers.some(isActive);
  const weight = isRunning ? 'primary' : 'quiet';
  const restart = { act: 'apps/restart', label: 'Restart', kind: weight, doing: `Restarting ${name}`, given } as const;
  const stop = { act: 'apps/stop', label: 'Stop', kind: 'quiet', doing: `Stopping ${name}`, given } as const;
  const start = { act: 'apps/start', label: 'Start', kind: 'primary', doing: `Starting ${name}`, given } as const;
  const shownState: Row = problem === null ? { is: 'text', text: state_detail, state } : dockerNotice(problem);
  const home = openUrls(box).get(name);
  const urls = [...(home === undefined ? [] : [home]), ...(box.addresses.urls().get(path) ?? [])];
  const rows: Row[] = [
    ...(diskProblem === null ? [shownState] : [warning(missingDiskText(diskProblem))]),
    ...(entry.ok ? [note(`Version ${entry.version}.`)] : []),
    ...urls.map((url): Row => ({ is: 'text', text: url, href: url })),
  ];
  const containerRows = containers.map(({ name: container, state: does, health, image, startedAt }): Row => {
    const since = startedAt === null ? '' : `, started ${momentText(new Date(startedAt))}`;
    return { text: container, facts: [`${health ?? does}${since}. Image ${image}.`] };
  });
  const accept = diskProblem === null ? [] : [acceptDisk(name)];
  return {
    isKnown: problem === null,
    state: { rows, actions: [...accept, ...(isRunning ? [restart, stop] : [start, restart])] },
    containers: sectionOf('For experts: its containers', containerRows).map((one) => ({ ...one, is_folded: true })),
  };
}

function changesOf(box: AppsBox, name: string): Section {
  const rows = box.history.of(name).map(({ at, operation, by, outcome, detail }): Row => {
    const when = `${momentText(new Date(at))}${by === '' ? '' : ` ${by}`}.`;
    return { text: `${operation}: ${outcome}`, facts: [when, ...(detail === '' ? [] : [detail])] };
  });
  return { title: 'Latest changes', rows: rows.length > 0 ? rows : [note('None is known yet.')], most: 5 };
}

const failedRows = ({ message }: Error): Row[] => [warning(message)];

/** The owner's versions of files that an update or a reinstall replaced, and what differs. */
async function keptFiles(box: AppsBox, name: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const pair of box.keptFiles.list(name).slice(0, mostKept)) {
    const found = await box.keptFiles.difference(name, pair);
    const folded =
      found === null ? 'The files are no text or too large to compare.' : shownDifference(box, name, found);
    rows.push({ text: `${pair.kept}: yours; ${pair.file} is the new one`, folded });
  }
  return rows;
}

function shownDifference(box: AppsBox, name: string, found: string): string {
  const text = shownText(maskSecretsIn(box, found, name));
  if (text.length <= longestDifference) return text;
  return `${text.slice(0, longestDifference).toWellFormed()}\nThe difference is longer than this.`;
}
