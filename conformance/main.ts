import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { type BrowserPart, startBrowser } from './environments/browser.ts';
import { findParts, needsOneJob, type RealParts } from './environments/parts.ts';
import { InvalidOption } from './invalid-option.ts';
import type { AnyContext, Check } from './kernel/check.ts';
import { compileContract } from './kernel/contract.ts';
import { compileRequestProblem } from './kernel/request-validity.ts';
import { levelOfRule, readRules } from './kernel/rules.ts';
import { CannotStart, contractLimits, lastLines } from './kernel/subject.ts';
import {
  type ConformanceOptions,
  isReal,
  type Output,
  readDeviations,
  readExec,
  readReport,
  readWithout,
  refuseUnwritable,
  requiredLevels,
  runLevels,
} from './options.ts';
import { repeatCommand } from './repeat-command.ts';
import { describeComparison, type EarlierCheck, readEarlierReport } from './report/compare.ts';
import { harmless } from './report/evidence.ts';
import { makeReport, type RunFacts } from './report/report.ts';
import { reports } from './report/reports.ts';
import { describeCoverage } from './report/text-coverage.ts';
import { defaultSet, readSet } from './requirement-set.ts';
import type { Api, ApiName } from './run/api.ts';
import { type Coverage, coverageFaults, observeTraffic } from './run/coverage.ts';
import { failsRun, hasPassed, type Result } from './run/result.ts';
import { type Run, runChecks } from './run/runner.ts';
import { smokeTest, timeLimit } from './run/smoke-test.ts';
import { specificationDigest, suiteVersion } from './run/suite.ts';
import { failedIn, isComplete, listChecks, selectChecks, selections } from './selection.ts';

/**
 * Runs the suite and returns the exit status. 0: all checks of the required levels pass. 1: one fails. 2: the
 * implementation could not be started, or the suite has a fault.
 */
export async function runConformance(options: ConformanceOptions): Promise<Status> {
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  try {
    return await suites[options.api](options, write);
  } catch (error) {
    const isExpected = error instanceof InvalidOption || error instanceof CannotStart;
    process.stderr.write(
      isExpected ? describeEndOfRun(error) : `a fault of the suite, please report it: ${inspect(error)}\n`,
    );
    return 2;
  }
}

/** The last output of an implementation that could not be started explains why. */
function describeEndOfRun(error: InvalidOption | CannotStart): string {
  const output = error instanceof CannotStart ? lastLines(error.stderr, shownOutput).map((line) => `  | ${line}`) : [];
  return harmless(`${[error.message, ...output].join('\n')}\n`);
}

const shownOutput = 12;

type Write = (text: string) => void;
type Status = 0 | 1 | 2;

const suites: Record<ApiName, (options: ConformanceOptions, write: Write) => Promise<Status>> = {
  box: (options, write) => withBrowser(options, (browser) => run(boxApi, options, write, browser)),
  gateway: (options, write) => run(gatewayApi, options, write),
};

/** One browser serves all checks of a run. A list of checks needs none. */
async function withBrowser<Result>(
  options: ConformanceOptions,
  work: (browser?: BrowserPart) => Promise<Result>,
): Promise<Result> {
  if (options.browser === undefined || options.list) return work();
  const browser = await startBrowser(options.browser);
  return work(browser).finally(browser.close);
}

const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

/** One run: reads the options, runs the checks they select, and reports. */
async function run<Context extends AnyContext>(
  api: Api<Context>,
  options: ConformanceOptions,
  write: Write,
  browser?: BrowserPart,
): Promise<Status> {
  const gate = { required: requiredLevels(options), noLate: options.noLate === true };
  const set = readSet(options.requirements ?? (options.profile === undefined ? defaultSet() : 'all'));
  const all = (options.checks as readonly Check<Context>[] | undefined) ?? checksOf(api, options);
  const ids = failedIn(options, gate);
  const checks = selectChecks(all, options).filter(({ id }) => ids === undefined || ids.includes(id));
  const levels = runLevels(options);
  const rules = new Map([...readRules(api.name)].filter(([id]) => levels.includes(levelOfRule(id))));
  if (options.list) {
    write(listChecks(checks, rules));
    return 0;
  }
  if (options.coverage && (options.profile === undefined || !isComplete(options)))
    throw new InvalidOption(`--coverage: needs --profile boxgate and all checks, without ${selections}`);
  const argv = readExec(options.exec);
  const outputs = (options.report ?? ['text']).map(readReport);
  for (const { file } of outputs) if (file !== undefined) refuseUnwritable(file);
  const earlier = options.compare === undefined ? null : readEarlierReport('--compare', options.compare, api.name);
  const deviations = readDeviations(options.deviations, all);
  const without = readWithout(options.without, all);
  const seed = options.seed ?? randomSeed();
  const startTimeoutMs = options.startTimeoutMs ?? contractLimits.startMs;
  const stopTimeoutMs = options.stopTimeoutMs ?? contractLimits.stopMs;
  const contract = compileContract(api.contract);
  const parts = await findParts(options);
  refuseForParts(options, parts);
  const environmentOptions = {
    parts,
    ...(options.store === undefined ? {} : { store: options.store }),
    ...(browser === undefined ? {} : { browser }),
  };
  const smoke = smokeTest(api, { argv, startTimeoutMs, stopTimeoutMs, environmentOptions });
  const [measured] = await Promise.all([smoke, contract]);
  const observer = options.coverage ? await observeTraffic(api.name, api.contract) : null;
  const fails = (result: Result) => failsRun(result, gate);
  const started = runChecks(checks, {
    api,
    ...(options.bail ? { endsRun: fails } : {}),
    ...(options.keep ? { keepsFiles: fails } : {}),
    ...(observer === null ? {} : { onExchange: observer.observe }),
    ...(options.profile === undefined ? {} : { requestProblem: await compileRequestProblem(api.contract) }),
    environmentOptions,
    argv,
    contract: () => contract,
    seed,
    deviations,
    without,
    set,
    jobs: options.jobs ?? (needsOneJob(parts) ? 1 : defaultJobs()),
    timeoutMs: options.timeoutMs ?? 180_000,
    startTimeoutMs: timeLimit(measured.startMs, startTimeoutMs),
    stopTimeoutMs: timeLimit(measured.stopMs, stopTimeoutMs),
    patience: isReal(parts, options) ? 5 : 1,
  });
  const { results, isInterrupted } = await untilSignal(started);
  const facts: RunFacts = {
    suite: `boxgate ${api.name}`,
    suiteVersion,
    specification: specificationDigest(),
    api: api.name,
    seed,
    exec: argv.join(' '),
    profile: options.profile ?? '',
    levels,
    ...gate,
    set: set?.version ?? 'all',
    without,
    rules,
    command: repeatCommand(options, seed),
    complete: isComplete(options) && !isInterrupted,
    named: options.only ?? [],
    coverage: observer?.coverage() ?? null,
  };
  publish(results, facts, { outputs, earlier, write });
  if (isInterrupted) {
    process.stderr.write(`a signal ended the run: the report has the ${results.length} checks that were decided\n`);
    // Abandoned checks may wait for minutes.
    process.exit(1);
  }
  const isLacking = facts.coverage !== null && !isCovered(api.name, facts.coverage);
  return isLacking || results.some(fails) || results.length === 0 ? 1 : 0;
}

const checksOf = <Context extends AnyContext>(api: Api<Context>, { profile }: ConformanceOptions) =>
  profile === undefined ? api.checks : [...api.checks, ...api.profileChecks];

/** Refuses what is possible with fakes only. */
function refuseForParts(options: ConformanceOptions, parts: RealParts): void {
  if (needsOneJob(parts) && (options.jobs ?? 1) > 1)
    throw new InvalidOption('--jobs: only 1 is possible with real parts, because all environments share them');
  if (options.keep && isReal(parts, options))
    throw new InvalidOption('--keep: only with fakes, because real parts would keep containers, units or peers');
}

type Publication = { outputs: readonly Output[]; earlier: EarlierCheck[] | null; write: Write };

/** Writes the reports. The comparison is on standard error, since standard output may be a report for a program. */
function publish(results: Result[], facts: RunFacts, { outputs, earlier, write }: Publication): void {
  for (const { format, file } of outputs) {
    const text = reports[format]?.(results, facts) ?? '';
    if (file === undefined) write(text);
    else writeFileSync(file, text);
  }
  if (earlier !== null) process.stderr.write(describeComparison(earlier, makeReport(results, facts).checks));
  if (!results.some(hasPassed)) process.stderr.write('no check passed\n');
}

function isCovered(api: ApiName, coverage: Coverage): boolean {
  const faults = coverageFaults(api, coverage);
  process.stderr.write(describeCoverage(coverage));
  for (const fault of faults) process.stderr.write(`coverage: ${fault}\n`);
  return faults.length === 0;
}

/**
 * The number of checks at a time. Many checks wait for something, for example because a box watches an app's containers
 * for a second after a change. More would not end sooner: checks then run out of their time limits and are repeated.
 */
function defaultJobs(): number {
  return 2 * availableParallelism() + 4;
}

/** After a signal, kills all process groups, removes all environments, and returns the results so far. */
async function untilSignal(run: Run): Promise<{ results: Result[]; isInterrupted: boolean }> {
  let decided: Result[] | null = null;
  const { promise: interrupted, resolve } = Promise.withResolvers<void>();
  const onSignal = () => {
    decided ??= run.decided();
    // Awaited below.
    run.abandon().catch(() => undefined);
    resolve();
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const all = await Promise.race([run.results, interrupted]);
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  if (decided === null) return { results: all ?? [], isInterrupted: false };
  // A check may still have opened an environment.
  await Promise.race([run.results.catch(() => null), pause(1000, null, { ref: false })]);
  await run.abandon();
  return { results: decided, isInterrupted: true };
}
