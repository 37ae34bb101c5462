import { inspect } from 'node:util';
import type { Exchange } from '../exchange.ts';
import { CheckFailed } from '../expect.ts';
import type { Trial } from '../trial.ts';

/** What went wrong, for a person: message, expected, actual and the latest exchange, without any secret. */
export function describeFailure(error: unknown, trial: Pick<Trial<never>, 'exchanges' | 'secrets'>): string {
  const lines =
    error instanceof CheckFailed
      ? [error.message, `expected: ${show(error.expected)}`, `actual:   ${show(error.actual)}`]
      : [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  const latest = trial.exchanges.at(-1);
  if (latest !== undefined) lines.push(...describeExchange(latest));
  return removeSecrets(lines.join('\n'), trial.secrets);
}

const longest = 1200;

function show(value: unknown): string {
  const text =
    typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 6, breakLength: 100 });
  return text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
}

function describeExchange(one: Exchange): string[] {
  const sent = one.requestBody.length > 0 ? ` ${show(one.requestBody.toString('utf8'))}` : '';
  return [`> ${one.method} ${one.path}${sent}`, `< ${one.status} ${show(one.text)}`];
}

function removeSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);
}
