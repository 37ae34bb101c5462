import type { AnyContext, Check } from '../kernel/check.ts';
import type { Api } from '../run/api.ts';

/**
 * A fault of a Python implementation in `conformance/implementations`, and the requirements that it breaks: ids separated
 * by blanks, without the name of the API. A number is a should of `spec/shoulds.md`.
 *
 * A fault is not noticed by a check that times out or fails because the implementation crashed. The flags `hangs` and
 * `crashes` mark the faults for which this counts.
 */
export type FaultRow = readonly [name: string, does: string, breaks: string, flag?: 'hangs' | 'crashes'];

/** The faults of one API. `unbroken` has the requirements that no fault breaks, each with the reason. */
export type FaultTable<Context extends AnyContext> = {
  api: Api<Context>;
  rows: readonly FaultRow[];
  /** Faults that only a run with a browser notices. */
  pageRows?: readonly FaultRow[];
  unbroken: Readonly<Record<string, string>>;
};

/** The full ids of the requirements that a fault breaks. */
export const brokenIds = ({ name }: { name: string }, [, , breaks]: FaultRow) =>
  breaks.split(' ').map((id) => (/^\d/.test(id) ? `should/${name}/${id}` : `${name}/${id}`));

/** The checks that cite at least one of these requirements. */
export const checksCiting = <Context extends AnyContext>(
  { checks }: Api<Context>,
  ids: readonly string[],
): Check<Context>[] => checks.filter(({ rules }) => rules.some((id) => ids.includes(id)));

/** The faults of a table that a run can notice. */
export const rowsOf = <Context extends AnyContext>({ rows, pageRows = [] }: FaultTable<Context>, hasBrowser = true) =>
  hasBrowser ? [...rows, ...pageRows] : rows;
