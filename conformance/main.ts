import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { findParts, needsOneJob, type PartOptions, type RealParts } from './environments/parts.ts';
import { type AnyCheck, type AnyContext, type Check, levelOf } from './kernel/check.ts';
import { compileContract } from './kernel/contract.ts';
import { sendRequest } from './kernel/exchange.ts';
import { InvalidOption } from './kernel/invalid-option.ts';
import { type Level, readRules } from './kernel/rules.ts';
import { CannotStart, contractLimits, describeEnd, lastLines, startSubject } from './kernel/subject.ts';
import { describeComparison } from './report/compare.ts';
import { readEarlierReport } from './report/earlier-report.ts';
import { harmless } from './report/evidence.ts';
import { countOutcomes, makeReport, type RunFacts } from './report/report.ts';
import { reports } from './report/reports.ts';
import { describeCoverage } from './report/text-coverage.ts';
import type { Api, ApiName, CommonEnvironmentOptions } from './run/api.ts';
import { hostEnv } from './run/check-run.ts';
import { splitCommandLine } from './run/command-line.ts';
import { type Coverage, coverageFaults, observeTraffic } from './run/coverage.ts';
import { parseDeviations } from './run/deviations.ts';
import { failsRun, type Result } from './run/result.ts';
import { type Run, runChecks } from './run/runner.ts';
import { specificationDigest, suiteVersion } from './run/suite.ts';
import { type RunEnd, repeatOnChange, snapshotOf } from './run/watch.ts';

export type ConformanceOptions = PartOptions & {
  api: ApiName;
  /** The command line that starts the implementation. Not needed for a list. */
  exec?: string;
  /** The run also fails for a should. */
  strict?: boolean;
  /** `boxgate`: the run also fails for a should or a choice. */
  profile?: string;
  /** Ids, or prefixes of ids. */
  only?: string[];
  /** A JSON report. Runs only the checks that failed in it and have a required level. */
  rerunFailed?: string;
  /** Ends the run after the first failure of a required level. */
  bail?: boolean;
  /** Leaves the files of the environments of failures of a required level. */
  keep?: boolean;
  /** A JSON report. Prints how this run differs from it. */
  compare?: string;
  /** A folder. Runs again when one of its files changes, until a signal. */
  watch?: string;
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
 * Runs the suite and returns the exit status. 0: all checks of the required levels pass. 1: one fails. 2: the
 * implementation could not be started, or the suite has a fault.
 */
export async function runConformance(options: ConformanceOptions): Promise<0 | 1 | 2> {
  const write = options.write ?? ((text: string) => void process.stdout.write(text));
  try {
    if (options.watch !== undefined && !options.list) return await watch(options.watch, options, write);
    return (await suites[options.api](options, write)).status;
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

type RunOptions = ConformanceOptions & {
  /** Runs only these of the selected checks. */
  ids?: readonly string[];
};

const suites: Record<ApiName, (options: RunOptions, write: Write) => Promise<RunEnd>> = {
  box: (options, write) => run(boxApi, options, write),
  gateway: (options, write) => run(gatewayApi, options, write),
};

/** Runs of failed checks report as text only, so that the files show complete runs. */
function watch(folder: string, options: ConformanceOptions, write: Write): Promise<RunEnd['status']> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidOption(`--watch: ${folder} is not a folder`);
  const written = (options.report ?? []).flatMap((text) => readReport(text).file ?? []);
  const seed = options.seed ?? randomSeed();
  return repeatOnChange({
    take: () => snapshotOf(folder, written),
    write,
    run: (ids) => {
      const selection = ids === null ? {} : { ids, report: ['text'], coverage: false };
      return suites[options.api]({ ...options, seed, ...selection }, write).catch((error: unknown): RunEnd => {
        if (!(error instanceof CannotStart)) throw error;
        process.stderr.write(describeEndOfRun(error));
        return { status: 2, failed: ids ?? [], isInterrupted: false };
      });
    },
  });
}

const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

async function run<Context extends AnyContext>(api: Api<Context>, options: RunOptions, write: Write): Promise<RunEnd> {
  const required = requiredLevels(options);
  const all = (options.checks as readonly Check<Context>[] | undefined) ?? api.checks;
  const ids = options.ids ?? failedIn(options, required);
  const checks = selectChecks(all, options).filter(({ id }) => ids === undefined || ids.includes(id));
  const rules = readRules(api.name);
  if (options.list) {
    write(listChecks(checks, rules));
    return { status: 0, failed: [], isInterrupted: false };
  }
  if (options.coverage && !isComplete(options))
    throw new InvalidOption(`--coverage: needs a run of all checks, without ${selections}`);
  const argv = readExec(options.exec);
  const outputs = (options.report ?? ['text']).map(readReport);
  if (outputs.some(({ format }) => format === 'badge') && isSelection(options))
    throw new InvalidOption(`--report badge: needs a run of all checks, without ${selections}`);
  for (const { file } of outputs) if (file !== undefined) refuseUnwritable(file);
  const earlier = options.compare === undefined ? null : readEarlierReport('--compare', options.compare, api.name);
  const deviations = readDeviations(options.deviations, all);
  const seed = options.seed ?? randomSeed();
  const startTimeoutMs = options.startTimeoutMs ?? contractLimits.startMs;
  const stopTimeoutMs = options.stopTimeoutMs ?? contractLimits.stopMs;
  const contract = compileContract(api.contract);
  const parts = await findParts(options);
  if (needsOneJob(parts) && (options.jobs ?? 1) > 1)
    throw new InvalidOption('--jobs: only 1 is possible with real parts, because all environments share them');
  if (options.keep && isReal(parts, options))
    throw new InvalidOption('--keep: only with fakes, because real parts would keep containers, units or peers');
  const environmentOptions = { parts, ...(options.store === undefined ? {} : { store: options.store }) };
  const smoke = smokeTest(api, {
    argv,
    startTimeoutMs,
    stopTimeoutMs,
    environmentOptions,
  });
  const [measured] = await Promise.all([smoke, contract]);
  const observer = isComplete(options) ? await observeTraffic(api.name, api.contract) : null;
  const fails = (result: Result) => failsRun(result, { required });
  const started = runChecks(checks, {
    api,
    ...(options.bail ? { endsRun: fails } : {}),
    ...(options.keep ? { keepsFiles: fails } : {}),
    ...(observer === null ? {} : { onExchange: observer.observe }),
    environmentOptions,
    argv,
    contract: () => contract,
    seed,
    deviations,
    jobs: options.jobs ?? (needsOneJob(parts) ? 1 : defaultJobs()),
    timeoutMs: options.timeoutMs ?? 180_000,
    startTimeoutMs: timeLimit(measured.startMs, startTimeoutMs),
    stopTimeoutMs: timeLimit(measured.stopMs, stopTimeoutMs),
    patience: isReal(parts, options) ? 5 : 1,
  });
  const results = await untilSignal(started);
  if (results === null) return { status: 1, failed: ids ?? [], isInterrupted: true };
  const facts: RunFacts = {
    suite: `boxgate ${api.name}`,
    suiteVersion,
    specification: specificationDigest(),
    api: api.name,
    seed,
    exec: argv.join(' '),
    profile: options.profile ?? '',
    required,
    rules,
    command: repeatCommand(options, seed),
    complete: isComplete(options),
    named: options.only ?? [],
    coverage: observer?.coverage() ?? null,
  };
  for (const { format, file } of outputs) {
    const text = reports[format]?.(results, facts) ?? '';
    if (file === undefined) write(text);
    else writeFileSync(file, text);
  }
  // Standard output may be a report for a program.
  if (earlier !== null) process.stderr.write(describeComparison(earlier, makeReport(results, facts).checks));
  if (countOutcomes(results).pass === 0) process.stderr.write('no check passed\n');
  const isLacking = options.coverage && facts.coverage !== null && !isCovered(api.name, facts.coverage);
  const failed = results.filter(fails).map(({ check }) => check.id);
  const status = isLacking || failed.length > 0 || results.length === 0 ? 1 : 0;
  return { status, failed, isInterrupted: false };
}

const selections = '--only, --shard, --rerun-failed and --bail';

const isSelection = ({ only, shard, rerunFailed, ids, bail }: RunOptions) =>
  (only ?? []).length > 0 || shard !== undefined || rerunFailed !== undefined || ids !== undefined || bail === true;

/** Only a run of all checks can measure coverage. */
const isComplete = (options: RunOptions) => !isSelection(options) && options.checks === undefined;

/** The ids that `--rerun-failed` selects. `undefined` without that option. */
function failedIn({ rerunFailed: file, api }: ConformanceOptions, required: readonly Level[]): string[] | undefined {
  if (file === undefined) return undefined;
  const failed = readEarlierReport('--rerun-failed', file, api).filter((one) => failsRun(one, { required }));
  if (failed.length === 0) throw new InvalidOption(`--rerun-failed: no check of a required level failed in ${file}`);
  return failed.map(({ id }) => id);
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

/**
 * Verifies that the implementation starts, answers one request and stops. Otherwise nothing can be checked. Returns how
 * long the start and the stop took.
 */
async function smokeTest<Context extends AnyContext>(
  api: Api<Context>,
  { argv, startTimeoutMs, stopTimeoutMs, environmentOptions }: SmokeOptions,
) {
  const environment = await openFirst(api, environmentOptions);
  try {
    const env = { ...hostEnv(), ...environment.env() };
    const began = performance.now();
    const subject = await startSubject({ argv, env, readyTimeoutMs: startTimeoutMs });
    const startMs = performance.now() - began;
    await sendRequest(subject.port, { method: 'GET', path: api.smokePath }).catch(async (error: Error) => {
      const ended = await subject.waitForEnd(500);
      subject.kill();
      const end = ended === null ? '' : `; it ${describeEnd(ended)}`;
      throw new CannotStart(`${argv.join(' ')}: no HTTP answer: ${error.message}${end}`, ended, subject.stderr());
    });
    const asked = performance.now();
    const ended = await subject.stop(stopTimeoutMs);
    if (ended.killed) {
      const problem = `did not stop within ${stopTimeoutMs} ms of SIGTERM`;
      throw new CannotStart(`${argv.join(' ')}: ${problem}`, ended, subject.stderr());
    }
    return { startMs, stopMs: performance.now() - asked };
  } finally {
    await environment.dispose();
  }
}

/** A hang is seen after ten times the usual time, but a busy machine gets at least five seconds. */
const timeLimit = (measuredMs: number, longestMs: number) => Math.min(longestMs, Math.max(5000, 10 * measuredMs));

/** Opens the first environment. If that fails, the store is unreachable. */
async function openFirst<Context extends AnyContext>(api: Api<Context>, options: CommonEnvironmentOptions) {
  try {
    return await api.makeEnvironment({ variant: 0, ...options });
  } catch (error) {
    if (options.store === undefined || error instanceof InvalidOption) throw error;
    throw new InvalidOption(`--store: ${withoutPassword(options.store)}: ${causeText(error)}`);
  }
}

/** A failed connection has its reasons in `errors` or in `cause`, and may have no message. */
function causeText(error: unknown): string {
  const { errors, cause, message, code } = error as AggregateError & { code?: string };
  const inner = errors?.[0] ?? cause;
  return inner === undefined ? message || code || String(error) : causeText(inner);
}

function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return '(an address)';
  const url = new URL(address);
  url.password = '';
  return url.href;
}

/** The command that repeats this run, without the selection of checks and without a password. */
function repeatCommand(options: ConformanceOptions, seed: number): string {
  const { api, exec = '', strict, profile, docker, systemd, tunnel, tunnelUsername, store, deviations } = options;
  // An address with a password is in CONFORMANCE_STORE.
  const isSecret = store !== undefined && URL.canParse(store) && new URL(store).password !== '';
  const flags: [string, string | undefined][] = [
    ['--exec', exec],
    ['--profile', profile],
    ['--docker', docker],
    ['--systemd', systemd],
    ['--tunnel', tunnel],
    ['--tunnel-username', tunnelUsername],
    ['--store', isSecret ? undefined : store],
    ['--deviations', deviations],
    ['--seed', String(seed)],
  ];
  const words = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, shellWord(value)]));
  const inherited = [...(isSecret ? ['CONFORMANCE_STORE'] : []), ...(tunnel ? ['CONFORMANCE_TUNNEL_PASSWORD'] : [])];
  const variables = inherited.map((name) => `${name}="$${name}"`);
  return [...variables, 'boxgate conformance', api, ...words, ...(strict ? ['--strict'] : [])].join(' ');
}

const shellWord = (word: string) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

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

function requiredLevels({ strict, profile }: Pick<ConformanceOptions, 'strict' | 'profile'>): Level[] {
  if (profile !== undefined && profile !== 'boxgate')
    throw new InvalidOption(`--profile: only boxgate, found ${profile}`);
  return ['must', ...(strict || profile ? ['should' as const] : []), ...(profile ? ['choice' as const] : [])];
}

/** Whether real parts or a store on a network make every step slower. */
const isReal = (parts: RealParts, { store }: ConformanceOptions) =>
  Object.keys(parts).length > 0 || store?.startsWith('postgres') === true;

function readExec(exec: string | undefined): string[] {
  const argv = splitCommandLine(exec ?? '');
  if (argv === null) throw new InvalidOption(`--exec: a quote is not closed: ${exec}`);
  if (argv.length === 0) throw new InvalidOption('--exec: the command that starts the implementation is missing');
  return argv;
}

/** A report that cannot be written must not be noticed only after the run. */
function refuseUnwritable(file: string): void {
  const place = existsSync(file) ? file : dirname(file);
  try {
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw new InvalidOption(`--report: ${file}: ${(error as Error).message}`);
  }
  if (place === file && statSync(file).isDirectory()) throw new InvalidOption(`--report: ${file} is a folder`);
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
