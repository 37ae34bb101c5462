import { ensure, equal, pluck } from '../../kernel/expect.ts';
import type { RawExchange, RawRequest } from '../../kernel/raw-exchange.ts';
import { bodies, chunks, lengths } from './body-cases.ts';
import { type HttpCase, type HttpService, host } from './case.ts';
import { connections, headers, requestLines, targets } from './head-cases.ts';

/**
 * Raw requests of clients, proxies and attackers, with the expected statuses. After each case, the same connection
 * carries a valid request, the probe. The probe is answered if the case was one complete request. It must not be
 * answered if a server and a proxy could disagree about where the case ends.
 */
export function httpCases(service: HttpService): HttpCase[] {
  return [
    ...requestLines(service),
    ...targets(service),
    ...headers(service),
    ...lengths(service),
    ...chunks(service),
    ...bodies(service),
    ...connections(service),
  ];
}

/** Limits the open connections, because a connection with an unread body closes slowly. */
const atOnce = 16;

/** Runs all cases, and then verifies that the server still answers. */
export async function followsHttp(
  raw: (asked: RawRequest) => Promise<RawExchange>,
  service: HttpService,
): Promise<void> {
  const probe = `GET ${service.get} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
  const cases = httpCases(service);
  for (let first = 0; first < cases.length; first += atOnce) {
    await Promise.all(cases.slice(first, first + atOnce).map((one) => follows(raw, one, probe)));
  }
  const [answer] = (await raw({ parts: [probe] })).responses;
  equal('the status of a good request after all cases', answer?.status, 200);
}

async function follows(
  raw: (asked: RawRequest) => Promise<RawExchange>,
  { name, parts, statuses, ends = false }: HttpCase,
  probe: string,
): Promise<void> {
  const asked = ends ? { parts, halfClose: true } : { parts: [...parts, probe] };
  const { responses, closed, bytes: received } = await raw({ ...asked, responses: Number.POSITIVE_INFINITY });
  equal(`statuses after ${name}`, pluck(responses, 'status'), statuses);
  ensure(`the connection closes after ${name}`, closed);
  equal(
    `status lines after ${name}`,
    received.toString('latin1').match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0,
    statuses.length,
  );
  for (const { status, json, text } of responses) {
    if (status < 400) continue;
    ensure(`an error in JSON after ${name}`, typeof (json as { error?: unknown })?.error === 'string', text);
  }
}
