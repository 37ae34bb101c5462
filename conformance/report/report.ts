import type { Level, Rule } from '../kernel/rules.ts';
import type { ApiName } from '../run/api.ts';
import type { Coverage } from '../run/coverage.ts';
import { failsRun, type Gate, isBroken, type Outcome, outcomes, type Result } from '../run/result.ts';
import type { Evidence } from './evidence.ts';
import type { ShownExchange } from './shown-exchange.ts';
import { verdict } from './verdict.ts';

/** The facts of a run that a report shows next to its results. */
export type RunFacts = Gate & {
  suite: string;
  suiteVersion: string;
  /** The digest of the specification documents. */
  specification: string;
  api: ApiName;
  seed: number;
  exec: string;
  profile: string;
  /** The levels of its checks and rules. */
  levels: readonly Level[];
  /** The version of the set of checks that count, or `all`. */
  set: string;
  /** What the implementation declares to lack. */
  without: readonly string[];
  /** The command that repeats the run, without the selection of checks. */
  command: string;
  /** Whether the run had all checks. */
  complete: boolean;
  /** The ids of `--only`. Their failures are shown, whatever their level is. */
  named: readonly string[];
  rules: ReadonlyMap<string, Rule>;
  /** `null` without `--coverage`. */
  coverage: Coverage | null;
};

/** A report as data. `spec/report.schema.json` is its schema. */
export type Report = {
  suite: string;
  suite_version: string;
  specification: string;
  api: ApiName;
  seed: number;
  exec: string;
  profile: string;
  required: readonly Level[];
  /** The version of the set of checks that count, or `all`. */
  set: string;
  without: readonly string[];
  complete: boolean;
  /** Whether all checks of the required levels pass. */
  holds: boolean;
  /** The same as a sentence. */
  verdict: string;
  counts: Record<Outcome, number>;
  levels: Partial<Record<Level, Record<Outcome, number>>>;
  requirements: ReportedRequirement[];
  checks: ReportedCheck[];
  coverage: Coverage | null;
};

export type RequirementOutcome = Outcome | 'not-run';

export type ReportedRequirement = {
  id: string;
  level: Level;
  source: string;
  text: string;
  /** How the requirement is checked: by the suite, or elsewhere. */
  checked_by: Rule['checkedBy'];
  outcome: RequirementOutcome;
  /** The checks of this run that cite it. */
  checks: string[];
};

export type ReportedCheck = {
  id: string;
  title: string;
  rules: string[];
  level: Level;
  /** Whether the check is newer than the set, so that it does not count. */
  added: boolean;
  outcome: Outcome;
  reason: string;
  evidence: Evidence[];
  /** Repeats a failure. Empty for other outcomes. */
  command: string;
  milliseconds: number;
  exchanges: ShownExchange[];
  script: string;
};

export function countOutcomes(results: readonly { outcome: Outcome }[]): Record<Outcome, number> {
  const counts = outcomes.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]);
  return Object.fromEntries(counts) as Record<Outcome, number>;
}

/** The outcomes of the checks of each of these levels. */
export function countLevels(results: readonly { level: Level; outcome: Outcome }[], levels: readonly Level[]) {
  const counts = levels.map((level) => [level, countOutcomes(results.filter((result) => result.level === level))]);
  return Object.fromEntries(counts) as Report['levels'];
}

export function makeReport(results: readonly Result[], facts: RunFacts): Report {
  const checks = results.map((result) => reportCheck(result, facts));
  const {
    rules,
    coverage,
    suiteVersion,
    suite,
    specification,
    api,
    seed,
    exec,
    profile,
    required,
    set,
    without,
    complete,
  } = facts;
  return {
    suite,
    suite_version: suiteVersion,
    specification,
    api,
    seed,
    exec,
    profile,
    required,
    set,
    without,
    complete,
    holds: results.length > 0 && !results.some((one) => failsRun(one, facts)),
    verdict: verdict({ ...facts, checks: results.map(({ check, ...rest }) => ({ ...rest, id: check.id })) }),
    counts: countOutcomes(checks),
    levels: countLevels(checks, facts.levels),
    requirements: [...rules.values()].map((rule) => reportRequirement(rule, checks)),
    checks,
    coverage,
  };
}

/** The command that repeats a result. A violation needs the check in whose traffic it was seen, too. */
export function commandOf({ check, seenIn }: Result, { command }: Pick<RunFacts, 'command'>): string {
  const ids = [check.id, ...(seenIn === null ? [] : [seenIn])];
  return `${command} ${ids.map((id) => `--only ${id}`).join(' ')}`;
}

function reportCheck(result: Result, facts: RunFacts): ReportedCheck {
  const { check, level, added, outcome, reason, evidence, exchanges, script, durationMs } = result;
  return {
    id: check.id,
    title: check.title,
    rules: check.rules,
    level,
    added: added,
    outcome,
    reason,
    evidence,
    command: isBroken(result) ? commandOf(result, facts) : '',
    milliseconds: Math.round(durationMs),
    exchanges,
    script,
  };
}

function reportRequirement(rule: Rule, checks: readonly ReportedCheck[]): ReportedRequirement {
  const proofs = checks.filter((check) => check.rules.includes(rule.id));
  return {
    id: rule.id,
    level: rule.level === 'note' ? 'must' : rule.level,
    source: rule.source,
    text: rule.text,
    checked_by: rule.checkedBy,
    outcome: worst(proofs),
    checks: proofs.map((proof) => proof.id),
  };
}

/** The outcome of a requirement is the first of these that one of its checks has. */
const fromTheWorst: readonly Outcome[] = [
  'fail',
  'timeout',
  'suite-error',
  'unexpected-pass',
  'expected-fail',
  'passed-late',
  'pass',
  'not-applicable',
  'skipped',
];

function worst(proofs: readonly ReportedCheck[]): RequirementOutcome {
  return fromTheWorst.find((outcome) => proofs.some((proof) => proof.outcome === outcome)) ?? 'not-run';
}
