import { request, startFloor } from '../box.ts';
import {
  type Caller,
  fill,
  type Ground,
  heartbeatOf,
  makeGround,
  makeStore,
  requestOf,
  startGateway,
} from '../gateway.ts';
import { askOnce, type Load, type LoadResult, runLoad } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';
import type { Server } from '../processes.ts';

const bareName = 'bare node:http, same bytes';
type Figure = 'cpuMicros' | 'wallMicros' | 'p99Ms';

/** Requests that change nothing, on a `file:` store: health, heartbeats, lists. */
export async function gatewayRows(): Promise<Group> {
  const grounds: Ground[] = [];
  const servers: Server[] = [];
  const started = async (boxes: number) => {
    const ground = makeGround();
    grounds.push(ground);
    await makeStore(ground);
    const callers = fill(ground.database, { boxes, callers: 1000, routes: { boxes: 1, each: 20 } });
    const server = await startGateway(ground);
    servers.push(server);
    return { server, callers };
  };
  const small = await started(1000);
  const usual = await started(10_000);
  const large = await started(1_000_000);

  const rows: Row[] = [];
  const against = async (server: Server, load: Load, first: string, expected: RegExp) => {
    const floor = await startFloor(await checked(server, first, expected));
    servers.push(floor);
    await warm(server, load);
    await warm(floor, load);
    return floor;
  };

  const health: Load = { requests: 4000, connections: 4, bytes: request('GET', '/healthz') };
  const bareHealth = await against(usual.server, health, request('GET', '/healthz'), /^HTTP\/1\.1 200 .*"ok"/s);
  rows.push(
    rowOf('GET /healthz: CPU', 1.08, 'cpuMicros', health, usual.server, bareHealth),
    rowOf('GET /healthz: time per request', 1 / 0.93, 'wallMicros', health, usual.server, bareHealth),
  );

  const beats = heartbeats(usual.callers);
  const bareBeat = await against(usual.server, beats, beats.bytes[0] ?? '', /^HTTP\/1\.1 200 .*"ok"/s);
  const beat = 'heartbeat on file:, 10 000 boxes, 1 000 active';
  rows.push(
    rowOf(`${beat}: CPU`, 1 / 0.75, 'cpuMicros', beats, usual.server, bareBeat),
    rowOf(`${beat}: time per request`, 1 / 0.75, 'wallMicros', beats, usual.server, bareBeat),
    rowOf(`${beat}: p99`, 1.3, 'p99Ms', beats, usual.server, bareBeat),
  );

  rows.push(await growthRow(small, large));

  const list = requestOf('GET', '/v1/routes', usual.callers[0] ?? { token: '' });
  const lists: Load = { requests: 4000, connections: 4, bytes: list };
  const bareList = await against(usual.server, lists, list, /^HTTP\/1\.1 200 .*(?:"subdomain".*){20}/s);
  rows.push(
    rowOf('list of 20 routes: time per request', 1 / 0.6, 'wallMicros', lists, usual.server, bareList),
    rowOf('list of 20 routes: CPU', null, 'cpuMicros', lists, usual.server, bareList),
  );

  const close = async () => {
    for (const server of servers) await server.stop();
    for (const ground of grounds) ground.dispose();
  };
  return { rows, close };
}

type Started = { server: Server; callers: Caller[] };

const heartbeats = (callers: readonly Caller[]) => ({
  requests: 4000,
  connections: 4,
  bytes: callers.map(heartbeatOf),
});

async function growthRow(small: Started, large: Started): Promise<Row> {
  const [few, many] = [heartbeats(small.callers), heartbeats(large.callers)];
  await warm(small.server, few);
  await warm(large.server, many);
  const round = async () => {
    const a = await runLoad(large.server, many);
    const b = await runLoad(small.server, few);
    return { ours: a.wallMicros, floor: b.wallMicros, disturbed: a.disturbed || b.disturbed };
  };
  const name = 'heartbeat with 10^6 boxes: time per request';
  return { name, floor: 'the same with 10^3', goal: 1 / 0.9, unit: 'µs', round };
}

/** Verifies the response first, because the time of a wrong response has no meaning. */
async function checked(server: Server, bytes: string, expected: RegExp): Promise<string> {
  const answer = await askOnce(server.port, bytes);
  if (!expected.test(answer)) throw new Error(`a wrong answer to measure: ${answer}`);
  return answer;
}

function warm(server: Server, load: Load): Promise<LoadResult> {
  return runLoad(server, { ...load, requests: 20_000 });
}

function rowOf(name: string, goal: number | null, figure: Figure, load: Load, ours: Server, floor: Server): Row {
  const round = async () => {
    const a = await runLoad(ours, load);
    const b = await runLoad(floor, load);
    return { ours: a[figure], floor: b[figure], disturbed: a.disturbed || b.disturbed };
  };
  return { name, floor: bareName, goal, unit: figure === 'p99Ms' ? 'ms' : 'µs', round };
}
