import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { streamRegularFile } from '../../lib/files/read-file.ts';
import { trustSystemCertificates } from '../../lib/network/system-certificates.ts';
import { userAgent } from '../../lib/network/user-agent.ts';
import { addressFrom } from '../rules/feed-address.ts';
import { fail, UpdateFailed } from '../rules/update-failed.ts';

const maxRedirections = 5;
const redirections = [301, 302, 303, 307, 308];

/** What is read from an address, in the words of its failures. */
const kinds = {
  feed: {
    name: 'the release feed',
    accept: 'application/json',
    hasStatus: 'answers with status',
    advice: 'it has to be the address of release.json',
  },
  archive: {
    name: 'the archive',
    accept: 'application/gzip, application/octet-stream',
    hasStatus: 'cannot be read: the server answers with status',
    advice: 'its publisher has to correct the release feed',
  },
};

type Kind = keyof typeof kinds;

/** Unread bytes, and the address that they come from, after redirections. */
export type Source = { address: string; body: AsyncIterable<Uint8Array> };

/**
 * Opens a file or sends a GET request, and follows redirections. Every failure, also while the body is read, is an
 * UpdateFailed; after an abort it is the signal's reason. A reader that stops early aborts the signal.
 * choice/box/137
 */
export async function openSource(kind: Kind, address: string, signal: AbortSignal): Promise<Source> {
  try {
    const url = new URL(address);
    const source = url.protocol === 'file:' ? openFile(kind, url, signal) : await httpGet(kind, url, signal);
    return { ...source, body: readable(kind, address, source.body, signal) };
  } catch (error) {
    throw unreadable(kind, address, error);
  }
}

function openFile(kind: Kind, { href: address }: URL, signal: AbortSignal): Source {
  const { name, advice } = kinds[kind];
  const stream = streamRegularFile(fileURLToPath(address), 'followed');
  if (stream === 'no file') fail(`${name} ${address} is not a file; ${advice}`);
  if (stream === 'nothing') throw new Error('there is no such file');
  return { address, body: addAbortSignal(signal, stream) };
}

/**
 * It does not use `fetch`: that ends the process of Node 24 if a server closes the connection while the reader of a
 * large body is busy.
 */
async function httpGet(kind: Kind, first: URL, signal: AbortSignal): Promise<Source> {
  const { name, accept, hasStatus } = kinds[kind];
  let address = first;
  for (let count = 0; count <= maxRedirections; count += 1) {
    const message = await ask(address, accept, signal);
    const { statusCode: status = 0, headers } = message;
    const named = redirections.includes(status) ? headers.location : undefined;
    if (named === undefined) {
      if (status < 200 || status > 299) fail(`${name} ${first.href} ${hasStatus} ${status}`);
      return { address: address.href, body: message };
    }
    message.destroy();
    const next = addressFrom(address.href, named);
    if (next === null) {
      const target = URL.parse(named, address.href)?.href ?? named;
      fail(`${name} ${first.href} leads to ${target}, which is not HTTPS`);
    }
    address = next;
  }
  throw new Error(`it redirects more than ${maxRedirections} times`);
}

async function ask(address: URL, accept: string, signal: AbortSignal): Promise<IncomingMessage> {
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

/** Tells faults of the source from those of its reader. */
async function* readable(kind: Kind, address: string, source: Source['body'], signal: AbortSignal) {
  try {
    yield* source;
  } catch (error) {
    throw unreadable(kind, address, signal.aborted ? signal.reason : error);
  }
}

function unreadable(kind: Kind, address: string, error: unknown): UpdateFailed {
  if (error instanceof UpdateFailed) return error;
  const text = `${kinds[kind].name} ${address} cannot be read: ${problemOf(error)}`;
  return new UpdateFailed(text, error);
}

/** The system's message for a failed connection. If a name has several addresses, the first one's error counts. */
function problemOf(error: unknown): string {
  const { message, errors } = error as AggregateError;
  return message === '' && errors?.length > 0 ? problemOf(errors[0]) : message;
}
