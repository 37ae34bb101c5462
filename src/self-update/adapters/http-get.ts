import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { trustSystemCertificates } from '../../lib/network/system-certificates.ts';
import { userAgent } from '../../lib/network/user-agent.ts';
import { addressFrom } from '../rules/feed-address.ts';

const maxRedirections = 5;
const redirections = [301, 302, 303, 307, 308];

/** An answer with its unread body, and the address that it came from. */
type HttpAnswer = {
  status: number;
  address: URL;
  /**
   * The unread body. Reading throws the signal's reason after an abort. A reader that stops early closes the
   * connection.
   */
  body: AsyncGenerator<Uint8Array>;
};

/**
 * Sends a GET request and follows redirections. `elsewhere` resolves a redirection, and throws if it must not be
 * followed. The caller aborts the signal when it does not need the rest of the body.
 *
 * It does not use `fetch`: that ends the process of Node 24 if a server closes the connection while the reader of a
 * large body is busy.
 * choice/box/137
 */
export async function httpGet(
  first: URL,
  options: { accept: string; signal: AbortSignal; elsewhere(target: string): never },
): Promise<HttpAnswer> {
  let address = first;
  for (let count = 0; count <= maxRedirections; count += 1) {
    const message = await ask(address, options);
    const { statusCode: status = 0, headers } = message;
    const named = redirections.includes(status) ? headers.location : undefined;
    if (named === undefined) return { status, address, body: bodyOf(message, options.signal) };
    message.destroy();
    const next = addressFrom(address.href, named);
    if (next === null) options.elsewhere(URL.parse(named, address.href)?.href ?? named);
    address = next;
  }
  throw new Error(`it redirects more than ${maxRedirections} times`);
}

async function ask(
  address: URL,
  { accept, signal }: { accept: string; signal: AbortSignal },
): Promise<IncomingMessage> {
  const isSecure = address.protocol === 'https:';
  if (isSecure) trustSystemCertificates();
  // A compressed answer would not have the signed size and digest.
  const headers = { ...userAgent, Accept: accept, 'Accept-Encoding': 'identity' };
  // Loaded on demand, because a start of the box does not need it.
  const client = isSecure ? (await import('node:https')).default : http;
  const request = client.get(address, { agent: false, headers, signal });
  // If the answer has already begun, reading its body reports the same error.
  request.on('error', () => undefined);
  // An upgrade was not requested. Without this handler the request would never settle.
  request.on('upgrade', (_message, socket) => {
    socket.destroy();
    request.emit('error', new Error('it answers with another protocol (status 101)'));
  });
  try {
    const [message] = await once(request, 'response');
    return message;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

async function* bodyOf(message: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* message;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** The system's message for a failed connection. If a name has several addresses, the first one's error counts. */
export function problemOf(error: unknown): string {
  const { message, errors } = error as AggregateError;
  return message === '' && errors?.length > 0 ? problemOf(errors[0]) : message;
}
