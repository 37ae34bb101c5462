/**
 * A second process on the PostgreSQL store of GATEWAY_STORE. It holds the lock of the tunnel manager (`hold`) or
 * follows routes (`follow`) until it is killed, and prints a line when it begins.
 */
import { writeSync } from 'node:fs';
import { openPostgresStore } from '../store/postgres/postgres.ts';

const store = await openPostgresStore(process.env.GATEWAY_STORE ?? '');

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

if (process.argv[2] === 'hold') {
  await store.exclusively(() => {
    say('holds');
    return new Promise(() => setInterval(() => undefined, 60_000));
  });
}
await store.onRoutesChanged(async (boxId) => say(`synced ${boxId}`));
say('follows');
