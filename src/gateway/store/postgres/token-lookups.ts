import { timingSafeEqual } from 'node:crypto';
import type { Box } from '../../ports.ts';
import type { KnownToken } from '../box-operations.ts';

const inOneStatement = 256;

/** Two queries at a time, so that one runs while the result of the other is processed. */
const atATime = 2;

type Waiting = {
  tokenHash: Uint8Array;
  resolve(box: Box | null): void;
  reject(error: unknown): void;
};

/**
 * Looks up tokens in groups: requests that arrive during a query share the next one. A request is never answered from a
 * query that began before it.
 */
export function makeTokenLookups(
  read: (hashes: Uint8Array[]) => Promise<readonly KnownToken[]>,
): (tokenHash: Uint8Array) => Promise<Box | null> {
  let waiting: Waiting[] = [];
  let underWay = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || underWay >= atATime || waiting.length === 0) return;
    scheduled = true;
    // Requests of this turn of the event loop share the query.
    setImmediate(() => {
      scheduled = false;
      const group = waiting.slice(0, inOneStatement);
      waiting = waiting.slice(inOneStatement);
      underWay += 1;
      void answer(group).finally(() => {
        underWay -= 1;
        schedule();
      });
      schedule();
    });
  }

  async function answer(group: readonly Waiting[]): Promise<void> {
    try {
      const known = await read(group.map(({ tokenHash }) => tokenHash));
      const byHash = new Map(known.map((one) => [toKey(one.tokenHash), one]));
      for (const { tokenHash, resolve } of group) {
        const found = byHash.get(toKey(tokenHash));
        resolve(found !== undefined && timingSafeEqual(found.tokenHash, tokenHash) ? found.box : null);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return (tokenHash) =>
    new Promise((resolve, reject) => {
      waiting.push({ tokenHash, resolve, reject });
      schedule();
    });
}

function toKey(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}
