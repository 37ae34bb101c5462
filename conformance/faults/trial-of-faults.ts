import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boxApi } from '../checks/box/api.ts';
import type { BoxContext } from '../checks/box/context.ts';
import type { Check } from '../kernel/check.ts';
import { compileContract } from '../kernel/contract.ts';
import type { Result } from '../run/result.ts';
import { runChecks } from '../run/runner.ts';
import { type BoxFault, breaksChoices } from './box-fault.ts';
import { faultyBox } from './faulty-box.ts';

/** What became of one fault: the checks that failed for each id that it breaks; none is a hole in the suite. */
export type Verdict = { fault: BoxFault; killedBy: Record<string, string[]>; others: string[] };

export type TrialOptions = {
  /** Faults at a time. */
  jobs: number;
  /** Checks of one fault at a time. */
  parallel?: number;
  seed: number;
  /** What was noticed before is taken from this file, and what is noticed now is added to it. */
  memory?: string;
  onVerdict?: (verdict: Verdict) => void;
};

const conformance = join(import.meta.dirname, '..');
const defaultAddress = 'box/process/default-address';

/**
 * Holds the suite against faulty boxes, as against anybody's: without the profile, but where a fault breaks choices. Of
 * each fault only the checks run that cite what it breaks.
 */
export async function tryFaults(faults: readonly BoxFault[], options: TrialOptions): Promise<Verdict[]> {
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-faults-'));
  const judges = [compileContract(boxApi.contract, false), compileContract(boxApi.contract, true)] as const;
  const known = readMemory(options.memory);
  const suite = options.memory === undefined ? () => '' : await digestsOfSuite();
  const tryOne = async (fault: BoxFault): Promise<Verdict> => {
    const text = await faultyBox(fault);
    const key = createHash('sha256')
      .update(
        `${suite(checksOf(fault.kills))} ${fault.kills.join(' ')} ${fault.breaks} ${fault.hangs} ${text}`,
      )
      .digest('hex');
    const before = known.get(key);
    if (before !== undefined) return { fault, ...before };
    const program = join(folder, `${fault.name}.cjs`);
    writeFileSync(program, text);
    const profile = breaksChoices(fault);
    const judge = judges[profile ? 1 : 0];
    const results = await runChecks(checksOf(fault.kills), {
      api: boxApi,
      argv: [process.execPath, program, 'box', 'serve'],
      contract: () => judge,
      profile,
      seed: options.seed,
      jobs: options.parallel ?? 1,
      timeoutMs: 30_000,
      startTimeoutMs: 20_000,
      deviations: new Map(),
    }).results;
    rmSync(program);
    const verdict = verdictOf(fault, results);
    if (options.memory !== undefined && survived(verdict).length === 0) {
      const { killedBy, others } = verdict;
      appendFileSync(options.memory, `${JSON.stringify({ key, killedBy, others })}\n`);
    }
    return verdict;
  };
  const verdicts = new Map<BoxFault, Verdict>();
  // Those that need the one default port come one after the other.
  const needsPort = ({ kills }: BoxFault) => checksOf(kills).some(({ id }) => id === defaultAddress);
  let portIsFree: Promise<unknown> = Promise.resolve();
  const inTurn = (fault: BoxFault): Promise<Verdict> => {
    if (!needsPort(fault)) return tryOne(fault);
    const verdict = portIsFree.then(() => tryOne(fault));
    portIsFree = verdict.catch(() => undefined);
    return verdict;
  };
  const queue = [...faults];
  const worker = async () => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      const verdict = await inTurn(fault);
      verdicts.set(fault, verdict);
      options.onVerdict?.(verdict);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.jobs }, worker));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return faults.flatMap((fault) => verdicts.get(fault) ?? []);
}

/** The ids that the fault breaks and no check noticed. */
export function survived({ fault, killedBy }: Verdict): string[] {
  return fault.kills.filter((id) => (killedBy[id] ?? []).length === 0);
}

export function checksOf(ids: readonly string[]): BoxCheck[] {
  return boxApi.checks.filter((check) => check.rules.some((rule) => ids.includes(rule)));
}

function verdictOf(fault: BoxFault, results: readonly Result[]): Verdict {
  const isNoticed = ({ outcome, reason }: Result) =>
    outcome === 'timeout'
      ? fault.hangs === true
      : outcome === 'fail' && (fault.breaks === true || !accident.test(reason));
  const failed = results.filter(isNoticed);
  const killedBy = Object.fromEntries(
    fault.kills.map((id) => [
      id,
      failed.filter(({ check }) => check.rules.includes(id)).map(({ check }) => check.id),
    ]),
  );
  const others = results
    .filter((result) => result.outcome !== 'pass' && !isNoticed(result))
    .map(({ check, outcome, reason }) => `${check.id}: ${outcome}: ${reason.split('\n', 1)[0]}`);
  return { fault, killedBy, others };
}

/** A change that broke the server by accident looks like this. */
const accident = /internal error \([0-9a-f]+\)|before it answered/;

type BoxCheck = Check<BoxContext>;

type Remembered = Pick<Verdict, 'killedBy' | 'others'>;

function readMemory(file: string | undefined): Map<string, Remembered> {
  if (file === undefined) return new Map();
  appendFileSync(file, '');
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(
    rows.map((line) => {
      const { key, killedBy, others } = JSON.parse(line) as Remembered & { key: string };
      return [key, { killedBy, others }];
    }),
  );
}

/**
 * Of all that decides a verdict beside the faulty box: the files of the checks that run, what they share, the
 * stand-ins and the specification.
 */
async function digestsOfSuite(): Promise<(checks: readonly BoxCheck[]) => string> {
  const root = join(conformance, '..');
  const folder = join(conformance, 'checks', 'box');
  const shared = createHash('sha256');
  const bytesOf = new Map<BoxCheck, Buffer>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts')) continue;
    const path = join(folder, name);
    const { checks } = (await import(path)) as { checks?: BoxCheck[] };
    const bytes = readFileSync(path);
    if (checks === undefined && name !== 'checks.ts') shared.update(bytes);
    for (const check of checks ?? []) bytesOf.set(check, bytes);
  }
  for (const folder of ['fakes/docker', 'fakes/systemd']) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (/(?<!\.test)\.ts$/.test(name)) shared.update(readFileSync(join(root, folder, name)));
    }
  }
  for (const name of ['spec/box.openapi.yaml', 'conformance/expect.ts', 'conformance/judge.ts']) {
    shared.update(readFileSync(join(root, name)));
  }
  const common = shared.digest('hex');
  return (checks) => {
    const hash = createHash('sha256').update(common);
    for (const bytes of new Set(checks.map((check) => bytesOf.get(check) ?? ''))) hash.update(bytes);
    return hash.digest('hex');
  };
}
