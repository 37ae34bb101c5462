import { equal, pluck } from '../../kernel/expect.ts';
import type { RawExchange, RawRequest } from '../../kernel/raw-exchange.ts';

type BodyLimit = {
  path: string;
  /** The size limit of a body. */
  limit: number;
  /** The status of the response to `{}`. */
  refusal: number;
};

/** Verifies that `Expect: 100-continue` gets a `100 Continue`, unless the body is too large. */
export async function answersExpectContinue(
  raw: (asked: RawRequest) => Promise<RawExchange>,
  { path, limit, refusal }: BodyLimit,
): Promise<void> {
  const asks = (bytes: number) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`;
  const cases = [
    { parts: [asks(limit)], answers: 1, statuses: [100] },
    { parts: [asks(2), '{}'], answers: 2, statuses: [100, refusal] },
    { parts: [asks(limit + 1)], answers: 2, statuses: [413] },
  ];
  for (const { parts, answers, statuses } of cases) {
    const told = await raw({ parts, responses: answers });
    equal(`answers to a client that asks whether to send ${parts[0]}`, pluck(told.responses, 'status'), statuses);
  }
}
