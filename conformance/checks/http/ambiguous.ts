import type { AnyContext } from '../../kernel/check.ts';
import { ensure, equal, isObject } from '../../kernel/expect.ts';

type Raw = AnyContext['raw'];

/**
 * Sends requests whose end is ambiguous, each with this command behind it. Servers that see different ends would carry
 * the command out. The caller verifies that this did not happen.
 */
export async function sendAmbiguous(raw: Raw, path: string, command: () => string): Promise<void> {
  const last = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n`;
  const heads = [
    `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    `${head}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  ];
  for (const one of heads) await raw({ parts: [one + command() + last], responses: 3 });
}

/** Sends a command as the body of a request that needs none. The caller verifies that it is not carried out. */
export async function sendAsBody(raw: Raw, line: string, command: string, header = ''): Promise<void> {
  const head = `${line} HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${Buffer.byteLength(command)}\r\n\r\n`;
  const last = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  await raw({ parts: [head + command + last], responses: 3 });
}

/** Verifies that each of these requests is answered by one error in the form of the API, and ends its connection. */
export async function refusesInErrorForm(raw: Raw, requests: readonly string[]): Promise<void> {
  for (const request of requests) {
    const what = JSON.stringify(request);
    const { responses, closed } = await raw({ parts: [request], responses: 2 });
    equal(`responses to ${what}`, responses.length, 1);
    const [response] = responses;
    ensure(`an error status for ${what}`, Number(response?.status) >= 400, response?.status);
    ensure('an error body', isObject(response?.json) && typeof response.json.error === 'string', response?.text);
    ensure(`the connection closes after ${what}`, closed);
  }
}

/** No server understands these. */
export const notHttp = [
  'nonsense\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/x\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost x\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
];

const mib = 1024 * 1024;

/** Verifies that a body of a terabyte is refused, or its connection closed, within its first 32 MiB. */
export async function refusesEndlessBody(raw: Raw, path: string): Promise<void> {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\n{"a":"`;
  const part = Buffer.alloc(mib, 'a');
  const { responses, closed } = await raw({ parts: [head, ...Array<Buffer>(32).fill(part)] });
  const [response] = responses;
  ensure(
    `an error for POST ${path} with a body of 1 TB, or the connection closes`,
    closed || Number(response?.status) >= 400,
    response?.status,
  );
}
