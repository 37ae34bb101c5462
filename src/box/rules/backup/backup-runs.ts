import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { momentText } from './backup-texts.ts';

/** What the schedule of backups remembers. Times are ISO 8601 texts. */
export type BackupRuns = {
  /** `null` while the schedule is off. */
  enabledAt: string | null;
  /** When the last run of all apps ended. */
  endedAt: string | null;
  /** What failed in the last run and concerns all apps; `null` if nothing did. */
  problem: string | null;
  apps: Readonly<Record<string, LastBackup>>;
  rehearsals: Readonly<Record<string, Rehearsal>>;
  /** The part of the data that the next check reads, from 1 on. */
  nextPart: number;
};

/** `succeededAt`: when the last good backup was made. `failure`: why the latest one failed. */
export type LastBackup = { succeededAt: string | null; failure: string | null };

export type Rehearsal = { at: string; failure: string | null };

/** A run a night reads all data within a month. */
export const checkedParts = 30;
/** A little less, so that the same night of the next month counts. */
const monthMs = 27.5 * 24 * 60 * 60 * 1000;
const overdueMs = 2 * 24 * 60 * 60 * 1000;

export const noRuns: BackupRuns = Object.freeze({
  enabledAt: null,
  endedAt: null,
  problem: null,
  apps: {},
  rehearsals: {},
  nextPart: 1,
});

/** The record in this text. What is missing or damaged counts as never done. */
export function parseRuns(text: string): BackupRuns {
  const found = parseJson(text);
  if (!isJsonObject(found)) return noRuns;
  const { enabledAt, endedAt, problem, apps, rehearsals, nextPart } = found;
  const isPart = Number.isInteger(nextPart) && Number(nextPart) >= 1 && Number(nextPart) <= checkedParts;
  return {
    enabledAt: textOrNull(enabledAt),
    endedAt: textOrNull(endedAt),
    problem: textOrNull(problem),
    apps: mapped(apps, (one) => ({ succeededAt: textOrNull(one.succeededAt), failure: textOrNull(one.failure) })),
    rehearsals: mapped(rehearsals, (one) => ({ at: textOrNull(one.at) ?? '', failure: textOrNull(one.failure) })),
    nextPart: isPart ? Number(nextPart) : 1,
  };
}

/** Notes the latest backup of an app; `failure` is `null` if it is good. */
export function withBackup(runs: BackupRuns, app: string, failure: string | null, now: Date): BackupRuns {
  const succeededAt = failure === null ? now.toISOString() : (runs.apps[app]?.succeededAt ?? null);
  return { ...runs, apps: { ...runs.apps, [app]: { succeededAt, failure } } };
}

/**
 * Why an app has no fresh backup that can be trusted; by app. Empty while the schedule is off, because then nobody
 * expects backups.
 */
export function backupProblems(runs: BackupRuns, apps: readonly string[], now: Date): Map<string, string> {
  const { enabledAt, endedAt, problem } = runs;
  if (enabledAt === null) return new Map();
  const general = isOverdue(runs, now)
    ? `no backup was made since ${momentText(new Date(latest(enabledAt, endedAt)))}; on the box, \`systemctl status boxgate-backup\` says why`
    : problem;
  return new Map(
    apps.flatMap((app) => {
      const failure = general ?? runs.apps[app]?.failure ?? runs.rehearsals[app]?.failure ?? null;
      return failure === null ? [] : [[app, failure] as const];
    }),
  );
}

/**
 * The apps whose backups are to be rehearsed now, in their order, until one of them can be: those whose last rehearsal
 * failed, and once a month the one whose rehearsal is the longest ago.
 */
export function dueRehearsals({ rehearsals }: BackupRuns, apps: readonly string[], now: Date): string[] {
  const at = (app: string) => Date.parse(rehearsals[app]?.at ?? '') || 0;
  const failed = apps.filter((app) => (rehearsals[app]?.failure ?? null) !== null);
  const isDue = apps.every((app) => now.getTime() - at(app) > monthMs);
  return failed.length > 0 || !isDue ? failed : [...apps].sort((a, b) => at(a) - at(b));
}

/** Whether no run has ended for two days. */
export function isOverdue({ enabledAt, endedAt }: BackupRuns, now: Date): boolean {
  return enabledAt !== null && now.getTime() - Date.parse(latest(enabledAt, endedAt)) > overdueMs;
}

function latest(one: string, other: string | null): string {
  return other !== null && Date.parse(other) > Date.parse(one) ? other : one;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function mapped<Row>(value: unknown, row: (one: Record<string, unknown>) => Row): Record<string, Row> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.flatMap(([name, one]) => (isJsonObject(one) ? [[name, row(one)]] : [])));
}
