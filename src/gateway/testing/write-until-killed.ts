/**
 * Changes the store in a file, with many simultaneous changes, until it is killed. Prints a line for each completed
 * change.
 */
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openFileStore } from '../store/sqlite/file.ts';

const store = await openFileStore(process.argv[2] ?? '');
const hash = (text: string) => createHash('sha256').update(text).digest();

function say(...words: (string | boolean)[]): void {
  writeSync(1, `${words.join(' ')}\n`);
}

async function live(id: string): Promise<void> {
  await store.insertPendingBox({ id, name: 'n', peerName: `boxgate-${id}`, createdAt: 5 }, 1_000_000, 100);
  say('pending', id);
  await store.activateBox(id, { tokenHash: hash(`${id} 0`), peerId: id, peerKey: null, address: `address of ${id}` });
  say('live', id);
  await store.insertRoute({ id: `rt_${id}`, boxId: id, appName: 'a', subdomain: id, port: 1, createdAt: 5 }, 9);
  say('published', id);
  await store.replaceToken(id, hash(`${id} 0`), hash(`${id} 1`));
  say('rotated', id);
  await store.removeRoute(`rt_${id}`, id);
  say('unpublished', id);
  await store.removeBox(id, 100);
  say('removed', id);
}

async function liveOn(worker: number): Promise<never> {
  for (let n = 0; ; n += 1) await live(`box-${worker}-${n}`);
}

await Promise.all(Array.from({ length: 8 }, (_, worker) => liveOn(worker)));
