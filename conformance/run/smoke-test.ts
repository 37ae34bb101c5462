import { InvalidOption } from '../invalid-option.ts';
import type { AnyContext } from '../kernel/check.ts';
import { sendRequest } from '../kernel/exchange.ts';
import { CannotStart, describeEnd, startSubject } from '../kernel/subject.ts';
import type { Api, CommonEnvironmentOptions } from './api.ts';
import { hostEnv } from './subjects.ts';

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
export async function smokeTest<Context extends AnyContext>(
  api: Api<Context>,
  { argv, startTimeoutMs, stopTimeoutMs, environmentOptions }: SmokeOptions,
) {
  const environment = await openFirst(api, environmentOptions);
  try {
    const env = { ...hostEnv(), ...environment.env() };
    const began = performance.now();
    const subject = await startSubject({ argv, env, readyTimeoutMs: startTimeoutMs });
    const startMs = performance.now() - began;
    // As long as a start may take: no later attempt has more time, and a disk may be busy.
    const request = { method: 'GET', path: api.smokePath, timeoutMs: startTimeoutMs };
    await sendRequest(subject.port, request).catch(async (error: Error) => {
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
export const timeLimit = (measuredMs: number, longestMs: number) =>
  Math.min(longestMs, Math.max(5000, 10 * measuredMs));

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
