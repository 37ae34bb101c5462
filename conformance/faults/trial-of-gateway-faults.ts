import { join } from 'node:path';
import { gatewayApi } from '../checks/gateway/api.ts';
import { levelOf, type Outcome, type Result } from '../kernel/check.ts';
import { makeJudge } from '../kernel/contract.ts';
import type { Level } from '../kernel/rules.ts';
import { splitCommandLine } from '../run/command-line.ts';
import { runChecks } from '../run/runner.ts';
import type { Fault } from './fault.ts';

/** How the check came out that a fault has to be noticed by. */
export type GatewayVerdict = { fault: Fault; outcome: Outcome; isNoticed: boolean };

const command = splitCommandLine(process.env.FAULTS_EXEC ?? 'node src/cli/boxgate.cjs gateway serve');
const judges = { must: makeJudge(gatewayApi.contract, false), choice: makeJudge(gatewayApi.contract, true) };

/** The results of the checks of one level; a must counts as it does for any implementation, without the choices. */
function run(level: Level, ids: ReadonlySet<string>, fault: string, jobs: number): Promise<Result[]> {
  const program = join(import.meta.dirname, 'faulty-gateway.ts');
  const checks = gatewayApi.checks.filter((check) => ids.has(check.id) && levelOf(check) === level);
  return runChecks(checks, {
    api: gatewayApi,
    argv: [process.execPath, program, fault, ...command],
    judge: () => judges[level],
    profile: level === 'choice',
    seed: 1,
    jobs,
    timeoutMs: 60_000,
    startTimeoutMs: 30_000,
    deviations: new Map(),
  }).results;
}

/** Holds the suite against faulty gateways, some at a time; of each only the check runs that has to notice it. */
export async function tryGatewayFaults(
  faults: readonly Fault[],
  options: { jobs: number; onVerdict?: (verdict: GatewayVerdict) => void },
): Promise<GatewayVerdict[]> {
  const queue = [...faults];
  const verdicts = new Map<Fault, GatewayVerdict>();
  const worker = async () => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      const verdict = await tryOne(fault);
      verdicts.set(fault, verdict);
      options.onVerdict?.(verdict);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, worker));
  return faults.flatMap((fault) => verdicts.get(fault) ?? []);
}

async function tryOne(fault: Fault): Promise<GatewayVerdict> {
  const ids = new Set([fault.kills]);
  const [result] = [...(await run('must', ids, fault.name, 1)), ...(await run('choice', ids, fault.name, 1))];
  if (result === undefined) throw new Error(`there is no check ${fault.kills}`);
  const { outcome } = result;
  return { fault, outcome, isNoticed: outcome === 'fail' || outcome === 'timeout' };
}

/** What fails without a fault: nothing, or else what a fault says of a check means nothing. */
export async function unsound(faults: readonly Fault[], jobs: number): Promise<Result[]> {
  const ids = new Set(faults.map((fault) => fault.kills));
  const results = [...(await run('must', ids, 'none', jobs)), ...(await run('choice', ids, 'none', jobs))];
  return results.filter((result) => result.outcome !== 'pass');
}
