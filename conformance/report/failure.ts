import { inspect } from 'node:util';
import { NotApplicable, TimedOut } from '../kernel/check.ts';
import type { Exchange } from '../kernel/exchange.ts';
import { CheckFailed } from '../kernel/expect.ts';
import type { Journal } from '../kernel/journal.ts';
import { CannotStart } from '../kernel/subject.ts';
import type { CheckRun } from '../run/check-run.ts';
import { byteEvidence, type Evidence, harmless, processEvidence, showEvidence, whyNoBytes } from './evidence.ts';
import { scriptOf } from './script.ts';
import { type Clean, cleaner, secretsIn } from './secrets.ts';
import { cut, type ShownExchange, showExchange } from './shown-exchange.ts';

/** Describes a failure without secrets, for people and programs. */
export type Failure = {
  reason: string;
  exchanges: ShownExchange[];
  /** A script that sends the same requests again. Empty if there were no requests. */
  script: string;
  /** Whether `exchanges` and `script` are those of the shortest failing case. */
  isShortest: boolean;
  evidence: Evidence[];
  /** The check in whose traffic this was seen, if that is another one. */
  seenIn: string | null;
  /** Says which answers are not JSON, if the check failed because it needed JSON. */
  notJson: string | null;
};

export const plainFailure = (reason: string): Failure => ({
  reason,
  exchanges: [],
  script: '',
  isShortest: false,
  evidence: [],
  seenIn: null,
  notJson: null,
});

export function describeFailure(
  error: unknown,
  { secrets, ...run }: Pick<CheckRun<never>, 'exchanges' | 'journal' | 'secrets' | 'processes'>,
  surroundings: readonly Evidence[] = [],
): Failure {
  const shortest = error instanceof CheckFailed ? error.shortest : null;
  const journal = shortest ?? run.journal;
  const exchanges = shortest === null ? run.exchanges : exchangesIn(shortest);
  const known = [...new Set([...secrets, ...[...exchanges, ...exchangesIn(run.journal)].flatMap(secretsIn)])];
  const clean = cleaner(known);
  const bytes = byteEvidence(run.journal);
  const latest = exchanges.at(-1);
  const notJson = latest !== undefined && needsJson(error, latest) ? latest : null;
  const lines = error instanceof CheckFailed ? describeCheckFailed(error, clean, notJson) : [textOf(error)];
  const silence = whyNoBytes(run.journal, run.processes);
  if (silence !== null) lines[0] = `${silence} (${lines[0]})`;
  if (latest !== undefined && bytes.length === 0) lines.push(...describeExchange(latest, clean));
  return {
    reason: harmless(clean(lines.join('\n'))),
    exchanges: exchanges.slice(-shownExchanges).map((one) => showExchange(one, clean)),
    script: clean(scriptOf(journal, known)),
    isShortest: shortest !== null,
    evidence: [...bytes, ...processEvidence(run.processes), ...surroundings].map((one) => showEvidence(one, clean)),
    seenIn: null,
    notJson: notJson === null ? null : harmless(clean(notJsonText(notJson))),
  };
}

/** Whether a check found no value because the answer is not JSON. */
const needsJson = (error: unknown, { json, body }: Exchange): boolean =>
  error instanceof CheckFailed &&
  error.actual === undefined &&
  error.expected !== undefined &&
  json === undefined &&
  body.length > 0;

const notJsonText = ({ status, headers }: Exchange): string =>
  `${status >= 400 ? 'errors' : 'results'} are not JSON but ${headers['content-type'] ?? 'of no content type'}`;

/** A hang or a crash has no expected value. */
function describeCheckFailed(
  { message, expected, actual }: CheckFailed,
  clean: Clean,
  notJson: Exchange | null,
): string[] {
  if (expected === undefined && actual === undefined) return [message];
  const found = notJson === null ? show(actual, clean) : `not JSON: ${show(notJson.text, clean)}`;
  return [message, `expected: ${show(expected, clean)}`, `actual:   ${found}`];
}

const exchangesIn = (journal: Journal): Exchange[] =>
  journal.flatMap((entry) => (entry.by === 'request' && entry.response !== null ? [entry.response] : []));

/** Only a fault of the suite is described with its stack trace. */
function textOf(error: unknown): string {
  if ([NotApplicable, TimedOut, CannotStart].some((known) => error instanceof known)) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const shownExchanges = 8;
const longest = 1200;

/** Hides secrets before it cuts the text, because half a secret would not be recognised. */
function show(value: unknown, clean: Clean): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(clean(value))
      : clean(inspect(value, { depth: 6, breakLength: 100, maxStringLength: null }));
  return cut(text, longest);
}

const oneLine = (body: string, clean: Clean) => cut(clean(body), longest).replace(/\r?\n/g, '\\n');

function describeExchange(one: Exchange, clean: Clean): string[] {
  const [sent, received] = [one.requestBody.toString('utf8'), one.text].map((body) => oneLine(body, clean));
  return [`> ${one.method} ${one.path} ${sent}`, `< ${one.status} ${received}`].map((line) => line.trimEnd());
}
