import { request, startBox, startFloor, worldOf } from './box.ts';
import { askOnce, type Load, runLoad } from './load.ts';
import type { Server } from './processes.ts';
import type { Group, Row } from './rows.ts';

/** Requests whose work is the exchange itself: read, match, validate, answer. Neither touches the disk. */
const exchanges = [
  {
    name: 'validated GET with a path parameter',
    bytes: request('GET', '/api/apps/No-Such-Name/settings'),
    answer: /^HTTP\/1\.1 404 .*"error":"/s,
    cpuGoal: 1.15,
  },
  {
    name: 'validated POST with a JSON body',
    bytes: request(
      'POST',
      '/api/apps/install',
      JSON.stringify({ name: 'No-Such-Name', note: 'x'.repeat(200) }),
    ),
    answer: /^HTTP\/1\.1 400 .*"error":"/s,
    cpuGoal: 1.2,
  },
];

/** CPU and 99th percentile of an exchange, against a bare server that answers the same bytes. */
export async function httpRows(): Promise<Group> {
  const world = worldOf(3);
  const ours = await startBox(world);
  const servers: Server[] = [ours];
  const rows: Row[] = [];
  for (const { name, bytes, answer, cpuGoal } of exchanges) {
    const floor = await floorOf(ours, bytes, answer);
    servers.push(floor);
    // A server that has run for a while is what is compared: its code compiled, on both sides.
    for (const server of [ours, floor]) await runLoad(server, { requests: 20_000, connections: 4, bytes });
    rows.push(...pairOf(name, ours, floor, bytes, cpuGoal));
  }
  const close = async () => {
    for (const server of servers) await server.stop();
    world.dispose();
  };
  return { rows, close };
}

/** First the answer is looked at: a fast wrong answer counts for nothing. */
async function floorOf(ours: Server, bytes: string, expected: RegExp): Promise<Server> {
  const answer = await askOnce(ours.port, bytes);
  if (!expected.test(answer)) throw new Error(`a wrong answer to measure: ${answer}`);
  return startFloor(answer);
}

function pairOf(name: string, ours: Server, floor: Server, bytes: string, cpuGoal: number): Row[] {
  const load: Load = { requests: 4000, connections: 4, bytes };
  const both = async (figure: 'cpuMicros' | 'p99Ms') => {
    const a = await runLoad(ours, load);
    const b = await runLoad(floor, load);
    return { ours: a[figure], floor: b[figure], disturbed: a.disturbed || b.disturbed };
  };
  const floorName = 'bare node:http, same bytes';
  return [
    { name: `${name}: CPU`, floor: floorName, goal: cpuGoal, unit: 'µs', round: () => both('cpuMicros') },
    { name: `${name}: p99`, floor: floorName, goal: 1.5, unit: 'ms', round: () => both('p99Ms') },
  ];
}
