import type { Check } from '../kernel/check.ts';
import type { Api } from '../run/api.ts';
import type { Held } from '../run/check-run.ts';

/**
 * A fault of a Python implementation in `conformance/implementations`, and the requirements that it breaks: ids separated
 * by blanks, without the name of the API.
 *
 * A fault is not noticed by a check that times out or fails because the implementation crashed. The flags `hangs` and
 * `crashes` mark the faults for which this counts.
 */
export type FaultRow = readonly [name: string, does: string, breaks: string, flag?: 'hangs' | 'crashes'];

/** The faults of one API. `unbroken` has the requirements that no fault breaks, each with the reason. */
export type FaultTable<H extends Held> = {
  api: Api<H>;
  rows: readonly FaultRow[];
  unbroken: Readonly<Record<string, string>>;
};

/** The full ids of the requirements that a fault breaks. */
export const brokenIds = ({ name }: { name: string }, [, , breaks]: FaultRow) =>
  breaks.split(' ').map((id) => `${name}/${id}`);

/** The checks that cite at least one of these requirements. */
export const checksCiting = <H extends Held>({ checks }: Api<H>, ids: readonly string[]): Check<H>[] =>
  checks.filter(({ rules }) => rules.some((id) => ids.includes(id)));
