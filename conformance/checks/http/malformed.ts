import type { AnyContext } from '../../kernel/check.ts';
import { ensure, equal, isObject, pluck } from '../../kernel/expect.ts';
import type { RawResponse } from '../../kernel/raw-exchange.ts';

type Raw = AnyContext['raw'];

/** Verifies that each of these requests gets a single 400 with an error body. Returns the responses. */
export async function refusesMalformed(raw: Raw, heads: readonly string[]): Promise<RawResponse[]> {
  const found: RawResponse[] = [];
  for (const head of heads) {
    const { responses, closed } = await raw({ parts: [head], responses: 2 });
    equal(`status after ${JSON.stringify(head)}`, pluck(responses, 'status'), [400]);
    const [response] = responses;
    ensure('an error body', isObject(response?.json) && typeof response.json.error === 'string', response?.text);
    ensure('the connection closes', closed);
    found.push(...responses);
  }
  return found;
}

/** Verifies that an HTTP/1.0 request needs no Host header and is the last one on its connection. */
export async function answersWithoutHost(raw: Raw, path: string): Promise<void> {
  const { responses, closed } = await raw({ parts: [`GET ${path} HTTP/1.0\r\n\r\n`], responses: 2 });
  equal('statuses', pluck(responses, 'status'), [200]);
  ensure('the connection closes', closed);
}

type Operations = readonly (readonly [method: string, path: string])[];

/** Verifies that every operation refuses a body whose announced length is over the limit. */
export async function refusesLongBodies(raw: Raw, operations: Operations, limit: number): Promise<void> {
  const length = limit + 1;
  await expectAtEach(raw, operations, 413, `HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`);
}

/** Verifies that every operation refuses a request that is not HTTP/1.1. */
export async function refusesOtherProtocols(raw: Raw, operations: Operations): Promise<void> {
  await expectAtEach(raw, operations, 400, 'HTTP/x\r\nHost: localhost\r\n\r\n');
}

async function expectAtEach(raw: Raw, operations: Operations, status: number, rest: string): Promise<void> {
  for (const [method, path] of operations) {
    const { responses } = await raw({ parts: [`${method} ${path} ${rest}`] });
    equal(`${method} ${path}`, pluck(responses, 'status'), [status]);
  }
}
