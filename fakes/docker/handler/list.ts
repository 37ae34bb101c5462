import { Failure, unknown } from '../model/failure.ts';
import type { Call } from './call.ts';
import { renderTemplate } from './views/template.ts';

export type Row = Record<string, unknown>;
type Columns = readonly (readonly [name: string, heading: string])[];

/**
 * Prints rows by `--format`: the usual columns by default and for `table`, one object per line for `json`, or a
 * template.
 */
export function printList(call: Call, rows: readonly Row[], format: string | undefined, usual: Columns): void {
  if (format === 'json') {
    printLines(call, rows.map(goJson));
    return;
  }
  if (format?.startsWith('table ')) throw unknown('a table with a template');
  if (format && format !== 'table') {
    for (const row of rows) call.out(`${fillRow(format, row)}\n`);
    return;
  }
  const cells = rows.map((row) => usual.map(([name]) => String(row[name])));
  call.out(alignTable([usual.map(([, heading]) => heading), ...cells]));
}

/** JSON as Go encodes it: with `<`, `>` and `&` escaped. */
function goJson(value: unknown): string {
  const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };
  return JSON.stringify(value).replace(/[<>&]/g, (char) => escapes[char] ?? char);
}

export function printLines(call: Call, lines: Iterable<unknown>): void {
  for (const line of lines) call.out(`${line}\n`);
}

function withLabel(row: Row): Row {
  return { ...row, Label: (name: unknown) => labelOf(row, String(name)) };
}

function labelOf(row: Row, name: string): string {
  const labels = (row as { [labelsOf]?: Record<string, string> })[labelsOf];
  return labels?.[name] ?? '';
}

/** The labels of a row for `{{.Label "name"}}`. A symbol, so that JSON omits them. */
export const labelsOf = Symbol('labels');

/** Listing commands report template errors in other words than `inspect`. */
function fillRow(format: string, row: Row): string {
  try {
    return renderTemplate(format, withLabel(row));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.status, error.message.replace('template parsing error', 'failed to execute template'));
  }
}

/** Aligns columns like the tabwriter of Go: three spaces between, at least ten characters wide. */
export function alignTable(rows: readonly (readonly string[])[], least = 10): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.slice(0, -1).forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? least, cell.length + 3);
    });
  }
  const line = (row: readonly string[]) =>
    row.map((cell, index) => (index < row.length - 1 ? cell.padEnd(widths[index] ?? 0) : cell)).join('');
  return rows.map((row) => `${line(row)}\n`).join('');
}
