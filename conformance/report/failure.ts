import { inspect } from 'node:util';
import { NotApplicable } from '../check.ts';
import type { Exchange } from '../exchange.ts';
import { CheckFailed } from '../expect.ts';
import type { Trial } from '../trial.ts';
import { type Clean, cleaner, secretsIn } from './secrets.ts';
import { cut, type ShownExchange, showExchange } from './shown-exchange.ts';

/** What went wrong, for a person and for a program, without any secret. */
export type Failure = { reason: string; exchanges: ShownExchange[] };

/** Message, expected, actual and the latest exchange as a text; beside it the latest exchanges whole. */
export function describeFailure(
  error: unknown,
  { exchanges, secrets }: Pick<Trial<never>, 'exchanges' | 'secrets'>,
): Failure {
  const clean = cleaner([...secrets, ...exchanges.flatMap(secretsIn)]);
  const lines =
    error instanceof CheckFailed
      ? [error.message, `expected: ${show(error.expected, clean)}`, `actual:   ${show(error.actual, clean)}`]
      : [textOf(error)];
  const latest = exchanges.at(-1);
  if (latest !== undefined) lines.push(...describeExchange(latest, clean));
  return {
    reason: clean(lines.join('\n')),
    exchanges: exchanges.slice(-shownExchanges).map((one) => showExchange(one, clean)),
  };
}

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
