import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { findParts, needsOneJob, type PartOptions } from './environments/parts.ts';
import { type AnyCheck, type AnyContext, type Check, levelOf } from './kernel/check.ts';

import { compileContract } from './kernel/contract.ts';
import { sendRequest } from './kernel/exchange.ts';
import { InvalidOption } from './kernel/invalid-option.ts';
import { readRules } from './kernel/rules.ts';
import { CannotStart, startSubject } from './kernel/subject.ts';
import { countOutcomes, isBroken, type RunFacts } from './report/report.ts';
import { reports } from './report/reports.ts';
import type { Api, ApiName, CommonEnvironmentOptions } from './run/api.ts';
import { hostEnv } from './run/check-run.ts';
import { splitCommandLine } from './run/command-line.ts';
import { type Coverage, coverageFaults, observeTraffic } from './run/coverage.ts';
import { parseDeviations } from './run/deviations.ts';
import { type Run, runChecks } from './run/runner.ts';
import { specificationDigest, suiteVersion } from './run/suite.ts';

export type ConformanceOptions = PartOptions & {
  api: ApiName;
  /** The command line that starts the implementation. Not needed for a list. */
  exec?: string;
  profile?: string;
  /** Ids, or prefixes of ids. */
  only?: string[];
  list?: boolean;
  /** `i/n`: the i-th of n parts, counted from 1. */
  shard?: string;
  seed?: number;
  deviations?: string;
  /** Fails a complete run whose traffic does not cover the whole OpenAPI document. For tests of the suite itself. */
  coverage?: boolean;
  /** The address of the gateway's store, instead of its own default. */
  store?: string;
  jobs?: number;
  /** `format` or `format=FILE`. Defaults to text on standard output. */
  report?: string[];
  /** Replaces the suite's checks, for tests of the framework. */
  checks?: readonly Check<never>[];
  timeoutMs?: number;
  startTimeoutMs?: number;
  stopTimeoutMs?: number;
  write?: (text: string) => void;
};

/**
 * Runs the suite and returns the exit status. 0: all required checks pass. 1: one fails. 2: the implementation could
 * not be started.
 */
export async function runConformance(options: ConformanceOptions): Promise<0 | 1 | 2> {
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  try {
    return await suites[options.api](options, write);
  } catch (error) {
    if (!(error instanceof InvalidOption || error instanceof CannotStart)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

type Write = (text: string) => void;

const suites: Record<ApiName, (options: ConformanceOptions, write: Write) => Promise<0 | 1 | 2>> = {
  box: (options, write) => run(boxApi, options, write),
  gateway: (options, write) => run(gatewayApi, options, write),
};

async function run<Context extends AnyContext>(
  api: Api<Context>,
  options: ConformanceOptions,
  write: Write,
): Promise<0 | 1 | 2> {
  const profile = readProfile(options.profile);
  const all = (options.checks as readonly Check<Context>[] | undefined) ?? api.checks;
  const checks = selectChecks(all, options);
  const rules = readRules(api.name);
  if (options.list) {
    write(listChecks(checks, rules));
    return 0;
  }
  if (options.coverage && !isComplete(options))
    throw new InvalidOption('--coverage: needs a run of all checks, without --only and --shard');
  const argv = readExec(options.exec);
  const outputs = (options.report ?? ['text']).map(readReport);
  const deviations = readDeviations(options.deviations, all);
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const startTimeoutMs = options.startTimeoutMs ?? 30_000;
  const contract = compileContract(api.contract, profile);
  const parts = await findParts(options);
  if (needsOneJob(parts) && (options.jobs ?? 1) > 1)
    throw new InvalidOption('--jobs: only 1 is possible with real parts, because all environments share them');
  const environmentOptions = { parts, ...(options.store === undefined ? {} : { store: options.store }) };
  const smoke = smokeTest(api, {
    argv,
    startTimeoutMs,
    stopTimeoutMs: options.stopTimeoutMs ?? 20_000,
    environmentOptions,
  });
  await Promise.all([contract, smoke]);
  const observer = isComplete(options) ? await observeTraffic(api.name, api.contract) : null;
  const started = runChecks(checks, {
    api,
    ...(observer === null ? {} : { onExchange: observer.observe }),
    environmentOptions,
    argv,
    contract: () => contract,
    profile,
    seed,
    deviations,
    jobs: options.jobs ?? (needsOneJob(parts) ? 1 : defaultJobs(api.name)),
    timeoutMs: options.timeoutMs ?? 180_000,
    startTimeoutMs,
  });
  const results = await untilSignal(started);
  if (results === null) return 1;
  const facts: RunFacts = {
    suite: `boxgate ${api.name}`,
    suiteVersion,
    specification: specificationDigest(),
    api: api.name,
    seed,
    exec: argv.join(' '),
    profile: options.profile ?? '',
    rules,
    coverage: observer?.coverage() ?? null,
  };
  for (const { format, file } of outputs) {
    const text = reports[format]?.(results, facts) ?? '';
    if (file === undefined) write(text);
    else writeFileSync(file, text);
  }
  if (countOutcomes(results).pass === 0) process.stderr.write('no check passed\n');
  if (options.coverage && facts.coverage !== null && !isCovered(api.name, facts.coverage)) return 1;
  return results.some(isBroken) || results.length === 0 ? 1 : 0;
}

/** Only a run of all checks can measure coverage. */
const isComplete = ({ only, shard, checks }: ConformanceOptions) =>
  (only ?? []).length === 0 && shard === undefined && checks === undefined;

function isCovered(api: ApiName, coverage: Coverage): boolean {
  const faults = coverageFaults(api, coverage);
  for (const fault of faults) process.stderr.write(`coverage: ${fault}\n`);
  return faults.length === 0;
}

/**
 * The number of checks at a time. Most box checks wait, because a box watches an app's containers for a second after a
 * change. The extra box checks do not depend on the cores, because each one needs memory for a server.
 */
function defaultJobs(api: ApiName): number {
  return 2 * availableParallelism() + (api === 'box' ? 8 : 0);
}

/** After a signal, kills all process groups and removes all environments before the suite exits. */
async function untilSignal(run: Run) {
  let onSignal = () => {};
  const interrupted = new Promise<null>((resolve) => {
    onSignal = () => {
      run.abandon();
      resolve(null);
    };
  });
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const results = await Promise.race([run.results, interrupted]);
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  if (results === null) {
    await Promise.race([run.results.catch(() => null), pause(5000, null, { ref: false })]);
    run.abandon();
  }
  return results;
}

type SmokeOptions = {
  argv: string[];
  startTimeoutMs: number;
  stopTimeoutMs: number;
  environmentOptions: CommonEnvironmentOptions;
};

/** Verifies that the implementation starts, answers one request and stops. Otherwise nothing can be checked. */
async function smokeTest<Context extends AnyContext>(
  api: Api<Context>,
  { argv, startTimeoutMs, stopTimeoutMs, environmentOptions }: SmokeOptions,
) {
  const environment = await api.makeEnvironment({ variant: 0, ...environmentOptions });
  try {
    const env = { ...hostEnv(), ...environment.env() };
    const subject = await startSubject({ argv, env, readyTimeoutMs: startTimeoutMs });
    await sendRequest(subject.port, { method: 'GET', path: api.smokePath }).catch((error: Error) => {
      subject.kill();
      throw new CannotStart(`${argv.join(' ')}: no HTTP answer: ${error.message}`);
    });
    const ended = await subject.stop(stopTimeoutMs);
    if (ended.killed) throw new CannotStart(`${argv.join(' ')}: did not stop within ${stopTimeoutMs} ms of SIGTERM`);
  } finally {
    await environment.dispose();
  }
}

export function selectChecks<C extends AnyCheck>(
  all: readonly C[],
  options: Pick<ConformanceOptions, 'only' | 'shard'>,
): C[] {
  const only = options.only ?? [];
  for (const id of only) {
    if (!all.some((check) => isUnder(check.id, id))) throw new InvalidOption(`--only: no check has the id ${id}`);
  }
  const chosen = all.filter((check) => only.length === 0 || only.some((id) => isUnder(check.id, id)));
  if (options.shard === undefined) return chosen;
  const [, part = '', parts = ''] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(options.shard) ?? [];
  if (part === '' || Number(part) > Number(parts)) {
    throw new InvalidOption(`--shard: expected i/n with i at most n, found ${options.shard}`);
  }
  return chosen.filter((_, index) => index % Number(parts) === Number(part) - 1);
}

/** Whether `beginning` is the id or a prefix of complete segments. */
const isUnder = (id: string, beginning: string) =>
  id === beginning || id.startsWith(`${beginning.replace(/\/$/, '')}/`);

function listChecks(checks: readonly AnyCheck[], rules: ReturnType<typeof readRules>): string {
  return checks
    .map((check) => {
      const lines = check.rules.map((id) => `    ${id}: ${rules.get(id)?.text ?? ''}`);
      return [`${check.id} (${levelOf(check)}): ${check.title}`, ...lines, ''].join('\n');
    })
    .join('');
}

function readProfile(profile: string | undefined): boolean {
  if (profile !== undefined && profile !== 'boxgate')
    throw new InvalidOption(`--profile: only boxgate, found ${profile}`);
  return profile === 'boxgate';
}

function readExec(exec: string | undefined): string[] {
  const argv = splitCommandLine(exec ?? '');
  if (argv.length === 0) throw new InvalidOption('--exec: the command that starts the implementation is missing');
  return argv;
}

function readReport(text: string): { format: string; file?: string } {
  const [format = '', ...rest] = text.split('=');
  if (reports[format] === undefined) {
    throw new InvalidOption(`--report: expected ${Object.keys(reports).join(', ')}, found ${text}`);
  }
  return rest.length === 0 ? { format } : { format, file: rest.join('=') };
}

function readDeviations(file: string | undefined, all: readonly AnyCheck[]): Map<string, string> {
  if (file === undefined) return new Map();
  try {
    const deviations = parseDeviations(readFileSync(file, 'utf8'));
    const unknown = [...deviations.keys()].find((id) => !all.some((check) => check.id === id));
    if (unknown !== undefined) throw new Error(`no check has the id ${unknown}`);
    return deviations;
  } catch (error) {
    throw new InvalidOption(`--deviations: ${(error as Error).message}`);
  }
}
