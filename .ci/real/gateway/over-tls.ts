import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';

/** Requests a page of a published host over TLS, on a new connection. Does not verify the certificate. */
export async function overTls(
  port: number,
  host: string,
  more: { path?: string; auth?: string } = {},
): Promise<{ status: number; body: string }> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    ...more,
    headers: { host },
    servername: host,
    rejectUnauthorized: false,
    agent: false,
  });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.setEncoding('utf8');
  let body = '';
  for await (const text of answer) body += text;
  return { status: answer.statusCode ?? 0, body };
}
