import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is known of a mutant: which check noticed it, or which ones did not. */
export type Finding = {
  key: string;
  /** The check that noticed it first, and how that came out. */
  noticedBy: { id: string; outcome: 'fail' | 'timeout' } | null;
  /** The prints of the checks that passed although it was on. */
  passed: string[];
  /** Checks that broke down themselves: neither noticed nor passed. */
  broke: string[];
};

/** Lines of a file that a run only ever adds to, so that one that is broken off loses at most its last line. */
export type Lines<T> = { rows: readonly T[]; add: (row: T) => void };

export function openLines<T>(path: string): Lines<T> {
  mkdirSync(dirname(path), { recursive: true });
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const rows = wholeLines(text).map((line) => JSON.parse(line) as T);
  // What a broken-off run left of a line is closed, and is no row.
  if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
  return {
    rows,
    add(row) {
      rows.push(row);
      appendFileSync(path, `${JSON.stringify(row)}\n`);
    },
  };
}

function wholeLines(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
}

/** What a finding holds for: the text of the mutant's file, and the wording of the check that noticed it. */
type Kept = Finding & { source: string; print: string | null };

/**
 * The findings that still hold: of a file whose text is the same, by a check that is worded as it was. That a change
 * elsewhere made a check blind to a mutant is not looked for.
 */
export function openFindings(
  path: string,
  sourceOf: (key: string) => string | undefined,
  printOf: (checkId: string) => string | undefined,
): Lines<Finding> {
  const lines = openLines<Kept>(path);
  const holds = ({ key, source, noticedBy, print }: Kept) =>
    source === sourceOf(key) && (noticedBy === null || print === printOf(noticedBy.id));
  const rows: Finding[] = lines.rows.filter(holds);
  return {
    rows,
    add(row) {
      rows.push(row);
      const print = row.noticedBy === null ? null : (printOf(row.noticedBy.id) ?? null);
      lines.add({ ...row, source: sourceOf(row.key) ?? '', print });
    },
  };
}

/** All that is known of each mutant: once noticed is noticed, and what passed adds up. */
export function joinFindings(rows: readonly Finding[]): Map<string, Finding> {
  const known = new Map<string, Finding>();
  for (const row of rows) {
    const before = known.get(row.key);
    known.set(row.key, {
      key: row.key,
      noticedBy: before?.noticedBy ?? row.noticedBy,
      passed: [...new Set([...(before?.passed ?? []), ...row.passed])],
      broke: [...new Set([...(before?.broke ?? []), ...row.broke])],
    });
  }
  return known;
}
