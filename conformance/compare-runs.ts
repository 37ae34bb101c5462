import type { Report } from './report/report.ts';

/** One run of the suite: one report, or one per shard. */
export type ComparedRun = { name: string; reports: readonly Pick<Report, 'checks'>[] };

/** Describes every check whose outcome differs between the runs, or that a run has never or twice. */
export function differences(runs: readonly ComparedRun[]): string[] {
  const outcomes = runs.map(({ name, reports }) => {
    const checks = reports.flatMap((report) => report.checks);
    return { name, byId: Map.groupBy(checks, (check) => check.id) };
  });
  const ids = new Set(outcomes.flatMap(({ byId }) => [...byId.keys()]));
  return [...ids].flatMap((id) => {
    const found = outcomes.map(({ byId }) => {
      const results = (byId.get(id) ?? []).map(({ outcome }) => outcome);
      return results.length === 0 ? 'absent' : results.join(' and ');
    });
    if (new Set(found).size === 1 && !found[0]?.includes(' and ')) return [];
    return [`${id}: ${outcomes.map(({ name }, index) => `${found[index]} in ${name}`).join(', ')}`];
  });
}
