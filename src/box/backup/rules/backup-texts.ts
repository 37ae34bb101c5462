import type { MadeSnapshot, Snapshot } from '../../../restic/ports.ts';
import { momentText, sizeText } from '../../rules/text/amounts.ts';
import { type AppFacts, excluded, type LeftOut } from './app-facts.ts';
import { unnamedText } from './places.ts';
import type { SnapshotTags } from './snapshot-tags.ts';

export type MadeBackup = {
  snapshot: MadeSnapshot;
  /** How long the app was away; `null` if it did not run. */
  awayMs: number | null;
  facts: Pick<AppFacts, 'app' | 'volumes' | 'leftOut'>;
  /** The end of a sentence if the app does not run since; the backup is good all the same. */
  fault: string | null;
};

/** What was copied, how long the app was away, and what the backup lacks. */
export function madeText({ snapshot, awayMs, facts, fault }: MadeBackup): string {
  const { id, bytes, bytesAdded, unread } = snapshot;
  const away = awayMs === null ? 'the app did not run' : `the app was away for ${(awayMs / 1000).toFixed(1)} s`;
  return [
    `${facts.app}: backup ${id.slice(0, 8)} of ${sizeText(bytes)}, ${sizeText(bytesAdded)} new; ${away}${fault ?? ''}`,
    ...usedLines(facts.volumes),
    ...leftOutLines(facts.leftOut),
    ...unread.map((file) => `  could not be read: ${file}`),
  ].join('\n');
}

function usedLines(volumes: AppFacts['volumes']): string[] {
  return volumes.flatMap(({ name, usedBy = [] }) => {
    return usedBy.map((user) => `  ${user} of another project may have changed the volume ${name} while it was copied`);
  });
}

export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return leftOut.map(({ what, why }) => `  not copied: ${what} (${why})`);
}

type Shown = Pick<Snapshot, 'shortId' | 'time'>;

export function listedText(
  { shortId, time }: Shown,
  { app, reason, version, isIncomplete }: SnapshotTags,
  awayMs: number | null = null,
): string {
  const notes = [
    ...(awayMs === null ? [] : [`away ${(awayMs / 1000).toFixed(1)} s`]),
    ...(isIncomplete ? ['incomplete'] : []),
  ];
  const columns = [shortId, momentText(time), app, version, reason, notes.join(', ')];
  return columns.join('\t').trimEnd();
}

export function shownFacts(
  snapshot: Shown,
  tags: SnapshotTags,
  { directory, volumes, images, leftOut }: AppFacts,
): string {
  return [
    listedText(snapshot, tags),
    `  directory ${directory}`,
    ...volumes.map(
      ({ name, at: [unnamed] = [] }) => `  ${unnamed === undefined ? `volume ${name}` : unnamedText(unnamed)}`,
    ),
    ...usedLines(volumes),
    ...images.map(({ service, tag, id }) => `  image of ${service}: ${tag} (${id})`),
    ...leftOutLines(leftOut),
  ].join('\n');
}

/** `before` is the backup of the app that was replaced. */
export function restoredText({ app, version }: AppFacts, { time }: Shown, before: string | null): string {
  const undo =
    before === null ? '' : `; the app of before is in the trash, and its data in the backup ${before.slice(0, 8)}`;
  return `${app} is as it was at ${momentText(time)}; this also goes back to version ${version}${undo}. It is back`;
}

/** How an app came back, in sentences for its owner. What the manifest excludes, the app can do without. */
export function returnedLines(app: string, text: string, isUp: boolean): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.endsWith(`(${excluded})`) && !(isUp && line.startsWith(`${app}/`)));
  return lines.map((line) => line.replace(/^not copied: volume /, 'not copied: the data '));
}

/** What a roll-back says of the data. `stays`: what the new version may have changed and was not put back. */
export function putBackText(stays: readonly LeftOut[]): string {
  const missed = stays.filter(({ why }) => why !== excluded);
  if (missed.length === 0) return ' and its data of before';
  const places = missed.map(({ what, why }) => `${what} (${why})`).join(', ');
  return `; its data was put back, except for what stays as the newer version left it: ${places}`;
}

export function waitsText(app: string): string {
  return `a backup, restore or update of ${app} was cut off and has to be finished first; the box tries it every minute`;
}
