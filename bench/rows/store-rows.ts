import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  boxId,
  type Caller,
  copyRouteFiles,
  fill,
  type Ground,
  makeGround,
  makeStore,
  startGateway,
} from '../gateway.ts';
import type { Group, Row } from '../measure-row.ts';
import type { Server } from '../processes.ts';
import { changeMicros } from '../publish.ts';

const [few, many] = [1000, 1_000_000];
const files = 100_000;

/** The work before a gateway's first response: it opens its store and compares its route files. */
export async function storeRows(): Promise<Group> {
  const [small, large, published, empty] = [makeGround(), makeGround(), makeGround(), makeGround()];
  const grounds = [small, large, published, empty];
  for (const ground of grounds) await makeStore(ground);
  for (const [ground, boxes] of [
    [small, few],
    [large, many],
  ] as const) {
    fill(ground.database, { boxes, callers: 0, routes: { boxes, each: 1 } });
  }
  const ofMany = await publishMany(published);
  const ofFew = fill(empty.database, { boxes: 10, callers: 10, routes: { boxes: 10, each: 1 } });
  const servers: Server[] = [];
  return {
    rows: [
      openRow(small, large),
      resyncRow(published, empty),
      growthRow({ ground: published, callers: ofMany }, { ground: empty, callers: ofFew }, servers),
    ],
    close: async () => {
      for (const server of servers) await server.stop();
      for (const ground of grounds) ground.dispose();
    },
  };
}

function openRow(small: Ground, large: Ground): Row {
  return {
    name: 'opening a file: store of 10^6 boxes and routes',
    floor: `opening one of ${few}`,
    goal: 1.2,
    unit: 'ms',
    round: async () => ({ ours: openMs(large), floor: openMs(small), disturbed: false }),
  };
}

function openMs({ database }: Ground): number {
  const program = join(import.meta.dirname, '..', 'subjects', 'open-store.ts');
  return Number(execFileSync(process.execPath, ['--no-warnings', program, database], { encoding: 'utf8' }));
}

/** A store and its route files. The gateway writes the first one, and the others are copied from it. */
async function publishMany(ground: Ground): Promise<Caller[]> {
  const callers = fill(ground.database, { boxes: files, callers: 10, routes: { boxes: 1, each: 1 } });
  await makeStore(ground);
  fill(ground.database, { boxes: 0, callers: 0, routes: { boxes: files, each: 1 } });
  copyRouteFiles(ground, files);
  return callers;
}

type Side = { ground: Ground; callers: Caller[] };

/** Starts the gateways when they are first needed, because an earlier row starts others on the same folders. */
function growthRow(many: Side, few: Side, servers: Server[]): Row {
  const started = async ({ ground }: Side) => {
    const server = await startGateway(ground, '0,1');
    servers.push(server);
    return server;
  };
  let both: [Server, Server] | null = null;
  const round = async () => {
    both ??= [await started(many), await started(few)];
    const load = { pairs: 20, connections: 1 };
    const ours = await changeMicros(both[0], many.callers, load);
    return { ours, floor: await changeMicros(both[1], few.callers, load), disturbed: false };
  };
  const name = `publish and unpublish with ${files} route files`;
  return { name, floor: 'the same with 10', goal: 1.15, unit: 'µs', round };
}

/** A start with many correct route files, minus the time of a start with ten. */
function resyncRow(published: Ground, empty: Ground): Row {
  const last = join(published.routes, `boxgate-${boxId(files - 1)}.yml`);
  const round = async () => {
    const written = statSync(last).ino;
    const begun = await startGateway(published, '0,1');
    await begun.stop();
    if (statSync(last).ino !== written) throw new Error('a route file that was right was written again');
    const bare = await startGateway(empty, '0,1');
    await bare.stop();
    return { ours: begun.readyMs - bare.readyMs, floor: read(published), disturbed: false };
  };
  return {
    name: `start with ${files} route files that are right, beyond a start with ten`,
    floor: 'reading those files once',
    goal: 3,
    unit: 'ms',
    rounds: (asked) => Math.min(3, asked),
    round,
  };
}

function read({ routes }: Ground): number {
  const program = join(import.meta.dirname, '..', 'floors', 'files.cjs');
  return Number(execFileSync(process.execPath, [program, routes], { encoding: 'utf8' }));
}
