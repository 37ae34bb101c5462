import type { Snapshot } from '../../../restic/ports.ts';
import { boxTag, draftTag, readTags } from './snapshot-tags.ts';

/** How many backups of each app are kept. `other-days` is for those that the schedule did not make. */
export type KeptNumbers = Readonly<Record<'daily' | 'weekly' | 'monthly' | 'other-days', number>>;
/** `all`: nothing is forgotten. */
export type Keep = KeptNumbers | 'all';

export const defaultKeep: KeptNumbers = { daily: 7, weekly: 4, monthly: 6, 'other-days': 14 };

/** `all`, or numbers such as `daily=7,other-days=30`; the default counts for those that are not named. */
export function parseKeep(text: string): Keep | undefined {
  if (text === 'all') return text;
  const parts = text.split(',').map((part) => /^ *([a-z-]{1,20})=(\d{1,5}) *$/.exec(part) ?? []);
  if (!parts.every(([, name]) => name !== undefined && Object.hasOwn(defaultKeep, name))) return undefined;
  return { ...defaultKeep, ...Object.fromEntries(parts.map(([, name, number]) => [name, Number(number)])) };
}

/** A text that `parseKeep` takes. */
export function keepText(keep: Keep): string {
  if (keep === 'all') return keep;
  return Object.entries(keep)
    .map(([name, number]) => `${name}=${number}`)
    .join(',');
}

export type Aged = Pick<Snapshot, 'id' | 'time' | 'tags' | 'isOwn'>;

const mostOfBox = 7;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * The ids of backups to forget. As with restic, the last backup of a day, week or month is kept, for the latest days,
 * weeks and months that have one. So the last backup of an app always stays. The states that an update or a restore
 * replaced are no such backups. A backup that lacks files counts only if its app has no complete one. The latest ones
 * of the box itself are kept. Backups from the future count for nothing and stay; snapshots of others and of other
 * machines are never named.
 */
export function backupsToForget(snapshots: readonly Aged[], keep: KeptNumbers, now: Date): string[] {
  const past = snapshots
    .filter(({ isOwn, time }) => isOwn && time <= now)
    .map((one) => ({ ...one, read: readTags(one.tags), ageMs: now.getTime() - one.time.getTime() }));
  const states = past.filter(({ read }) => read !== null && read.reason !== 'update' && read.reason !== 'restore');
  const kept = [...Map.groupBy(states, ({ read }) => read?.app).values()].map((all) => {
    const complete = all.filter(({ read }) => read?.isIncomplete === false);
    return regular(complete.length > 0 ? complete : all, keep);
  });
  const ofBox = past.filter(({ tags }) => tags.includes(boxTag)).slice(0, -mostOfBox);
  const ofApps = past.filter(({ id, tags, read, ageMs }) => {
    const isYoung = ageMs < keep['other-days'] * dayMs;
    // A first pass of this age belongs to a backup that was killed. A younger one may be under way.
    if (read === null) return tags.includes(draftTag) && ageMs > dayMs;
    return !kept.some((ids) => ids.has(id)) && (read.reason === 'schedule' || !isYoung);
  });
  return [...ofApps, ...ofBox].map(({ id }) => id);
}

/** The ids of first passes, which the end of a night forgets: also those of a night that was cut off. */
export function draftsOfNights(snapshots: readonly Aged[]): string[] {
  const marks = [draftTag, 'reason=schedule'];
  return snapshots.filter(({ isOwn, tags }) => isOwn && marks.every((one) => tags.includes(one))).map(({ id }) => id);
}

/** The ids of the last backup of each of the latest days, weeks and months. */
function regular(snapshots: readonly Aged[], { daily, weekly, monthly }: KeptNumbers): Set<string> {
  const latestFirst = [...snapshots].sort((a, b) => b.time.getTime() - a.time.getTime());
  const lastOf = (many: number, periodOf: (time: Date) => string) =>
    [...Map.groupBy(latestFirst, ({ time }) => periodOf(time)).values()]
      .slice(0, many)
      .flatMap((all) => all.slice(0, 1));
  const kept = [latestFirst.slice(0, 1), lastOf(daily, dayOf), lastOf(weekly, weekOf), lastOf(monthly, monthOf)];
  return new Set(kept.flat().map(({ id }) => id));
}

function dayOf(time: Date): string {
  return `${time.getFullYear()}-${time.getMonth()}-${time.getDate()}`;
}

function monthOf(time: Date): string {
  return `${time.getFullYear()}-${time.getMonth()}`;
}

function weekOf(time: Date): string {
  const sinceMonday = (time.getDay() + 6) % 7;
  return dayOf(new Date(time.getFullYear(), time.getMonth(), time.getDate() - sinceMonday));
}
