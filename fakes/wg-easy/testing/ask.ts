import { request } from 'node:http';
import type { RecordedAnswer } from './recording.ts';

export type Question = { method: string; path: string; headers: Record<string, string>; body: string | null };

/**
 * Sends one request on a new connection, with only the given headers. The response has the format of the recordings.
 */
export function ask(url: string, { method, path, headers, body }: Question): Promise<RecordedAnswer> {
  const { hostname, port } = new URL(url);
  const length: Record<string, string> = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, agent: false, headers: { ...headers, connection: 'keep-alive', ...length } },
      async (response) => {
        const pieces: Buffer[] = [];
        for await (const piece of response) pieces.push(piece);
        const { date: _, ...kept } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          statusText: response.statusMessage ?? '',
          headers: kept as RecordedAnswer['headers'],
          body: Buffer.concat(pieces).toString(),
        });
        sent.destroy();
      },
    );
    sent.once('error', reject);
    sent.end(body ?? undefined);
  });
}
