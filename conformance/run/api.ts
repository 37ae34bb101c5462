import type { RealParts } from '../environments/parts.ts';
import type { Check } from '../kernel/check.ts';
import type { Contract } from '../kernel/contract.ts';
import type { Held } from './check-run.ts';

export type ApiName = 'box' | 'gateway';

export type WorldOptions = {
  /** A number that differs from check to check and is the same for the same seed. */
  variant: number;
  /** The address of the store that the operator gives, for an API that has one. */
  store?: string;
  /** The real parts that stand in the place of stand-ins. */
  parts: RealParts;
};

/** What the operator gives for every world of a run. */
export type Surroundings = Omit<WorldOptions, 'variant'>;

/** All that tells the suite of one API from that of another. */
export type Api<H extends Held> = {
  name: ApiName;
  checks: readonly Check<H>[];
  makeWorld: (options: WorldOptions) => H['world'] | Promise<H['world']>;
  /** Adds what only this API's checks ask for. */
  hold: (held: Held<H['world']>) => H;
  /** What of a world no report may show, beside what its checks have hidden. */
  secretsOf?: (world: H['world']) => string[];
  /**
   * Takes away what a check made in its world, in ways that an owner has, while the implementation goes on. True where
   * the world is as it was made; false where it cannot be, as with real parts.
   */
  tidy?: (held: H) => Promise<boolean>;
  contract: Contract;
  /** A path that a GET of gets some answer from whatever can be checked at all. */
  smokePath: string;
};
