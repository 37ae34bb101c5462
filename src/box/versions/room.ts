import { refuse } from '../api/refusals.ts';
import { catalogueApp, titlesOf } from '../app-files/catalogue.ts';
import { ContainersFailed } from '../core.ts';
import { note, type Outcome, type Room, type Row, type Section } from '../report.ts';
import { momentText } from '../rules/text/amounts.ts';
import { lookForNewer } from './look.ts';
import type { VersionsBox } from './ports.ts';
import { broughtByUpdate, type KnownNewer, type KnownVersions } from './rules/known-versions.ts';

const mostDays = 365;

/** Updates: newer versions of apps, and whether they are installed by themselves. */
export function updatesRoom(box: VersionsBox): Room {
  return {
    path: 'updates',
    title: 'Updates',
    group: 'box',
    async read() {
      const known = box.versions.known.load();
      const link = { text: 'Apps', href: '/apps' };
      const what: Row = {
        is: 'text',
        text: 'An app that has a newer version, and boxgate itself, is updated on the page',
        link,
      };
      return { sections: [{ rows: [what] }, newerSection(box, known), scheduleSection(known)] };
    },
    actions: {
      look: { verb: null, fields: {}, run: () => look(box) },
      on: {
        verb: 'set app updates',
        fields: { days: 6 },
        async run({ days = '' }) {
          if (!/^\d+(?:\.\d+)?$/.test(days) || Number(days) > mostDays) refuse('invalidAppUpdates');
          await setAppUpdates(box, true, Math.round(Number(days) * 24));
          return { ok: true, text: 'Apps are updated by themselves now.' };
        },
      },
      off: {
        verb: 'set app updates',
        fields: {},
        async run() {
          await setAppUpdates(box, false);
          return { ok: true, text: 'Apps are not updated by themselves any more.' };
        },
      },
    },
  };
}

/** Turns the daily updates on or off. `minAgeHours`: without it the age stays. */
export async function setAppUpdates(
  { versions }: VersionsBox,
  isEnabled: boolean,
  minAgeHours?: number,
): Promise<void> {
  const { timer, known } = versions;
  await (isEnabled ? timer.enable() : timer.disable());
  await known.change((before) => ({ ...before, isEnabled, minAgeHours: minAgeHours ?? before.minAgeHours }));
}

async function look(box: VersionsBox): Promise<Outcome> {
  try {
    const count = Object.keys((await lookForNewer(box)).apps).length;
    const text = count === 0 ? 'No app has a newer version.' : `${count} app(s) have a newer version.`;
    return { ok: true, text };
  } catch (error) {
    if (!(error instanceof ContainersFailed)) throw error;
    return { ok: false, text: error.message };
  }
}

function newerSection(box: VersionsBox, { lookedAt, apps, problems }: KnownVersions): Section {
  const titles = titlesOf(box);
  const rows = Object.entries(apps).flatMap(([name, newer]): Row[] => {
    const app = box.apps.one('installed', name);
    if (app === null) return [];
    const title = titles.get(name) ?? name;
    const notes = (catalogueApp(box, app) ?? app).manifest?.release_notes;
    const link = notes === undefined ? {} : { link: { text: 'Release notes', href: notes } };
    return [{ text: title, facts: broughtByUpdate(newer).map(newerText), ...link }];
  });
  const looked = lookedAt === null ? 'Nobody has looked yet.' : `Looked ${moment(lookedAt)}.`;
  const none = lookedAt !== null && rows.length === 0 ? [note('No newer version is known.')] : [];
  return {
    title: 'Newer versions of apps',
    rows: [
      note(`${looked} A look asks the servers that the apps come from, without an account.`),
      ...none,
      ...rows,
      ...withoutStore(box, titles),
      ...problems.map(({ image, reason }) => note(`${image} was not looked up: ${reason}.`)),
    ],
    actions: [{ act: 'updates/look', label: 'Look now', kind: 'primary', doing: 'Asking the servers of the apps' }],
  };
}

/** Installed apps that their store has no more. */
function withoutStore(box: VersionsBox, titles: ReadonlyMap<string, string>): Row[] {
  return box.apps.all('installed').flatMap((app): Row[] => {
    const store = app.manifest?.store;
    if (store === undefined || catalogueApp(box, app) !== null) return [];
    const title = titles.get(app.name) ?? app.name;
    return [note(`${title} runs on without newer versions: the store ${store} was removed or has it no more.`)];
  });
}

function newerText({ what, of, to, since, failedAt }: KnownNewer): string {
  const name = what === 'catalogue' ? `Version ${to}` : `A newer build of ${of}`;
  const again = 'It is not tried again by itself; Update on its tile tries it.';
  const failed =
    failedAt === undefined ? '' : ` The app did not run with it ${moment(failedAt)}, and went back. ${again}`;
  return `${name}, known since ${moment(since)}.${failed}`;
}

function scheduleSection({ isEnabled, minAgeHours }: KnownVersions): Section {
  const what =
    'Once a day the box looks for newer versions and updates the apps whose newer version has been known for long enough, each with a backup before it, if backups are set up.';
  const days = {
    name: 'days',
    label: 'Days that a newer version has to be known',
    type: 'number',
    // The command takes hours.
    value: String(Number((minAgeHours / 24).toFixed(2))),
  } as const;
  const on = { act: 'updates/on', label: isEnabled ? 'Save' : 'Turn on', kind: 'primary', doing: 'Saving' } as const;
  const off = { act: 'updates/off', label: 'Turn off', kind: 'quiet', doing: 'Saving' } as const;
  return {
    title: 'Updates by themselves',
    rows: [{ is: 'text', text: `${isEnabled ? 'On' : 'Off'}. ${what}` }],
    actions: [{ ...on, fields: [days] }, ...(isEnabled ? [off] : [])],
  };
}

function moment(time: string): string {
  return momentText(new Date(time));
}
