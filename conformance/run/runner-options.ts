import type { AnyContext } from '../kernel/check.ts';
import type { ResponseContract } from '../kernel/contract.ts';
import type { Observed } from '../kernel/exchange.ts';
import type { RequestProblem } from '../kernel/request-validity.ts';
import type { RequirementSet } from '../requirement-set.ts';
import type { Api, CommonEnvironmentOptions } from './api.ts';
import type { Result } from './result.ts';

export type RunnerOptions<Context extends AnyContext> = {
  api: Api<Context>;
  /** Defaults to fakes only. */
  environmentOptions?: CommonEnvironmentOptions;
  argv: string[];
  contract: () => Promise<ResponseContract>;
  seed: number;
  jobs: number;
  timeoutMs: number;
  /** More patience makes these longer, up to the limits of the contract. */
  startTimeoutMs: number;
  stopTimeoutMs: number;
  /** Multiplies time limits. Real parts are slower than fakes. Defaults to 1. */
  patience?: number;
  /** Ids of the checks that this implementation is known to fail, each with the reason. */
  deviations: ReadonlyMap<string, string>;
  /** What the implementation declares to lack: names that checks need. */
  without?: readonly string[];
  /** The checks that count. Defaults to all. */
  set?: RequirementSet | null;
  /** No further check starts after a result for which this is true. */
  endsRun?: (result: Result) => boolean;
  /** The files of the environment stay after a result for which this is true. */
  keepsFiles?: (result: Result) => boolean;
  onResult?: (result: Result) => void;
  /** Makes a check that passes with an invalid request a `suite-error`. */
  requestProblem?: RequestProblem;
  /** Called for every request with a response, including those sent as bytes. */
  onExchange?: (one: Observed) => void;
};
