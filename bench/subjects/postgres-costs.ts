/**
 * Prints the processor time of PostgreSQL per operation of the store, in µs, as JSON. Arguments: the store's URL and the
 * process id of the server. The store contains boxes 1 000 to 9 999.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Store } from '../../src/gateway/ports.ts';
import { openPostgresStore } from '../../src/gateway/store/postgres/postgres.ts';
import { scheduled } from '../processes.ts';

const [url = '', server = ''] = process.argv.slice(2);
const store: Store = await openPostgresStore(url);
const box = (n: number) => ({
  id: `box_${String(n).padStart(20, '0')}`,
  hash: createHash('sha256').update(`no token ${n}`).digest(),
});
const boxes = Array.from({ length: 4000 }, (_, n) => box(1000 + n));

function serverMicros(): number {
  const pids = readdirSync(`/proc/${server}/task`).flatMap((task) =>
    readFileSync(`/proc/${server}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  return pids.reduce((sum, pid) => sum + scheduled(Number(pid)).ran, 0) / 1000;
}

/** Mean processor time of `work`. The first ten runs, which prepare statements, are not counted. */
async function costOf(times: number, work: (n: number) => Promise<unknown>): Promise<number> {
  for (let n = 0; n < 10; n += 1) await work(n);
  const before = serverMicros();
  for (let n = 0; n < times; n += 1) await work(n);
  return (serverMicros() - before) / times;
}

const lookUp = (from: number, count: number) =>
  Promise.all(
    boxes.slice(from, from + count).map(async ({ hash }) => {
      if ((await store.boxOfToken(hash)) === null) throw new Error('a box is not there');
    }),
  );
let made = 0;
const route = () => {
  made += 1;
  return {
    id: `rt_${process.pid}_${made}`,
    boxId: box(1000 + made).id,
    appName: 'app',
    port: 80,
    createdAt: 1,
  };
};
const publish = async () => {
  const next = route();
  const outcome = await store.insertRoute({ ...next, subdomain: `s-${next.id.replaceAll('_', '-')}` }, 1000);
  if (outcome !== 'inserted') throw new Error(`not published: ${outcome}`);
};
let at = Date.now();
const touch = (count: number) => {
  at += 1;
  return store.touchBoxes(new Map(boxes.slice(0, count).map(({ id }) => [id, at])));
};

const one = await costOf(1000, (n) => lookUp(n, 1));
const many = await costOf(200, (n) => lookUp(n, 256));
const touch10 = await costOf(50, () => touch(10));
const touch500 = await costOf(50, () => touch(500));
const published = await costOf(200, publish);
const read = await costOf(500, async (n) => store.publishedBox(box(1000 + n).id));
await store.close();

const perToken = (many - one) / 255;
const perBox = (touch500 - touch10) / 490;
const costs = {
  lookUpStatement: one - perToken,
  lookUpToken: perToken,
  touchTransaction: touch10 - 10 * perBox,
  touchBox: perBox,
  publishTransaction: published,
  readPublishedBox: read,
};
process.stdout.write(
  JSON.stringify(
    Object.fromEntries(Object.entries(costs).map(([name, micros]) => [name, Math.round(micros * 10) / 10])),
  ),
);
