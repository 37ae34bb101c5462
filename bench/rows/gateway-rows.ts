import { request, startFloor } from '../box.ts';
import { type Caller, fill, heartbeatOf, makeGround, makeStore, requestOf, startGateway } from '../gateway.ts';
import { askOnce, type Load, type LoadResult, runLoad } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';
import type { Server } from '../processes.ts';

const bareName = 'bare node:http, same bytes';
type Figure = 'cpuMicros' | 'wallMicros' | 'p99Ms';

/** Requests that change nothing, on a `file:` store: health, heartbeats, lists. */
export async function gatewayRows(): Promise<Group> {
  const ground = makeGround();
  await makeStore(ground);
  const callers = fill(ground.database, { boxes: 10_000, callers: 1000, routes: { boxes: 1, each: 20 } });
  const gateway = await startGateway(ground);
  const servers = [gateway];
  const rows: Row[] = [];
  const against = async (load: Load, first: string, expected: RegExp) => {
    const floor = await startFloor(await checked(gateway, first, expected));
    servers.push(floor);
    await warm(gateway, load);
    await warm(floor, load);
    return floor;
  };

  const health: Load = { requests: 4000, connections: 4, bytes: request('GET', '/healthz') };
  const bareHealth = await against(health, request('GET', '/healthz'), /^HTTP\/1\.1 200 .*"ok"/s);
  rows.push(
    rowOf('GET /healthz: CPU', 1.08, 'cpuMicros', health, gateway, bareHealth),
    rowOf('GET /healthz: time per request', 1 / 0.93, 'wallMicros', health, gateway, bareHealth),
  );

  const beats = heartbeats(callers);
  const bareBeat = await against(beats, beats.bytes[0] ?? '', /^HTTP\/1\.1 200 .*"ok"/s);
  const beat = 'heartbeat on file:, 10 000 boxes, 1 000 active';
  rows.push(
    rowOf(`${beat}: CPU`, 1 / 0.75, 'cpuMicros', beats, gateway, bareBeat),
    rowOf(`${beat}: time per request`, 1 / 0.75, 'wallMicros', beats, gateway, bareBeat),
    rowOf(`${beat}: p99`, 1.3, 'p99Ms', beats, gateway, bareBeat),
  );

  const list = requestOf('GET', '/v1/routes', callers[0] ?? { token: '' });
  const lists: Load = { requests: 4000, connections: 4, bytes: list };
  const bareList = await against(lists, list, /^HTTP\/1\.1 200 .*(?:"subdomain".*){20}/s);
  rows.push(rowOf('list of 20 routes: time per request', 1 / 0.6, 'wallMicros', lists, gateway, bareList));

  const close = async () => {
    for (const server of servers) await server.stop();
    ground.dispose();
  };
  return { rows, close };
}

const heartbeats = (callers: readonly Caller[]) => ({
  requests: 4000,
  connections: 4,
  bytes: callers.map(heartbeatOf),
});

/** Verifies the response first, because the time of a wrong response has no meaning. */
async function checked(server: Server, bytes: string, expected: RegExp): Promise<string> {
  const answer = await askOnce(server.port, bytes);
  if (!expected.test(answer)) throw new Error(`a wrong answer to measure: ${answer}`);
  return answer;
}

function warm(server: Server, load: Load): Promise<LoadResult> {
  return runLoad(server, { ...load, requests: 20_000 });
}

function rowOf(name: string, goal: number, figure: Figure, load: Load, ours: Server, floor: Server): Row {
  const round = async () => {
    const a = await runLoad(ours, load);
    const b = await runLoad(floor, load);
    return { ours: a[figure], floor: b[figure], disturbed: a.disturbed || b.disturbed };
  };
  return { name, floor: bareName, goal, unit: figure === 'p99Ms' ? 'ms' : 'µs', round };
}
