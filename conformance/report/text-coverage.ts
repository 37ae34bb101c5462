import type { Coverage, OperationCoverage } from '../run/coverage.ts';

/**
 * A table of the statuses that the traffic covered, with their counts, and of the violated constraints. A dash is a
 * gap.
 */
export function describeCoverage(coverage: Coverage): string {
  const { operations, gaps, points, seen } = coverage;
  const statuses = [...new Set(operations.flatMap((one) => one.statuses.map(({ name }) => name)))].sort();
  const rows = operations.map((one) => [
    one.operation,
    ...statuses.map((status) => timesOf(one, status)),
    constraintsOf(one),
  ]);
  const open = gaps.filter((gap) => gap.reason === null);
  return [
    `coverage: ${seen} of ${points} points of the API covered, ${gaps.length - open.length} gaps with a reason`,
    ...alignColumns([['', ...statuses, 'constraints'], ...rows]),
    ...open.map(({ operation, point }) => `  not covered: ${operation} ${point}`),
    '',
  ].join('\n');
}

function timesOf({ statuses }: OperationCoverage, status: string): string {
  const times = statuses.find(({ name }) => name === status)?.times;
  return times === 0 ? '-' : String(times ?? '');
}

function constraintsOf({ constraints }: OperationCoverage): string {
  if (constraints.length === 0) return '';
  return `${constraints.filter(({ times }) => times > 0).length}/${constraints.length}`;
}

/** Aligns the first column to the left and the others to the right. */
function alignColumns(rows: readonly string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `  ${cells.join('  ').trimEnd()}`;
  });
}
