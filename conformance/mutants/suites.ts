import { createHash } from 'node:crypto';
import { boxApi } from '../checks/box/api.ts';
import { gatewayApi } from '../checks/gateway/api.ts';
import type { AnyCheck, Check, Outcome } from '../kernel/check.ts';
import { makeJudge } from '../kernel/contract.ts';
import type { Api, ApiName } from '../run/api.ts';
import type { Held } from '../run/check-run.ts';
import { runChecks } from '../run/runner.ts';

/** A check of either suite, as far as a run of mutants has to know it. */
export type AnyOf = { id: string; api: ApiName; print: string };
export type Came = { id: string; outcome: Outcome; reason: string; milliseconds: number };

export type Suites = {
  checks: readonly AnyOf[];
  /** Runs checks of one suite on a server with this command line, one after the other. */
  run: (api: ApiName, ids: readonly string[], argv: readonly string[]) => Promise<Came[]>;
};

/** They need one port that every machine has once: two runs at a time would disturb each other. */
const needsOnePort = new Set(['box/process/default-address']);

/** Both suites, asked with the profile, as our own servers are. */
export function openSuites(seed: number): Suites {
  const run = { box: runner(boxApi, seed), gateway: runner(gatewayApi, seed) };
  const checks = [...boxApi.checks.map(of('box')), ...gatewayApi.checks.map(of('gateway'))];
  return {
    checks: checks.filter(({ id }) => !needsOnePort.has(id)),
    run: (api, ...asked) => run[api](...asked),
  };
}

/** The print of a check tells one wording of it from another. */
const of =
  (api: ApiName) =>
  (check: AnyCheck & { run: unknown }): AnyOf => ({
    id: check.id,
    api,
    print: createHash('sha256').update(`${check.id} ${check.run}`).digest('base64url').slice(0, 10),
  });

function runner<H extends Held>(api: Api<H>, seed: number) {
  const judge = makeJudge(api.contract, true);
  const byId = new Map(api.checks.map((check) => [check.id, check]));
  return async (ids: readonly string[], argv: readonly string[]): Promise<Came[]> => {
    const checks = ids.map((id) => byId.get(id)).filter((check): check is Check<H> => check !== undefined);
    const results = await runChecks(checks, {
      api,
      argv: [...argv, api.name, 'serve'],
      judge: () => judge,
      profile: true,
      seed,
      jobs: 1,
      timeoutMs: 30_000,
      startTimeoutMs: 20_000,
      deviations: new Map(),
    }).results;
    return results.map(({ check, outcome, reason, durationMs }) => ({
      id: check.id,
      outcome,
      reason: reason.split('\n', 1)[0] ?? '',
      milliseconds: Math.round(durationMs),
    }));
  };
}
