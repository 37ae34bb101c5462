import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { momentText } from '../../rules/text/amounts.ts';

/** What the schedule of backups remembers. Times are ISO 8601 texts. */
export type BackupRuns = {
  /** The place of the backups, without a password; empty if it was never noted. */
  place: string;
  /** `null` while the schedule is off. */
  enabledAt: string | null;
  endedAt: string | null;
  /** What failed in the last run and concerns all apps; `null` if nothing did. */
  problem: string | null;
  apps: Readonly<Record<string, LastBackup>>;
  rehearsals: Readonly<Record<string, Rehearsal>>;
  /** The part of the data that the next check reads, from 1 on. */
  nextPart: number;
  /** How long apps were away for their backups, in milliseconds; by the first digits of the snapshot's id. */
  awayMs: Readonly<Record<string, number>>;
  /** Whether the owner was shown the key of the backups. */
  isKeyKept: boolean;
};

/** `succeededAt`: when the last good backup was made. `failure`: why the latest one failed. */
export type LastBackup = { succeededAt: string | null; failure: string | null };

export type Rehearsal = { at: string; failure: string | null };

/** A run a night reads all data within a month. */
export const checkedParts = 30;
/** A little less, so that the same night of the next month counts. */
const monthMs = 27.5 * 24 * 60 * 60 * 1000;
const overdueMs = 2 * 24 * 60 * 60 * 1000;
/** Older ones are forgotten. */
const mostAway = 1000;

export const noRuns: BackupRuns = Object.freeze({
  place: '',
  enabledAt: null,
  endedAt: null,
  problem: null,
  apps: {},
  rehearsals: {},
  nextPart: 1,
  awayMs: {},
  isKeyKept: false,
});

/** The record in this text. What is missing or damaged counts as never done. */
export function parseRuns(text: string): BackupRuns {
  const found = parseJson(text);
  if (!isJsonObject(found)) return noRuns;
  const { place, enabledAt, endedAt, problem, apps, rehearsals, nextPart, awayMs, isKeyKept } = found;
  const isPart = Number.isInteger(nextPart) && Number(nextPart) >= 1 && Number(nextPart) <= checkedParts;
  return {
    place: textOrNull(place) ?? '',
    enabledAt: textOrNull(enabledAt),
    endedAt: textOrNull(endedAt),
    problem: textOrNull(problem),
    apps: mapped(apps, (one) => ({ succeededAt: textOrNull(one.succeededAt), failure: textOrNull(one.failure) })),
    rehearsals: mapped(rehearsals, (one) => ({ at: textOrNull(one.at) ?? '', failure: textOrNull(one.failure) })),
    nextPart: isPart ? Number(nextPart) : 1,
    awayMs: Object.fromEntries(Object.entries(isJsonObject(awayMs) ? awayMs : {}).filter(isNumber)),
    isKeyKept: isKeyKept === true,
  };
}

/** What is remembered of this place; `runs` itself unless they are of another one. There only the schedule goes on. */
export function atPlace(runs: BackupRuns, place: string): BackupRuns {
  if (runs.place === place || runs.place === '') return runs;
  const { enabledAt, endedAt, isKeyKept } = runs;
  return { ...noRuns, place, enabledAt, endedAt, isKeyKept };
}

/** Notes the latest backup of an app; `failure` is `null` if it is good. */
export function withBackup(runs: BackupRuns, app: string, failure: string | null, now: Date): BackupRuns {
  const succeededAt = failure === null ? now.toISOString() : (runs.apps[app]?.succeededAt ?? null);
  return { ...runs, apps: { ...runs.apps, [app]: { succeededAt, failure } } };
}

/** Notes how long the app was away for a backup; `null` if it did not run. */
export function withAway(runs: BackupRuns, snapshot: string, ms: number | null): BackupRuns {
  if (ms === null) return runs;
  const before = Object.entries(runs.awayMs).slice(-mostAway);
  return { ...runs, awayMs: { ...Object.fromEntries(before), [snapshot.slice(0, 8)]: Math.round(ms) } };
}

export function awayFor({ awayMs }: BackupRuns, snapshot: string): number | null {
  return awayMs[snapshot.slice(0, 8)] ?? null;
}

/** Why an app has no fresh backup that can be trusted; by app. Nobody expects one while the schedule is off. */
export function backupProblems(runs: BackupRuns, apps: readonly string[], now: Date): Map<string, string> {
  if (runs.enabledAt === null) return new Map();
  const general = isOverdue(runs, now) ? overdueText(lastRun(runs, now)) : runs.problem;
  return new Map(
    apps.flatMap((app) => {
      const failure = general ?? runs.apps[app]?.failure ?? runs.rehearsals[app]?.failure ?? null;
      return failure === null ? [] : [[app, failure] as const];
    }),
  );
}

function overdueText(since: number): string {
  const why = 'on the box, `systemctl status boxgate-backup` says why';
  if (since > 0) return `no backup was made since ${momentText(new Date(since))}; ${why}`;
  return `the last backups were noted under a clock that was wrong, and none was made since; ${why}`;
}

/**
 * The apps whose backups are to be rehearsed now, in their order, until one of them can be: those whose last rehearsal
 * failed, and once a month the one whose rehearsal is the longest ago.
 */
export function dueRehearsals({ rehearsals }: BackupRuns, apps: readonly string[], now: Date): string[] {
  const at = (app: string) => pastTime(rehearsals[app]?.at ?? null, now);
  const failed = apps.filter((app) => (rehearsals[app]?.failure ?? null) !== null);
  const isDue = apps.every((app) => now.getTime() - at(app) > monthMs);
  return failed.length > 0 || !isDue ? failed : [...apps].sort((a, b) => at(a) - at(b));
}

/** Whether no run has ended for two days. */
export function isOverdue(runs: BackupRuns, now: Date): boolean {
  return runs.enabledAt !== null && now.getTime() - lastRun(runs, now) > overdueMs;
}

function lastRun({ enabledAt, endedAt }: BackupRuns, now: Date): number {
  return Math.max(pastTime(enabledAt, now), pastTime(endedAt, now));
}

/** 0 for a time that is not known, or that was noted under a wrong clock: one that is two days or more ahead. */
function pastTime(text: string | null, now: Date): number {
  const time = Date.parse(text ?? '') || 0;
  return time - now.getTime() < overdueMs ? time : 0;
}

function isNumber(entry: [string, unknown]): entry is [string, number] {
  return typeof entry[1] === 'number';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function mapped<Row>(value: unknown, row: (one: Record<string, unknown>) => Row): Record<string, Row> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.flatMap(([name, one]) => (isJsonObject(one) ? [[name, row(one)]] : [])));
}
