import { addAbortSignal } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { streamRegularFile } from '../../lib/files/read-file.ts';
import { storageFailed } from '../../lib/files/storage.ts';
import { writeSynced } from '../../lib/files/write-file.ts';
import { fail, failure, UpdateFailed } from '../rules/reasons.ts';
import { httpGet, problemOf } from './http-get.ts';

export type DownloadLimits = {
  /** The longest pause between two parts of a download. */
  stallMs: number;
  totalMs: number;
};

/** `file` must not exist. `onBytes` is called with the total so far and awaited. */
export type Target = { file: string; size: number; onBytes(bytes: number): Promise<void> };

/**
 * Downloads exactly `size` bytes into a new file, synced. Throws UpdateFailed, and errors of `onBytes` as they are.
 * choice/box/137
 */
export async function downloadArchive(url: string, target: Target, limits: DownloadLimits): Promise<void> {
  const abort = new AbortController();
  const tooSlow = failure('archiveTooSlow', { url, minutes: limits.totalMs / 60_000 });
  const total = setTimeout(() => abort.abort(tooSlow), limits.totalMs);
  const stall = makeStallTimer(url, limits.stallMs, abort);
  try {
    stall.begin();
    const source = readable(url, await sourceOf(url, abort.signal));
    await writeSynced(target.file, exactly(url, source, target, stall), 0o600, 'wx');
  } catch (error) {
    // Faults of the written file have its path; faults of the source do not.
    if ((error as NodeJS.ErrnoException).path !== target.file) throw error;
    fail('storage', { problem: storageFailed('cannot keep the archive', error).message }, error);
  } finally {
    clearTimeout(total);
    stall.end();
    abort.abort();
  }
}

async function sourceOf(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  try {
    const address = new URL(url);
    return await (address.protocol === 'file:' ? openArchive(address, signal) : askFor(address, signal));
  } catch (error) {
    throw unreadable(url, error);
  }
}

async function askFor(url: URL, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const { status, body } = await httpGet(url, {
    accept: 'application/gzip, application/octet-stream',
    signal,
    elsewhere: (target) => fail('archiveElsewhere', { url: url.href, target }),
  });
  if (status < 200 || status > 299) fail('archiveStatus', { url: url.href, status });
  return body;
}

function openArchive(url: URL, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const source = streamRegularFile(fileURLToPath(url), 'followed');
  if (source === 'no file') fail('archiveNoFile', { url: url.href });
  if (source === 'nothing') throw new Error('there is no such file');
  return addAbortSignal(signal, source);
}

/** Tells faults of the source from those of the file that is written. */
async function* readable(url: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    throw unreadable(url, error);
  }
}

function unreadable(url: string, error: unknown): UpdateFailed {
  if (error instanceof UpdateFailed) return error;
  return failure('archiveUnreadable', { url, problem: problemOf(error) }, error);
}

/** Passes on the bytes of a source; throws unless they are exactly as many as the publisher has signed. */
async function* exactly(
  url: string,
  source: AsyncIterable<Uint8Array>,
  { size, onBytes }: Target,
  stall: StallTimer,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    stall.end();
    bytes += chunk.length;
    if (bytes > size) fail('archiveTooLarge', { url, size });
    yield chunk;
    await onBytes(bytes);
    stall.begin();
  }
  if (bytes < size) fail('archiveCutOff', { url, bytes, size });
}

/** The timer runs only while the source is awaited: a slow disk is not a slow server. */
type StallTimer = { begin(): void; end(): void };

function makeStallTimer(url: string, stallMs: number, abort: AbortController): StallTimer {
  let timer: NodeJS.Timeout | undefined;
  const stalled = () => abort.abort(failure('archiveStalled', { url, seconds: stallMs / 1000 }));
  return {
    begin: () => {
      timer = setTimeout(stalled, stallMs);
    },
    end: () => clearTimeout(timer),
  };
}
