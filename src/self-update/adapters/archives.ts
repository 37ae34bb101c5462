import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { storageFailed } from '../../lib/files/storage.ts';
import { writeSynced } from '../../lib/files/write-file.ts';
import type { Archives, Target } from '../ports.ts';
import { fail, UpdateFailed } from '../rules/update-failed.ts';
import { openSource } from './source.ts';
import { unpackArchive } from './unpack.ts';

/** The longest pause between two parts of a download, and the longest time of all. */
const usualLimits = { stallMs: 60_000, totalMs: 2 * 60 * 60 * 1000 };

export const archives: Archives = { download: downloadArchive, digest, unpack: unpackArchive };

/** Throws UpdateFailed, and errors of `onBytes` as they are. choice/box/137 */
export async function downloadArchive(url: string, target: Target, limits = usualLimits): Promise<void> {
  const { stallMs, totalMs } = limits;
  const abort = new AbortController();
  const late = `was not complete after ${totalMs / 60_000} minutes; try again over a faster connection`;
  const tooSlow = new UpdateFailed(`the archive ${url} ${late}`);
  const total = setTimeout(() => abort.abort(tooSlow), totalMs);
  const silence = `stopped coming: there was nothing for ${stallMs / 1000} seconds; try again later`;
  const stall = makeStallTimer(stallMs, abort, new UpdateFailed(`the archive ${url} ${silence}`));
  try {
    stall.begin();
    const { body } = await openSource('archive', url, abort.signal);
    await writeSynced(target.file, exactly(url, body, target, stall), 0o600, 'wx');
  } catch (error) {
    // Faults of the written file have its path; faults of the source do not.
    if ((error as NodeJS.ErrnoException).path !== target.file) throw error;
    fail(storageFailed('cannot keep the archive', error).message, error);
  } finally {
    clearTimeout(total);
    stall.end();
    abort.abort();
  }
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
    if (bytes > size) {
      const signed = `the ${size} bytes that its publisher has signed`;
      fail(`the archive ${url} is longer than ${signed}; nothing vouches for it`);
    }
    yield chunk;
    await onBytes(bytes);
    stall.begin();
  }
  if (bytes < size) {
    fail(`the archive ${url} is cut off: it ended after ${bytes} of ${size} bytes; try again later`);
  }
}

/** The timer runs only while the source is awaited: a slow disk is not a slow server. */
type StallTimer = { begin(): void; end(): void };

function makeStallTimer(stallMs: number, abort: AbortController, stalled: UpdateFailed): StallTimer {
  let timer: NodeJS.Timeout | undefined;
  return {
    begin: () => {
      timer = setTimeout(() => abort.abort(stalled), stallMs);
    },
    end: () => clearTimeout(timer),
  };
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch (error) {
    fail(storageFailed(`cannot read ${file}`, error).message, error);
  }
  return hash.digest('hex');
}
