import { inspect } from 'node:util';
import { NotApplicable } from '../kernel/check.ts';
import type { Exchange } from '../kernel/exchange.ts';
import { CheckFailed } from '../kernel/expect.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Trial } from '../run/check-run.ts';
import { scriptOf } from './script.ts';
import { type Clean, cleaner, secretsIn } from './secrets.ts';
import { cut, type ShownExchange, showExchange } from './shown-exchange.ts';

/** What went wrong, for a person and for a program, without any secret. */
export type Failure = {
  reason: string;
  exchanges: ShownExchange[];
  /** Sends the same again; empty where nothing was sent. */
  script: string;
  /** Whether exchanges and script are those of the shortest of many cases. */
  isShortest: boolean;
};

/** Where there is nothing to tell but why. */
export const plainFailure = (reason: string): Failure => ({
  reason,
  exchanges: [],
  script: '',
  isShortest: false,
});

/** Message, expected, actual and the latest exchange as a text; beside it the latest exchanges whole, and a script. */
export function describeFailure(
  error: unknown,
  { secrets, ...told }: Pick<Trial<never>, 'exchanges' | 'journal' | 'secrets'>,
): Failure {
  const shortest = error instanceof CheckFailed ? error.shortest : null;
  const journal = shortest ?? told.journal;
  const exchanges = shortest === null ? told.exchanges : answersIn(shortest);
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

const answersIn = (journal: Journal): Exchange[] =>
  journal.flatMap((step) => (step.by === 'request' && step.answer !== null ? [step.answer] : []));

/** A fault of the suite wants its place in it; that a check does not apply, no more than why. */
function textOf(error: unknown): string {
  if (error instanceof NotApplicable) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const shownExchanges = 8;
const longest = 1200;

/** Secrets go before the text is cut: of half a secret nothing is left to know it by. */
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
