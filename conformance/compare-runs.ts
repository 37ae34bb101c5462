import type { Report } from './report/report.ts';

/** One run of the suite: a report, or those of the parts that it was cut into. */
export type ComparedRun = { name: string; reports: readonly Pick<Report, 'checks'>[] };

/** Every check that did not come out the same in all runs, or was not in each of them exactly once. */
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
