import { closeSync, constants, openSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Neither waits for the reader of a named pipe nor follows a link. */
const toCreate = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/**
 * Whether somebody has listed this sub-directory of the routes directory since the last time of asking, and at the
 * first time, since anything was changed in it; in the time of one tick of the kernel's clock it may be missed. A proxy
 * that reads the directory goes through this sub-directory first, and the kernel notes that: the time of the last
 * access is brought up to date when it is not later than that of the last change. So a change is made here, which is no
 * event in the directory above. Where no such times are kept the answer is always no. choice/gateway/118
 */
export function makeReadingTrace(work: string): () => boolean {
  const touched = join(work, 'touched.tmp');
  let seen: bigint | null = null;
  return () => {
    try {
      const { atimeNs, mtimeNs } = statSync(work, { bigint: true });
      const wasRead = seen === null ? atimeNs > mtimeNs : atimeNs !== seen;
      // Of a change in the same tick the time may be the tick's own, before that of the access: then there is one more.
      if (wasRead || seen === null || atimeNs > mtimeNs) {
        closeSync(openSync(touched, toCreate));
        unlinkSync(touched);
      }
      seen = atimeNs;
      return wasRead;
    } catch {
      // A full or a lost disk is told by the changes themselves.
      return false;
    }
  };
}
