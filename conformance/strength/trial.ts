import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserPart } from '../environments/browser.ts';
import type { AnyContext, Check } from '../kernel/check.ts';
import { compileContract } from '../kernel/contract.ts';
import type { ApiName } from '../run/api.ts';
import { hasPassed, type Result } from '../run/result.ts';
import { runChecks } from '../run/runner.ts';
import { brokenIds, checksCiting, type FaultRow, type FaultTable } from './fault.ts';

/** The result for one fault. The fault is noticed if `missed`, the broken requirements without a failed check, is empty. */
export type Verdict = {
  fault: FaultRow;
  noticedBy: string[];
  missed: string[];
  /**
   * Descriptions of checks that did not pass but do not count as noticing the fault, such as those that timed out.
   */
  ignored: string[];
};

const contracts: Partial<Record<ApiName, ReturnType<typeof compileContract>>> = {};

/** Runs the checks against the API's Python implementation, started with the fault of that name. */
function run<Context extends AnyContext>(
  { api }: FaultTable<Context>,
  checks: readonly Check<Context>[],
  options: { fault: string; jobs: number; browser?: BrowserPart },
): Promise<Result[]> {
  const program = join(import.meta.dirname, '..', 'implementations', `${api.name}.py`);
  const contract = contracts[api.name] ?? compileContract(api.contract);
  contracts[api.name] = contract;
  return runChecks(checks, {
    api,
    argv: ['env', `BOXGATE_FAULT=${options.fault}`, 'python3', program],
    environmentOptions: { parts: {}, ...(options.browser === undefined ? {} : { browser: options.browser }) },
    contract: () => contract,
    seed: 1,
    jobs: options.jobs,
    timeoutMs: 30_000,
    startTimeoutMs: 20_000,
    stopTimeoutMs: 20_000,
    deviations: new Map(),
  }).results;
}

/** Runs, without a fault, every check that these faults need, and returns what does not pass, as text. */
export async function failuresWithoutFault<Context extends AnyContext>(
  table: FaultTable<Context>,
  faults: readonly FaultRow[],
  options: { jobs: number; browser?: BrowserPart },
): Promise<string[]> {
  const ids = faults.flatMap((fault) => brokenIds(table.api, fault));
  const results = await run(table, checksCiting(table.api, ids), { ...options, fault: '' });
  return results
    .filter((result) => !hasPassed(result) && result.outcome !== 'not-applicable')
    .map((result) => `${describe(result)} (without a fault)`);
}

/** Tries the faults, `jobs` at a time. Verdicts come in the order in which they are reached. */
export async function tryFaults<Context extends AnyContext>(
  table: FaultTable<Context>,
  faults: readonly FaultRow[],
  options: { jobs: number; browser?: BrowserPart; onVerdict?: (verdict: Verdict) => void },
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const queue = [...faults];
  const work = async () => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      const verdict = await tryFault(table, fault, options.browser);
      verdicts.push(verdict);
      options.onVerdict?.(verdict);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return verdicts;
}

/** Runs the checks one by one, until a check of each broken requirement has failed. */
async function tryFault<Context extends AnyContext>(
  table: FaultTable<Context>,
  fault: FaultRow,
  browser: BrowserPart | undefined,
): Promise<Verdict> {
  const missed = new Set(brokenIds(table.api, fault));
  const noticedBy: string[] = [];
  const ignored: string[] = [];
  for (const check of checksCiting(table.api, [...missed])) {
    if (!check.rules.some((id) => missed.has(id))) continue;
    for (const result of await runUntilApplicable(table, check, fault, browser)) {
      if (isNoticed(result, fault)) {
        noticedBy.push(check.id);
        for (const id of check.rules) missed.delete(id);
      } else if (!hasPassed(result)) ignored.push(describe(result));
    }
  }
  return { fault, noticedBy, missed: [...missed], ignored };
}

/** Waits for a default port that another fault or another program uses. */
async function runUntilApplicable<Context extends AnyContext>(
  table: FaultTable<Context>,
  check: Check<Context>,
  [name]: FaultRow,
  browser: BrowserPart | undefined,
) {
  for (let waits = 0; ; waits += 1) {
    const results = await run(table, [check], { fault: name, jobs: 1, ...(browser === undefined ? {} : { browser }) });
    if (waits === 5 || results.every(({ outcome }) => outcome !== 'not-applicable')) return results;
    await pause(2000);
  }
}

function isNoticed({ outcome, reason }: Result, [, , , flag]: FaultRow): boolean {
  if (outcome === 'timeout') return flag === 'hangs';
  return outcome === 'fail' && (flag === 'crashes' || !crashed.test(reason));
}

/** The implementation answered an exception with status 500, or it did not start. */
const crashed = /something went wrong here|before it answered/;

const describe = ({ check, outcome, reason }: Result) =>
  `${check.id}: ${outcome}: ${reason.split('\n').slice(0, 3).join(' | ')}`;
