import type { Level, Rule } from '../kernel/rules.ts';
import type { ApiName } from '../run/api.ts';
import type { Coverage } from '../run/coverage.ts';
import { type Outcome, outcomes, type Result } from '../run/result.ts';
import type { ShownExchange } from './shown-exchange.ts';

/** The facts of a run that a report shows next to its results. */
export type RunFacts = {
  suite: string;
  suiteVersion: string;
  /** The digest of the specification documents. */
  specification: string;
  api: ApiName;
  seed: number;
  exec: string;
  profile: string;
  rules: ReadonlyMap<string, Rule>;
  /** `null` unless all checks ran. */
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
  holds: boolean;
  counts: Record<Outcome, number>;
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
  outcome: Outcome;
  reason: string;
  milliseconds: number;
  exchanges: ShownExchange[];
  script: string;
};

/** Whether this outcome makes the run fail. */
export function isBroken({ outcome }: { outcome: RequirementOutcome }): boolean {
  return ['fail', 'timeout', 'unexpected-pass', 'suite-error'].includes(outcome);
}

export function countOutcomes(results: readonly { outcome: Outcome }[]): Record<Outcome, number> {
  const counts = outcomes.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]);
  return Object.fromEntries(counts) as Record<Outcome, number>;
}

export function makeReport(results: readonly Result[], facts: RunFacts): Report {
  const checks = results.map(reportCheck);
  const { rules, coverage, suiteVersion, suite, specification, api, seed, exec, profile } = facts;
  return {
    suite,
    suite_version: suiteVersion,
    specification,
    api,
    seed,
    exec,
    profile,
    holds: checks.length > 0 && !checks.some(isBroken),
    counts: countOutcomes(checks),
    requirements: [...rules.values()].map((rule) => reportRequirement(rule, checks)),
    checks,
    coverage,
  };
}

function reportCheck({ check, level, outcome, reason, exchanges, script, durationMs }: Result): ReportedCheck {
  const milliseconds = Math.round(durationMs);
  return {
    id: check.id,
    title: check.title,
    rules: check.rules,
    level,
    outcome,
    reason,
    milliseconds,
    exchanges,
    script,
  };
}

function reportRequirement(rule: Rule, checks: readonly ReportedCheck[]): ReportedRequirement {
  const proofs = checks.filter((check) => check.rules.includes(rule.id));
  return {
    id: rule.id,
    level: rule.level === 'choice' ? 'choice' : 'must',
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
  'pass',
  'not-applicable',
  'skipped',
];

function worst(proofs: readonly ReportedCheck[]): RequirementOutcome {
  return fromTheWorst.find((outcome) => proofs.some((proof) => proof.outcome === outcome)) ?? 'not-run';
}
