import type { AnyContext } from '../kernel/check.ts';
import type { Violation } from '../kernel/contract.ts';
import {
  type Exchange,
  type HoldGroup,
  makeHoldGroup,
  NoResponse,
  type OutgoingRequest,
  sendRequest,
} from '../kernel/exchange.ts';
import { CheckFailed, TooSlow } from '../kernel/expect.ts';
import type { Journal, JournalEntry } from '../kernel/journal.ts';
import { observedIn, type RawRequest, sendBytes } from '../kernel/raw-exchange.ts';
import { describeEnd, type Subject } from '../kernel/subject.ts';
import type { CheckRunOptions, Subjects } from './subjects.ts';

const keptExchanges = 20;

/** The requests of one check to the implementation, with what the reports show of them. */
export function makeRequests<Context extends AnyContext>(
  { verifies, requestMs, onExchange, contract }: CheckRunOptions<Context>,
  subjects: Subjects,
) {
  const exchanges: Exchange[] = [];
  const journal: Journal = [];
  const violations: Violation[] = [];
  let wasLate = false;
  let group: HoldGroup | null = null;

  const send = async (request: OutgoingRequest) => {
    const hold = group?.add();
    const subject = await subjects.running();
    const entry: JournalEntry = { by: 'request', request, response: null };
    journal.push(entry);
    const limits = requestMs === undefined ? {} : { timeoutMs: requestMs };
    const exchange = await sendRequest(subject.port, { ...limits, ...request }, hold).catch(async (error: unknown) => {
      if (!(error instanceof NoResponse)) throw error;
      if (error.isLate) wasLate = true;
      throw await whyNoResponse(error, subject);
    });
    onExchange?.(exchange);
    entry.response = exchange;
    exchanges.push(exchange);
    if (exchanges.length > keptExchanges) exchanges.shift();
    for (const violation of (await contract()).violationsOf(exchange)) {
      if (verifies.includes(violation.part)) throw violation.failure;
      violations.push(violation);
    }
    return exchange;
  };
  const request = (one: OutgoingRequest) => {
    const exchange = send(one);
    // A failed check no longer awaits its other requests. Their rejections must not end the process.
    exchange.catch(() => undefined);
    return exchange;
  };
  const together = async <T>(begin: () => Promise<T>[]): Promise<T[]> => {
    const { port } = await subjects.running();
    const held = makeHoldGroup();
    group = held;
    const answers = Promise.all(begin());
    group = null;
    // The caller hears of a rejection after the release.
    answers.catch(() => undefined);
    await held.allHeld();
    // A server that answers a later connection has accepted the earlier ones.
    await sendRequest(port, { method: 'GET', path: '/', timeoutMs: 1000 }).catch(() => undefined);
    held.release();
    return answers;
  };
  const raw = async (one: RawRequest) => {
    const { port } = await subjects.running();
    const entry: JournalEntry = { by: 'bytes', request: one, exchange: null };
    journal.push(entry);
    entry.exchange = await sendBytes(port, one);
    if (entry.exchange.isLate) wasLate = true;
    for (const observed of observedIn(one, entry.exchange)) onExchange?.(observed);
    return entry.exchange;
  };
  return { request, together, raw, exchanges, journal, violations, wasLate: () => wasLate };
}

/** Distinguishes a crash from a hang and from a closed connection. */
async function whyNoResponse(error: NoResponse, subject: Subject): Promise<CheckFailed> {
  if (error.isLate) return new TooSlow(`the implementation hangs: ${error.message}`);
  // The connection breaks a moment before the process has ended.
  const end = await subject.waitForEnd(500);
  if (end === null) return new CheckFailed(`the implementation runs, but sent no response: ${error.message}`);
  const what = end.sent === null ? 'the implementation crashed' : 'the implementation had ended';
  return new CheckFailed(`${what}: ${error.message}; it ${describeEnd(end)}`);
}
