import { request, startFloor } from '../box.ts';
import { fill, heartbeatOf, makeGround, makeStore, requestOf, startGateway } from '../gateway.ts';
import { checkedAnswer, loadRow } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';

const floorName = 'bare node:http, same bytes';

/** Requests that change nothing, on a `file:` store: health, heartbeats, lists. */
export async function gatewayRows(): Promise<Group> {
  const ground = makeGround();
  await makeStore(ground);
  const callers = fill(ground.database, { boxes: 10_000, callers: 200, routes: { boxes: 1, each: 20 } });
  const gateway = await startGateway(ground);
  const servers = [gateway];
  const rows: Row[] = [];
  const compare = async (name: string, goal: number, bytes: readonly string[], expected: RegExp) => {
    const floor = await startFloor(await checkedAnswer(gateway.port, bytes[0] ?? '', expected));
    servers.push(floor);
    const sides = { load: { bytes }, ours: gateway, floor };
    rows.push(
      loadRow({ name: `${name}: time per request`, floor: floorName, goal, figure: 'wallMicros' }, sides),
      loadRow({ name: `${name}: CPU`, floor: floorName, goal, figure: 'cpuMicros' }, sides),
    );
  };
  const list = requestOf('GET', '/v1/routes', callers[0] ?? { token: '' });
  await compare('GET /healthz', 1 / 0.9, [request('GET', '/healthz')], /^HTTP\/1\.1 200 .*"ok"/s);
  await compare('heartbeats of 200 boxes of 10 000', 1 / 0.65, callers.map(heartbeatOf), /^HTTP\/1\.1 200 .*"ok"/s);
  await compare('list of 20 routes', 1 / 0.55, [list], /^HTTP\/1\.1 200 .*(?:"subdomain".*){20}/s);
  const close = async () => {
    for (const server of servers) await server.stop();
    ground.dispose();
  };
  return { rows, close };
}
