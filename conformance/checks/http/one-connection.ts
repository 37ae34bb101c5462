import { ensure, equal } from '../../kernel/expect.ts';
import type { RawExchange, RawRequest } from '../../kernel/raw-exchange.ts';

/**
 * Verifies that pipelined requests are answered completely and in order. The requirements do not mention persistent
 * connections, so a server may close each connection after its first response.
 */
export async function answersRequestsInOrder(
  raw: (asked: RawRequest) => Promise<RawExchange>,
  path: string,
): Promise<void> {
  const one = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const { responses, closed } = await raw({ parts: [one.repeat(3)], responses: 3 });
  const statuses = responses.map((answer) => answer.status);
  const closedAtOnce = closed && responses.length > 0;
  equal('the answers', statuses, closedAtOnce ? statuses.map(() => 200) : [200, 200, 200]);
  ensure('all the same', new Set(responses.map((answer) => answer.text)).size === 1);
}
