import type { Check } from '../kernel/check.ts';
import type { Api } from '../run/api.ts';
import type { Held } from '../run/check-run.ts';

/**
 * A fault that a Python implementation in `conformance/implementations` can be started with: its name, what the
 * implementation then does wrong, and the ids of the requirements it breaks, without the name of the API, separated by
 * blanks.
 *
 * A failed check usually does not count if the time ran out or the implementation crashed, because then the fault did
 * something else than its description says. The flag `hangs` or `crashes` marks a fault of which that is the point.
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
