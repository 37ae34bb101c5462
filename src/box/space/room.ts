import { shareWork } from '../../lib/share-work.ts';
import { acceptDisk, missingDiskText } from '../apps/rooms/missing-disk.ts';
import { note, type Room, type Row, type ShownAction, sectionOf } from '../report.ts';
import { momentText, sizeText } from '../rules/text/amounts.ts';
import type { SpaceBox } from './ports.ts';
import { removeReplacedNow } from './replaced-images.ts';
import { type SpaceReport, showSpace } from './show-space.ts';

/** The page waits for a minute. What is not counted by then is shown as not counted. */
const countMs = 40_000;
const countInShellMs = 10 * 60_000;

/** Space: what takes the disks, and what can go. */
export function spaceRoom(box: SpaceBox): Room {
  // Each count reads all folders.
  const count = shareWork(() => showSpace(box, countMs));
  return {
    path: 'space',
    title: 'Space',
    group: 'storage',
    waiting: 'Counting. This may take most of a minute.',
    async read() {
      const report = await count();
      const { held, disks, apps, problem } = report;
      const counted = problem === null ? [] : [note(`What Docker keeps is not counted: ${problem}`)];
      return {
        sections: [
          ...sectionOf('A disk is missing', held.map(heldRow)),
          ...sectionOf('Disks', [...disks.map(diskRow), ...counted]),
          ...sectionOf('Apps', apps.map(appRow)),
          { title: 'Also', rows: otherRows(report) },
        ],
      };
    },
    print: async () => ({ status: 0, lines: spaceLines(await showSpace(box, countInShellMs)) }),
    actions: {
      free: { verb: 'remove replaced images', fields: {}, run: () => removeReplacedNow(box) },
    },
  };
}

function heldRow({ name, problem }: SpaceReport['held'][number]): Row {
  return { text: name, state: 'not_started', facts: [missingDiskText(problem)], actions: [acceptDisk(name)] };
}

function diskRow({ uses, free, size, isLow }: SpaceReport['disks'][number]): Row {
  const low = isLow ? ': nearly full' : '';
  return { text: `${shown(free)} of ${shown(size)} free${low}`, facts: [`On it: ${uses.join(', ')}.`] };
}

function appRow({ title, folder, images, volumes }: SpaceReport['apps'][number]): Row {
  const data = volumes.length === 0 ? [] : [`data that Docker keeps ${shown(total(volumes))}`];
  const parts = [`Folder ${shown(folder)}, program ${shown(images)}`, ...data];
  return { text: `${title}: ${shown((folder ?? 0) + images + total(volumes))}`, facts: [`${parts.join(', ')}.`] };
}

function otherRows({ replaced, otherVolumes, otherImages, trash, backups, problem }: SpaceReport): Row[] {
  const free: ShownAction = {
    act: 'space/free',
    label: 'Remove now',
    about: 'earlier versions of apps',
    kind: 'primary',
    doing: 'Removing earlier versions',
  };
  const none = 'There are none.';
  const going = replaced.map(
    ({ app, tag, bytes, goesAt }) => `${tag} of ${app}: ${shown(bytes)}, goes ${momentText(new Date(goesAt))}.`,
  );
  const names = otherVolumes.map(({ name, bytes }) => `${name} ${shown(bytes)}`).join(', ');
  const rows = [
    {
      text: `Earlier versions of apps, from before an update: ${shown(total(replaced))}`,
      facts: going.length === 0 ? [none] : going,
      actions: going.length === 0 ? [] : [free],
    },
    { text: `Removed apps: ${shown(trash)}`, href: '#/trash', facts: ['They are kept for some days.'] },
    { text: `Backups: ${shown(backups.bytes)}`, facts: [`At ${backups.address}.`] },
  ];
  if (problem !== null) return rows;
  const removes =
    'Data of a removed app is among it, and comes back with the app. The box never deletes such data. In a shell, `docker volume rm NAME` does.';
  const images =
    'The box removes only what its own updates replaced. In a shell, `docker image prune -a` removes all that is unused.';
  return [
    ...rows,
    {
      text: `Data in Docker that belongs to no installed app: ${shown(total(otherVolumes))}`,
      facts: [otherVolumes.length === 0 ? none : `${names}. ${removes}`],
    },
    { text: `Programs in Docker that no installed app uses: ${shown(otherImages)}`, facts: [images] },
  ];
}

function total(all: readonly { bytes: number }[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0);
}

function shown(bytes: number | null): string {
  if (bytes === null) return 'not counted';
  return bytes === 0 ? '0 kB' : sizeText(bytes);
}

function spaceLines(report: SpaceReport): string[] {
  const size = (bytes: number | null) => (bytes === null ? 'not counted' : sizeText(bytes));
  const { address, bytes } = report.backups;
  return [
    ...report.disks.map(
      ({ uses, free, size: whole, isLow: low }) =>
        `${low ? 'NEARLY FULL: ' : ''}${size(free)} of ${size(whole)} free: ${uses.join(', ')}`,
    ),
    ...(report.problem === null ? [] : [`images and volumes are not counted: ${report.problem}`]),
    ...report.held.map(({ name, problem }) => `${name} is not started: ${problem}`),
    ...report.apps.map(
      ({ name, folder, images, volumes }) =>
        `${name}: folder ${size(folder)}, images ${size(images)}, ${volumes.length} volume(s) ${size(total(volumes))}`,
    ),
    `volumes of no installed app: ${report.otherVolumes.length}, ${size(total(report.otherVolumes))}`,
    `images of no installed app: ${size(report.otherImages)}`,
    `removed apps (boxgate box trash list): ${size(report.trash)}`,
    `backups at ${address}: ${size(bytes)}`,
    `images that updates have replaced: ${report.replaced.length}, ${size(total(report.replaced))}`,
    ...report.replaced.map(
      ({ app, tag, bytes: freed, goesAt }) => `  ${tag} of ${app}: ${size(freed)}, goes on ${goesAt.slice(0, 10)}`,
    ),
    ...(report.replaced.length === 0 ? [] : ['to remove them now: boxgate box space free']),
  ];
}
