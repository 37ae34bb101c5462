import { exchangeCommand, request, startFloor } from '../box.ts';
import { checkedAnswer, loadRow } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';
import { startServer } from '../processes.ts';

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

/** CPU and 99th percentile of a request, compared with a bare server that answers the same bytes. */
export async function httpRows(): Promise<Group> {
  const ours = await startServer(exchangeCommand, process.env);
  const servers = [ours];
  const rows: Row[] = [];
  for (const { name, bytes, answer, goal } of exchanges) {
    const floor = await startFloor(await checkedAnswer(ours.port, bytes, answer));
    servers.push(floor);
    const floorName = 'bare node:http, same bytes';
    const sides = { load: { bytes }, ours, floor };
    rows.push(
      loadRow({ name: `${name}: CPU`, floor: floorName, goal, figure: 'cpuMicros' }, sides),
      loadRow({ name: `${name}: p99`, floor: floorName, goal: 1.5, figure: 'p99Ms' }, sides),
    );
  }
  const close = async () => {
    for (const server of servers) await server.stop();
  };
  return { rows, close };
}
