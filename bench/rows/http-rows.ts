import { exchangeCommand, request, startFloor } from '../box.ts';
import { askOnce, type Load, runLoad } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';
import { type Server, startServer } from '../processes.ts';

type Exchange = {
  name: string;
  bytes: string;
  answer: RegExp;
  /** The highest ratio of CPU per request. */
  goal: number;
};

const install = (name: string) => request('POST', '/api/apps/install', JSON.stringify({ name, note: 'x'.repeat(200) }));
const settings = (name: string) => request('GET', `/api/apps/${name}/settings`);

/** The handlers answer from memory, so that only the exchange is measured: read, match, validate, answer. */
const exchanges: readonly Exchange[] = [
  {
    name: 'validated GET with a path parameter',
    bytes: settings('notes'),
    answer: /^HTTP\/1\.1 200 .*"name":"notes"/s,
    goal: 1.3,
  },
  {
    name: 'validated POST with a JSON body',
    bytes: install('notes'),
    answer: /^HTTP\/1\.1 200 .*"name":"notes"/s,
    goal: 1.4,
  },
];

/** Speed varies by 10 % from process to process, so the rounds use several pairs of processes in turn. */
const pairsOfServers = 3;

type Pair = { ours: Server; floor: Server };

/** CPU and 99th percentile of a request, compared with a bare server that answers the same bytes. */
export async function httpRows(): Promise<Group> {
  const ours = await Promise.all(
    Array.from({ length: pairsOfServers }, () => startServer(exchangeCommand, process.env)),
  );
  const servers = [...ours];
  const rows: Row[] = [];
  for (const exchange of exchanges) {
    const pairs: Pair[] = [];
    for (const server of ours) pairs.push({ ours: server, floor: await floorOf(server, exchange) });
    servers.push(...pairs.map(({ floor }) => floor));
    rows.push(...rowsOf(exchange, pairs));
  }
  const close = async () => {
    for (const server of servers) await server.stop();
  };
  return { rows, close };
}

/** Verifies the response first, because the time of a wrong response has no meaning. */
async function floorOf(ours: Server, { bytes, answer: expected }: Exchange): Promise<Server> {
  const answer = await askOnce(ours.port, bytes);
  if (!expected.test(answer)) throw new Error(`a wrong answer to measure: ${answer}`);
  const floor = await startFloor(answer);
  // Warm-up, so that the code of both servers is compiled.
  for (const server of [ours, floor]) await runLoad(server, { requests: 40_000, connections: 4, bytes });
  return floor;
}

function rowsOf({ name, bytes, goal }: Exchange, pairs: readonly Pair[]): Row[] {
  const load: Load = { requests: 4000, connections: 4, bytes };
  const both = async (figure: 'cpuMicros' | 'p99Ms', pair: Pair) => {
    const a = await runLoad(pair.ours, load);
    const b = await runLoad(pair.floor, load);
    return { ours: a[figure], floor: b[figure], disturbed: a.disturbed || b.disturbed };
  };
  const floor = 'bare node:http, same bytes';
  const cpu = inTurn(pairs, (pair) => both('cpuMicros', pair));
  const slowest = inTurn(pairs, (pair) => both('p99Ms', pair));
  return [
    { name: `${name}: CPU`, floor, goal, unit: 'µs', round: cpu },
    { name: `${name}: p99`, floor, goal: 1.5, unit: 'ms', round: slowest },
  ];
}

function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Result): () => Result {
  let count = 0;
  return () => {
    const item = items[count % items.length];
    if (item === undefined) throw new Error('there is nothing to measure');
    count += 1;
    return work(item);
  };
}
