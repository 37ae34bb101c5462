import type { BrowserPart } from '../environments/browser.ts';
import type { RealParts } from '../environments/parts.ts';
import type { AnyContext, Check } from '../kernel/check.ts';
import type { CheckContext } from '../kernel/context.ts';
import type { ApiContract } from '../kernel/contract.ts';
import type { Evidence } from '../report/evidence.ts';

export type ApiName = 'box' | 'gateway';

export type EnvironmentOptions = {
  /** Differs between checks. The same for the same check and seed. */
  variant: number;
  /** The address of the store, for an API that has one. */
  store?: string;
  /** Real parts that replace fakes. */
  parts: RealParts;
  /** Opens the page. Without it, the checks of the page are not applicable. */
  browser?: BrowserPart;
};

/** The options that all environments of a run have in common. */
export type CommonEnvironmentOptions = Omit<EnvironmentOptions, 'variant'>;

/** Everything that differs between the suites of the two APIs. */
export type Api<Context extends AnyContext> = {
  name: ApiName;
  checks: readonly Check<Context>[];
  /** What is boxgate's own. They run with `--profile boxgate` alone. */
  profileChecks: readonly Check<Context>[];
  makeEnvironment: (options: EnvironmentOptions) => Context['environment'] | Promise<Context['environment']>;
  /** Adds the helpers of this API to the context. */
  openContext: (context: CheckContext<Context['environment']>) => Context;
  /** Secrets of an environment that reports hide, in addition to those that the check hides. */
  secretsOf?: (environment: Context['environment']) => string[];
  /** What the implementation asked of the other programs of its environment since that time. */
  surroundings?: (environment: Context['environment'], since: number) => Evidence[];
  /**
   * Removes what a check made, as an owner could, while the implementation keeps running. Returns whether nothing of
   * the check is left. Real parts cannot be reset.
   */
  reset?: (context: Context) => Promise<boolean>;
  contract: ApiContract;
  /** Every implementation answers a GET of this path. */
  smokePath: string;
};
