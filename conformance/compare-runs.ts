import type { ReportedCheck } from './report/report.ts';

/** One run of the suite: one report, or one per shard. */
export type ComparedRun = {
  name: string;
  reports: readonly { checks: readonly Pick<ReportedCheck, 'id' | 'outcome'>[] }[];
};

/** Describes every check whose outcome differs between the runs, that a run has never or twice, or that passes late. */
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
    if (new Set(found).size === 1 && !found[0]?.includes(' and ') && found[0] !== 'passed-late') return [];
    return [`${id}: ${outcomes.map(({ name }, index) => `${found[index]} in ${name}`).join(', ')}`];
  });
}
