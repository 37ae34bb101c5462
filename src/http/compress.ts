import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { jsonOfFrozen, type Reply } from './reply.ts';

/** From this size on a body is compressed: a list of hundreds of apps, over a slow network. */
const largeBytes = 64 * 1024;

const compress = promisify(gzip);
const compressed = new WeakMap<object, Promise<Buffer>>();

/**
 * The reply in fewer bytes, if its body is large JSON that is sent again and again, and the client takes gzip. Only frozen
 * bodies are, and each is compressed once. A stream, a small body and a body of one reply stay as they are.
 */
export async function inFewerBytes(reply: Reply, headers: IncomingHttpHeaders): Promise<Reply> {
  const { body } = reply;
  const json = reply.type === undefined ? jsonOfFrozen(body) : null;
  if (json === null || json.length < largeBytes) return reply;
  const varies = { ...reply.headers, Vary: 'Accept-Encoding' };
  if (!takesGzip(headers['accept-encoding'])) return { ...reply, headers: varies };
  const bytes = compressed.get(body as object) ?? compress(json);
  compressed.set(body as object, bytes);
  return {
    ...reply,
    type: 'application/json',
    body: await bytes,
    headers: { ...varies, 'Content-Encoding': 'gzip' },
  };
}

/** A quality of 0 refuses an encoding. */
function takesGzip(accepted: string | string[] | undefined): boolean {
  return [accepted ?? '']
    .flat()
    .join(',')
    .split(',')
    .some((one) => {
      const [encoding, quality = 'q=1'] = one.split(';').map((part) => part.trim().toLowerCase());
      return encoding === 'gzip' && Number(quality.replace('q=', '')) > 0;
    });
}
