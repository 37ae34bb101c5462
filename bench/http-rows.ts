import { exchangeCommand, request, startBox, startFloor, worldOf } from './box.ts';
import { askOnce, type Load, runLoad } from './load.ts';
import { type Server, startServer } from './processes.ts';
import type { Group, Row } from './rows.ts';

type Exchange = {
  name: string;
  /** `memory`: the handlers answer from memory, so that only the exchange is measured; `box`: the whole box. */
  on: 'memory' | 'box';
  bytes: string;
  answer: RegExp;
  /** CPU per request, as a multiple of the floor's. */
  goal: number | null;
  p99: boolean;
};

const install = (name: string) =>
  request('POST', '/api/apps/install', JSON.stringify({ name, note: 'x'.repeat(200) }));
const settings = (name: string) => request('GET', `/api/apps/${name}/settings`);

/** Requests whose work is the exchange itself: read, match, validate, answer. None touches the disk. */
const exchanges: readonly Exchange[] = [
  {
    name: 'validated GET with a path parameter',
    on: 'memory',
    bytes: settings('notes'),
    answer: /^HTTP\/1\.1 200 .*"name":"notes"/s,
    goal: 1.15,
    p99: true,
  },
  {
    name: 'validated POST with a JSON body',
    on: 'memory',
    bytes: install('notes'),
    answer: /^HTTP\/1\.1 200 .*"name":"notes"/s,
    goal: 1.2,
    p99: true,
  },
  {
    name: 'GET refused for its path parameter',
    on: 'box',
    bytes: settings('a/b'),
    answer: /^HTTP\/1\.1 400 .*"error":"/s,
    goal: 1.15,
    p99: false,
  },
  {
    name: 'POST refused for a field of its body',
    on: 'box',
    bytes: install(''),
    answer: /^HTTP\/1\.1 400 .*"error":"/s,
    goal: 1.2,
    p99: false,
  },
  {
    name: 'GET of an app that is not there: a refusal thrown by a use case',
    on: 'box',
    bytes: settings('No-Such-Name'),
    answer: /^HTTP\/1\.1 404 .*"error":"/s,
    goal: null,
    p99: false,
  },
  {
    name: 'POST of an app that is not there: the same through promises',
    on: 'box',
    bytes: install('No-Such-Name'),
    answer: /^HTTP\/1\.1 400 .*"error":"/s,
    goal: null,
    p99: false,
  },
];

/** CPU and 99th percentile of an exchange, against a bare server that answers the same bytes. */
export async function httpRows(): Promise<Group> {
  const world = worldOf(3);
  const ours = { memory: await startServer(exchangeCommand, process.env), box: await startBox(world) };
  const servers: Server[] = Object.values(ours);
  const rows: Row[] = [];
  for (const exchange of exchanges) {
    const server = ours[exchange.on];
    const floor = await floorOf(server, exchange);
    servers.push(floor);
    rows.push(...rowsOf(exchange, server, floor));
  }
  const close = async () => {
    for (const server of servers) await server.stop();
    world.dispose();
  };
  return { rows, close };
}

/** First the answer is looked at: a fast wrong answer counts for nothing. */
async function floorOf(ours: Server, { bytes, answer: expected }: Exchange): Promise<Server> {
  const answer = await askOnce(ours.port, bytes);
  if (!expected.test(answer)) throw new Error(`a wrong answer to measure: ${answer}`);
  const floor = await startFloor(answer);
  // Servers that have run for a while are what is compared: their code compiled, on both sides.
  for (const server of [ours, floor]) await runLoad(server, { requests: 40_000, connections: 4, bytes });
  return floor;
}

function rowsOf({ name, bytes, goal, p99 }: Exchange, ours: Server, floor: Server): Row[] {
  const load: Load = { requests: 4000, connections: 4, bytes };
  const both = async (figure: 'cpuMicros' | 'p99Ms') => {
    const a = await runLoad(ours, load);
    const b = await runLoad(floor, load);
    return { ours: a[figure], floor: b[figure], disturbed: a.disturbed || b.disturbed };
  };
  const floorName = 'bare node:http, same bytes';
  const cpu: Row = {
    name: `${name}: CPU`,
    floor: floorName,
    goal,
    unit: 'µs',
    round: () => both('cpuMicros'),
  };
  if (!p99) return [cpu];
  return [cpu, { name: `${name}: p99`, floor: floorName, goal: 1.5, unit: 'ms', round: () => both('p99Ms') }];
}
