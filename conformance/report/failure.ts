import { inspect } from 'node:util';
import { NotApplicable } from '../kernel/check.ts';
import type { Exchange } from '../kernel/exchange.ts';
import { CheckFailed } from '../kernel/expect.ts';
import type { Journal } from '../kernel/journal.ts';
import type { CheckRun } from '../run/check-run.ts';
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
};

export const plainFailure = (reason: string): Failure => ({ reason, exchanges: [], script: '', isShortest: false });

export function describeFailure(
  error: unknown,
  { secrets, ...run }: Pick<CheckRun<never>, 'exchanges' | 'journal' | 'secrets'>,
): Failure {
  const shortest = error instanceof CheckFailed ? error.shortest : null;
  const journal = shortest ?? run.journal;
  const exchanges = shortest === null ? run.exchanges : exchangesIn(shortest);
  const known = [...new Set([...secrets, ...exchanges.flatMap(secretsIn)])];
  const clean = cleaner(known);
  const lines =
    error instanceof CheckFailed
      ? [error.message, `expected: ${show(error.expected, clean)}`, `actual:   ${show(error.actual, clean)}`]
      : [textOf(error)];
  const latest = exchanges.at(-1);
  if (latest !== undefined) lines.push(...describeExchange(latest, clean));
  return {
    reason: clean(lines.join('\n')),
    exchanges: exchanges.slice(-shownExchanges).map((one) => showExchange(one, clean)),
    script: clean(scriptOf(journal, known)),
    isShortest: shortest !== null,
  };
}

const exchangesIn = (journal: Journal): Exchange[] =>
  journal.flatMap((entry) => (entry.by === 'request' && entry.response !== null ? [entry.response] : []));

/** A fault of the suite is described with its stack trace. */
function textOf(error: unknown): string {
  if (error instanceof NotApplicable) return error.message;
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

function describeExchange(one: Exchange, clean: Clean): string[] {
  const sent = one.requestBody.length > 0 ? ` ${show(one.requestBody.toString('utf8'), clean)}` : '';
  return [`> ${one.method} ${one.path}${sent}`, `< ${one.status} ${show(one.text, clean)}`];
}
